import type { FastifyInstance } from "fastify";
import { type Static, type TObject, Type } from "typebox";
import type { Bought, BuyCommand, PurchaseRequest } from "../../domain/buying/buy.ts";
import type { BeneficiaryCommand } from "../../domain/buying/buy-for-beneficiary.ts";
import type { Category } from "../../domain/categories/category.ts";
import { ifSent, nairaField, nairaOf } from "../../domain/categories/fields.ts";
import { categories } from "../../domain/categories/registry.ts";
import type { Purchase, SentTerms } from "../../domain/purchases/purchase.ts";
import { purchaseJson } from "../../domain/purchases/transaction-object.ts";
import { assert } from "../../kernel/assert.ts";
import { parseReference, type Reference } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Watch } from "../early-answers.ts";
import { purchaseOperation } from "../openapi/purchase-operation.ts";
import { principalOf, setReason, setToldPurchase } from "../request-context.ts";
import { setRetryAfter } from "../retry-after.ts";
import { sentInRequests, sentOf } from "../schemas/sent-fields.ts";
import { sendJson } from "../send-json.ts";
import type { RouteServices } from "../services.ts";
import { referenceField } from "./reference-field.ts";

/** What every purchase request takes beside its category's own fields. */
const commonFields = {
  reference: referenceField(100),
  expected_price: Type.Optional(nairaField("The total you expect; another one is refused with PRICE_CHANGED.")),
  ...sentInRequests,
  beneficiary_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "A saved number of yours: it fills the customer's number, which you then leave out.",
      examples: ["ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
    }),
  ),
};

const commonBody = Type.Object(commonFields);

/** The whole request body of a category's purchase endpoint. A beneficiary may stand for the customer's number. */
function purchaseBody(category: Category): TObject {
  const { body, customerField } = category;
  const fields = { ...commonFields, ...body.properties };
  const number = body.properties[customerField];
  if (number === undefined || !body.required?.includes(customerField)) return Type.Object(fields);
  const unless = { if: { required: ["beneficiary_id"] }, else: { required: [customerField] } };
  return Type.Object({ ...fields, [customerField]: Type.Optional(number) }, unless);
}

/** One purchase endpoint per category of the registry. */
export function purchaseRoutes(app: FastifyInstance, services: RouteServices): void {
  for (const category of categories) mountCategory(app, category, services);
}

function mountCategory(app: FastifyInstance, category: Category, services: RouteServices): void {
  app.post(
    category.paths.purchase,
    { schema: purchaseOperation(category, purchaseBody(category)) },
    async (request, reply) => {
      const principal = principalOf(request);
      const body = request.body as Record<string, unknown>;
      const sent = sentOf(body);
      const buy = (watch: Watch): Promise<Bought> => {
        const common = { principal, channel: "api", category, ...watch } as const;
        if (body.beneficiary_id !== undefined) {
          return services.buyForBeneficiary(beneficiaryCommand(common, body, sent));
        }
        return services.buy({ ...common, request: readRequest(category, body, sent) });
      };
      const { purchase, soldProduct, replayed } = await services.earlyAnswers.buying(reply, buy);
      if (replayed) reply.header("idempotent-replayed", "true");
      reply.code(httpStatus[purchase.status]);
      setRetryAfter(reply, purchase, services);
      setToldPurchase(request, purchase);
      if (purchase.errorCode !== null) setReason(request, purchase.errorCode);
      return sendJson(reply, purchaseJson(purchase, soldProduct, services, errorFieldsOf(purchase)));
    },
  );
}

/** A client that takes every 422 for an error looks for its `code`. */
function errorFieldsOf({ status, errorCode }: Purchase): JsonObject | undefined {
  return status === "failed" ? { code: errorCode } : undefined;
}

/** The same for a customer whose number is saved: it is filled in once it is known. */
function beneficiaryCommand(
  common: Omit<BuyCommand, "request">,
  body: Record<string, unknown>,
  sent: SentTerms,
): BeneficiaryCommand {
  const { reference, beneficiary_id = "" } = body as Static<typeof commonBody>;
  const { category } = common;
  const { customerField } = category;
  return {
    ...common,
    reference: referenceOf(reference),
    beneficiaryId: beneficiary_id,
    isNumberSent: body[customerField] !== undefined,
    read: (customerRef) => readRequest(category, { [customerField]: customerRef, ...body }, sent),
  };
}

/** Reads a body with a customer's number that `purchaseBody` has accepted. @throws Refusal for what a schema can't say */
function readRequest(category: Category, body: Record<string, unknown>, sent: SentTerms): PurchaseRequest {
  const { reference, expected_price } = body as Static<typeof commonBody>;
  // To a category without it, it is one more unknown field, and those are ignored.
  const takesVerification = "verification_id" in category.body.properties;
  return {
    reference: referenceOf(reference),
    requested: category.read(body as never),
    expectedPrice: ifSent(expected_price, nairaOf),
    verificationId: takesVerification ? ((body.verification_id as string | undefined) ?? null) : null,
    sent,
  };
}

function referenceOf(text: string): Reference {
  const reference = parseReference(text);
  assert(reference !== null, "the schema let only references through");
  return reference;
}

const httpStatus = { successful: 201, pending: 202, failed: 422 } as const;
