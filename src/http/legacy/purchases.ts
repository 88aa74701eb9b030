import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type TObject, Type } from "typebox";
import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import type { Category, Wish } from "../../domain/categories/category.ts";
import type { Bought, Buy } from "../../domain/purchases/buy.ts";
import type { BuyUnnamed } from "../../domain/purchases/buy-unnamed.ts";
import { type Goods, goodsOf } from "../../domain/purchases/goods.ts";
import { findNumberedPurchase } from "../../domain/purchases/legacy-queries.ts";
import { type Purchase, totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { messageOf } from "../../domain/purchases/transaction-object.ts";
import { assert } from "../../kernel/assert.ts";
import type { Instant, WallTime } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import { formatNaira, subtract } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { type Database, forReaders } from "../../platform/database.ts";
import { refuseWhenAway } from "../../platform/refuse-when-away.ts";
import { answer, operation } from "../openapi/operation.ts";
import { pathParameter } from "../path-parameter.ts";
import { isAwaited, principalOf, walletOf } from "../request-context.ts";
import { integer, messageExample, money, oneOf, phoneSchema, referenceSchema, text } from "../schemas.ts";
import { legacyRoute } from "./endpoint.ts";
import { identOf, networkId, networkIdSchema, networkNameSchema } from "./fields.ts";

export interface LegacyPurchaseServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly buy: Buy;
  readonly buyUnnamed: BuyUnnamed;
  readonly wallTime: WallTime;
}

/** What the answers of all purchases have, in the order in which a client's log shows it. */
const commonAnswer = {
  id: integer(
    { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    "Asks for it again: the purchase's number in the wallet.",
    1,
  ),
  ident: referenceSchema("The reference, which the merchant API knows as well.", "legacy-1"),
  network: networkIdSchema,
  mobile_number: phoneSchema,
  plan_network: networkNameSchema,
  plan_amount: money("What it costs.", "640.00"),
  balance_before: money("The wallet before the purchase.", "100000.00"),
  balance_after: money("The wallet after it.", "99360.00"),
  Status: oneOf(["successful", "processing", "failed"], { description: "`processing` means wait: do not buy again." }),
  api_response: text(500, "The result in words.", messageExample),
  create_date: Type.String({
    pattern: "^[0-9-]{10}T[0-9:]{8}\\.[0-9]{6}$",
    maxLength: 26,
    description: "Local time, without its zone.",
    examples: ["2026-11-20T14:03:09.123000"],
  }),
  Ported_number: Type.Boolean({ description: "As first sent; true unless told here." }),
};

/** A legacy endpoint that buys in one category. */
export interface LegacyPurchases {
  readonly category: Category;
  /** `noun` names its operations: `legacyBuyData`, `legacyGetData`. */
  readonly operation: { readonly noun: string; readonly summary: string; readonly description: string };
  readonly body: TObject;
  readonly examples: Readonly<Record<string, object>>;
  /** Beside the common ones. */
  readonly answer: TObject["properties"];
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: never, catalogue: CatalogueSnapshot) => Wish;
  readonly fieldsOf: (purchase: Purchase, goods: Goods) => Record<string, Json>;
}

const parameters = Type.Object({
  id: pathParameter("The id that the purchase answered.", "1"),
});

/** Buys, and tells what was bought by its id, in the present state. */
export function legacyPurchaseRoutes(
  app: FastifyInstance,
  services: LegacyPurchaseServices,
  endpoint: LegacyPurchases,
): void {
  const { noun } = endpoint.operation;
  const reads = { ...services, database: forReaders(services.database) };
  const sold = Type.Object({ ...commonAnswer, ...endpoint.answer }, { "x-component": `Legacy${noun}` });

  legacyRoute(app, {
    method: "POST",
    path: "",
    schema: operation({
      id: `legacyBuy${noun}`,
      tag: "Legacy",
      summary: endpoint.operation.summary,
      description: `${endpoint.operation.description} 201 whatever became of it: look at \`Status\`. \`ident\` is your reference; without one, the same request within 30 seconds is refused.`,
      body: endpoint.body,
      examples: endpoint.examples,
      forms: true,
      responses: { 201: answer("Bought, on its way, or failed and refunded: `Status` says which.", sold) },
      problems: [
        "INSUFFICIENT_BALANCE",
        "AMOUNT_OUT_OF_RANGE",
        "NETWORK_MISMATCH",
        "CATEGORY_NOT_ALLOWED",
        "RECIPIENT_BLOCKED",
        "TRANSACTION_LIMIT_EXCEEDED",
        "DAILY_LIMIT_EXCEEDED",
        "PRODUCT_NOT_FOUND",
        "REFERENCE_CONFLICT",
        "DUPLICATE_TRANSACTION",
        "PRODUCT_UNAVAILABLE",
        "BILLER_UNAVAILABLE",
      ],
      replays: true,
      errors: "legacy",
      deprecated: true,
    }),
    async handler(request, reply) {
      const bought = await buyAs(services, endpoint, request, reply);
      if (bought.replayed) reply.header("idempotent-replayed", "true");
      return sendPurchase(reply, 201, bought);
    },
  });

  legacyRoute(app, {
    method: "GET",
    path: "/:id",
    schema: operation({
      id: `legacyGet${noun}`,
      tag: "Legacy",
      summary: `Ask again what became of it: ${noun.toLowerCase()}`,
      description: "The purchase in its present state, by the `id` that buying it answered.",
      params: parameters,
      responses: { 200: sold },
      problems: ["TRANSACTION_NOT_FOUND"],
      errors: "legacy",
      deprecated: true,
    }),
    async handler(request, reply) {
      const found = await findOf(reads, endpoint, request);
      if (found === null) throw refuse("TRANSACTION_NOT_FOUND");
      return sendPurchase(reply, 200, found);
    },
  });

  function sendPurchase(reply: FastifyReply, status: number, { purchase, goods }: Sold): FastifyReply {
    const common = commonFieldsOf(purchase, goods, services.wallTime);
    return reply.code(status).send({ ...common, ...endpoint.fieldsOf(purchase, goods) });
  }
}

type Sold = Omit<Bought, "replayed">;

/** Buys under the client's reference, or under one made for it. */
async function buyAs(
  services: LegacyPurchaseServices,
  { category, read }: LegacyPurchases,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Bought> {
  const catalogue = services.catalogue.peek() ?? (await services.catalogue.load().catch(refuseWhenAway));
  const { ident } = request.body as { ident?: string | number };
  const wish = read(request.body as never, catalogue);
  const wanted = { wish, expectedPrice: null, verificationId: null, metadata: null };
  const command = {
    principal: principalOf(request),
    channel: "legacy",
    category,
    isAwaited: isAwaited(reply),
  } as const;
  const reference = identOf(ident);
  return reference === null
    ? services.buyUnnamed({ ...command, request: wanted })
    : services.buy({ ...command, request: { ...wanted, reference } });
}

/**
 * The purchase that the path names; null unless it is of the endpoint's category. Whichever door it came by: a replay
 * answers what others bought, too.
 */
async function findOf(
  services: LegacyPurchaseServices,
  { category }: LegacyPurchases,
  request: FastifyRequest,
): Promise<Sold | null> {
  const { id } = request.params as { id: string };
  if (!/^[1-9][0-9]{0,17}$/.test(id)) return null;
  const purchase = await findNumberedPurchase(services.database, walletOf(request), BigInt(id));
  if (purchase === null) return null;
  const goods = goodsOf(services.catalogue.peek() ?? (await services.catalogue.load()), purchase);
  return goods.category.slug === category.slug ? { purchase, goods } : null;
}

const statuses = { successful: "successful", pending: "processing", failed: "failed" } as const;

function commonFieldsOf(purchase: Purchase, { product }: Goods, zone: WallTime): Record<string, Json> {
  const { network } = product.biller;
  assert(network !== null, "every product of these categories has its network");
  return {
    id: Number(purchase.number),
    ident: purchase.reference,
    network: networkId(network),
    mobile_number: purchase.phone,
    plan_network: network,
    balance_before: formatNaira(purchase.balanceBefore),
    balance_after: formatNaira(subtract(purchase.balanceBefore, totalDeductedOf(purchase))),
    Status: statuses[purchase.status],
    api_response: messageOf(purchase, product),
    create_date: naiveTime(purchase.purchasedAt, zone),
    Ported_number: purchase.details.ported !== false,
  };
}

/** As Django writes local times without their zone: `2026-11-20T14:03:09.123000`. */
function naiveTime(instant: Instant, zone: WallTime): string {
  return `${zone.format(instant).slice(0, 19)}.${String(instant % 1_000).padStart(3, "0")}000`;
}
