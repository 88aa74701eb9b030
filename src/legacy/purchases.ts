import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type TObject, Type } from "typebox";
import type { Category, PurchaseIntent } from "../categories/category.ts";
import type { CatalogueSnapshot } from "../domain/catalogue/snapshot.ts";
import type { LegacySettings } from "../domain/merchants/legacy-settings.ts";
import type { Bought } from "../domain/purchases/buying/buy.ts";
import { findNumberedPurchase } from "../domain/purchases/buying/legacy-queries.ts";
import { openFulfilment } from "../domain/purchases/fulfilment/sealed-fulfilment.ts";
import { nothingSent, type Purchase, type SoldProduct, soldProductOf } from "../domain/purchases/purchase.ts";
import { principalOf, setAnsweredPurchase, setRetryAfter, walletOf } from "../http/request-context.ts";
import { pathParameter } from "../http/schemas/schemas.ts";
import type { Watch } from "../http/waiting.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import { Refusal, refuse } from "../kernel/problems.ts";
import { forReaders } from "../platform/database/database.ts";
import { refuseWhenAway } from "../platform/database/refuse-when-away.ts";
import type { Metric, Metrics } from "../platform/telemetry/metrics.ts";
import type { LegacyWords } from "./errors.ts";
import { identOf } from "./fields.ts";
import { legacyRoute } from "./operation.ts";
import type { Aliases } from "./read-bodies.ts";
import type { LegacyServices } from "./services.ts";
import { type SoldKind, soldAnswer, soldAnswers } from "./sold.ts";

/** A legacy endpoint that buys in one category. */
export interface LegacyPurchases {
  readonly category: Category;
  /** `noun` names its operations: `legacyBuyData`, `legacyGetData`. */
  readonly operation: { readonly noun: string; readonly summary: string; readonly description: string };
  readonly body: TObject;
  /** How else clients spell its fields. */
  readonly aliases: Aliases;
  /** Where its clients' words are not those of `/api/data`. */
  readonly words?: LegacyWords;
  readonly examples: Readonly<Record<string, object>>;
  /** Beside the fields that all have. */
  readonly answer: TObject["properties"];
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: never, context: LegacyContext) => PurchaseIntent;
  readonly fieldsOf: (purchase: Purchase, soldProduct: SoldProduct, reported: LegacyFacts) => Record<string, Json>;
  /** Other endpoints whose purchases `GET …/{id}` answers, too. */
  readonly alsoFinds?: readonly LegacyPurchases[];
}

/** What an answer is written from, beside the purchase. */
export interface LegacyFacts {
  readonly legacy: LegacySettings;
  /** The fulfilment with its secrets; null until there is one, and in lists. */
  readonly delivered: JsonObject | null;
}

export interface LegacyContext {
  readonly catalogue: CatalogueSnapshot;
  readonly legacy: LegacySettings;
}

/** The PINs or tokens of a fulfilment; none until there is one. */
export function rowsIn(delivered: JsonObject | null, name: "pins" | "tokens"): readonly JsonObject[] {
  const rows = delivered?.[name];
  return Array.isArray(rows) ? (rows as readonly JsonObject[]) : [];
}

const parameters = Type.Object({
  id: pathParameter("The id that the purchase answered.", "1"),
});

/** Buys, and tells what was bought by its id, in the present state. */
export function legacyPurchaseRoutes(app: FastifyInstance, services: LegacyServices, endpoint: LegacyPurchases): void {
  addBuying(app, services, endpoint);
  addAsking(app, { ...services, database: forReaders(services.database) }, endpoint);
}

function addBuying(app: FastifyInstance, services: LegacyServices, endpoint: LegacyPurchases): void {
  const { noun, summary, description } = endpoint.operation;
  legacyRoute(app, {
    method: "POST",
    words: endpoint.words,
    task: "buy",
    notes: {
      id: `legacyBuy${noun}`,
      summary,
      description: `${description} \`ident\` is your reference; without one, the same request within 30 seconds is refused.`,
      body: endpoint.body,
      examples: endpoint.examples,
      responses: soldAnswers([soldKindOf(endpoint)]),
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
    },
    async handler(request, reply) {
      const bought = await services.waiting.holding(reply, (watch) => buyAs(services, endpoint, request, watch));
      if (bought.replayed) reply.header("idempotent-replayed", "true");
      return sendPurchase(reply, services, endpoint, bought);
    },
  });
}

function addAsking(app: FastifyInstance, services: LegacyServices, endpoint: LegacyPurchases): void {
  const { noun } = endpoint.operation;
  const found = [endpoint, ...(endpoint.alsoFinds ?? [])];
  legacyRoute(app, {
    method: "GET",
    path: "/:id",
    task: "ask",
    notes: {
      id: `legacyGet${noun}`,
      summary: `Ask again what became of it: ${noun.toLowerCase()}`,
      description: "The purchase in its present state, by the `id` that buying it answered.",
      params: parameters,
      responses: soldAnswers(found.map(soldKindOf)),
      problems: ["TRANSACTION_NOT_FOUND"],
      hasRetryAfterHeader: true,
    },
    async handler(request, reply) {
      const sold = await findOf(services, request);
      const own = found.find(({ category }) => category.slug === sold?.soldProduct.category.slug);
      if (sold === null || own === undefined) throw refuse("TRANSACTION_NOT_FOUND");
      setRetryAfter(reply, sold.purchase, services);
      return sendPurchase(reply, services, own, sold);
    },
  });
}

export function soldKindOf({ operation: { noun }, answer }: LegacyPurchases): SoldKind {
  return { noun, own: answer };
}

type Sold = Omit<Bought, "replayed">;

function sendPurchase(
  reply: FastifyReply,
  { wallTime, secretBox }: LegacyServices,
  { fieldsOf }: LegacyPurchases,
  { purchase, soldProduct }: Sold,
): FastifyReply {
  setAnsweredPurchase(reply.request, purchase);
  const delivered = purchase.status === "successful" ? openFulfilment(secretBox, purchase) : null;
  const own = fieldsOf(purchase, soldProduct, { legacy: principalOf(reply.request).legacy, delivered });
  const { status, body } = soldAnswer(purchase, soldProduct, { own, zone: wallTime });
  return reply.code(status).send(body);
}

/** Buys under the client's reference, or under one made for it. */
async function buyAs(
  services: LegacyServices,
  { category, read }: LegacyPurchases,
  request: FastifyRequest,
  watch: Watch,
): Promise<Bought> {
  const catalogue = await services.catalogue.current().catch(refuseWhenAway);
  const principal = principalOf(request);
  const { ident } = request.body as { ident?: string | number };
  const requested = read(request.body as never, { catalogue, legacy: principal.legacy });
  const expected = { requested, expectedPrice: null, verificationId: null, sent: nothingSent };
  const command = { principal, channel: "legacy", category, ...watch } as const;
  const reference = identOf(ident);
  const buying =
    reference === null
      ? services.buyUnnamed({ ...command, request: expected })
      : services.buy({ ...command, request: { ...expected, reference } });
  return buying.catch((error: unknown) => {
    countMismatch(services.metrics, requested, error);
    throw error;
  });
}

export const legacyPurchaseMetrics: readonly Metric[] = [
  {
    name: "dispense_legacy_prefix_refusals_total",
    kind: "counter",
    labels: ["network", "prefix"],
    help: "Airtime that older clients asked for on one network, for a number whose prefix belongs to another.",
  },
];

/** Many of them from one merchant mean that its clients number networks in another way. */
function countMismatch(metrics: Metrics, { selector }: PurchaseIntent, error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== "NETWORK_MISMATCH" || selector.by !== "network") return;
  const prefix = String(error.detail.meta?.network);
  metrics.count("dispense_legacy_prefix_refusals_total", { network: selector.network, prefix });
}

/** The purchase that the path names, whichever door it came by: a replay answers what others bought, too. */
async function findOf(services: LegacyServices, request: FastifyRequest): Promise<Sold | null> {
  const { id } = request.params as { id: string };
  if (!/^[1-9][0-9]{0,17}$/.test(id)) return null;
  const purchase = await findNumberedPurchase(services.database, walletOf(request), BigInt(id));
  if (purchase === null) return null;
  return { purchase, soldProduct: soldProductOf(await services.catalogue.current(), purchase) };
}
