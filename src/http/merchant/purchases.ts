import type { FastifyInstance, FastifyReply } from "fastify";
import { type Static, type TObject, Type } from "typebox";
import { type Category, nairaOf } from "../../domain/categories/category.ts";
import { nairaField } from "../../domain/categories/fields.ts";
import { categories } from "../../domain/categories/registry.ts";
import type { Buy, PurchaseRequest } from "../../domain/purchases/buy.ts";
import { nextCheckSeconds } from "../../domain/purchases/next-check.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import { transactionObject } from "../../domain/purchases/transaction-object.ts";
import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { parseReference } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuseField } from "../../kernel/problems.ts";
import { purchaseOperation } from "../openapi/purchase-operation.ts";
import { principalOf } from "../request-context.ts";
import { referenceField } from "./reference-field.ts";

/** `metadata` is echoed with every answer, so it stays small. */
const metadataBytesMax = 2_048;

/** What every purchase request takes beside its category's own fields. */
const commonFields = {
  reference: referenceField(100),
  expected_price: Type.Optional(nairaField("The total you expect; another one is refused with PRICE_CHANGED.")),
  metadata: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: "An object of yours up to 2 KB, echoed with the transaction.",
      examples: [{ order: 7 }],
      "x-message": "Must be an object.",
    }),
  ),
};

const commonBody = Type.Object(commonFields);

/** The whole request body of a category's purchase endpoint. */
export function purchaseBody(category: Category): TObject {
  return Type.Object({ ...commonFields, ...category.body.properties });
}

export interface PurchaseServices {
  readonly buy: Buy;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly sandboxPendingSeconds: number;
}

/** One purchase endpoint per category of the registry. */
export function purchaseRoutes(app: FastifyInstance, services: PurchaseServices): void {
  for (const category of categories) mountCategory(app, category, services);
}

function mountCategory(app: FastifyInstance, category: Category, services: PurchaseServices): void {
  app.post(
    category.paths.purchase,
    { schema: purchaseOperation(category, purchaseBody(category)) },
    async (request, reply) => {
      const { purchase, goods, replayed } = await services.buy({
        principal: principalOf(request),
        channel: "api",
        category,
        request: readRequest(category, request.body as Record<string, unknown>),
      });
      if (replayed) reply.header("idempotent-replayed", "true");
      return sendPurchase(reply, purchase, services).send(transactionObject(purchase, goods, services.wallTime));
    },
  );
}

/** Reads a body that `purchaseBody` has accepted. @throws Refusal for what a schema cannot say */
export function readRequest(category: Category, body: Record<string, unknown>): PurchaseRequest {
  const { reference: text, expected_price, metadata } = body as Static<typeof commonBody>;
  const { verification_id = null } = "verification_id" in category.body.properties ? body : {};
  const reference = parseReference(text);
  assert(reference !== null, "the schema let only references through");
  return {
    reference,
    wish: category.read(body as never),
    expectedPrice: expected_price === undefined ? null : nairaOf(expected_price),
    verificationId: verification_id as string | null,
    metadata: metadata == null ? null : boundedMetadata(metadata as JsonObject),
  };
}

function boundedMetadata(metadata: JsonObject): JsonObject {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > metadataBytesMax) {
    throw refuseField("VALIDATION_ERROR", "metadata", `Must be at most ${metadataBytesMax} bytes; it has ${bytes}.`);
  }
  return metadata;
}

const httpStatus = { successful: 201, pending: 202, failed: 422 } as const;
/** Sets the status and, while it is pending, when to look again. */
function sendPurchase(reply: FastifyReply, purchase: Purchase, services: PurchaseServices): FastifyReply {
  if (purchase.status === "pending") {
    const seconds = nextCheckSeconds(purchase, services.clock.now(), services.sandboxPendingSeconds);
    reply.header("retry-after", String(seconds));
  }
  return reply.code(httpStatus[purchase.status]);
}
