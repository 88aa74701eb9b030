import { type Static, Type } from "typebox";
import { categorySlugs } from "../../categories/category-slugs.ts";
import { ifSent, networkOf, phoneField, phoneOf } from "../../categories/fields.ts";
import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import { listPage } from "../../domain/history/lists/list.ts";
import type { PurchaseFilter } from "../../domain/history/lists/list-queries.ts";
import { findNamed } from "../../domain/purchases/find.ts";
import { channels, type Purchase, purchaseStatuses, soldProductOf } from "../../domain/purchases/purchase.ts";
import { purchaseJson, purchaseSummaryJson } from "../../domain/purchases/transaction-object.ts";
import type { WallTime } from "../../kernel/clock.ts";
import {
  firstPurchaseIdAt,
  type PurchaseId,
  parseStoredReference,
  type TransactionIds,
  type WalletKey,
} from "../../kernel/ids.ts";
import type { JsonText } from "../../kernel/json.ts";
import { readNumber } from "../../kernel/phone.ts";
import { refuse } from "../../kernel/problems.ts";
import { forReaders } from "../../platform/database/database.ts";
import { operation } from "../openapi/operation.ts";
import { sendJson, setAnsweredPurchase, setRetryAfter, walletOf } from "../request-context.ts";
import { pageMetaSchema, pathParameter } from "../schemas/schemas.ts";
import { anyTransactionSchema, listedTransactionSchema } from "../schemas/transaction-schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";
import { choiceFilter, dateFilters, instantFilter, pageFilters, pageOf, textFilter } from "./list-filters.ts";

const listQuery = Type.Object({
  status: choiceFilter(purchaseStatuses, "INVALID_STATUS"),
  category: choiceFilter(categorySlugs, "INVALID_CATEGORY"),
  biller_slug: textFilter("The biller's slug.", "mtn-data"),
  network: textFilter("MTN, GLO, 9MOBILE or AIRTEL, in any case.", "MTN"),
  phone: Type.Optional(phoneField),
  customer_ref: textFilter("The number that was bought for; a phone in any spelling.", "08031234567"),
  reference: textFilter("Your reference, exactly.", "order-data-1"),
  transaction_id: textFilter("Our name for it, exactly.", "SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"),
  bulk_reference: textFilter("The lines of one bulk order.", "order-bulk-1"),
  channel: choiceFilter(channels, "VALIDATION_ERROR"),
  ...dateFilters,
  ...pageFilters,
});

type ListQuery = Static<typeof listQuery>;

const listAnswer = Type.Object(
  {
    transactions: Type.Array(listedTransactionSchema, { maxItems: 100 }),
    meta: pageMetaSchema,
  },
  { "x-component": "TransactionList" },
);

const listSchema = operation({
  id: "listTransactions",
  tag: "Transactions",
  summary: "List transactions",
  description:
    "Newest first, of the key's own mode, with exact totals. What was delivered is only hinted at: the requery tells tokens and PINs. Filters that match nothing give an empty list. To go far back, narrow by `from` and `to` rather than paging deep.",
  querystring: listQuery,
  responses: { 200: listAnswer },
});

const getSchema = operation({
  id: "getTransaction",
  tag: "Transactions",
  summary: "Requery a transaction",
  description:
    "A transaction in its present state, by your reference or our `transaction_id`, with everything that was delivered. 200 whatever its status. Ask this after a timeout or a 500: if the purchase is not found, it was never accepted.",
  params: Type.Object({
    reference: pathParameter("Your reference, or our transaction_id.", "order-data-1"),
  }),
  responses: { 200: anyTransactionSchema },
  problems: ["TRANSACTION_NOT_FOUND"],
  hasRetryAfterHeader: true,
});

/** The list of transactions and the requery of one. Both only read. */
export function transactionRoutes(app: TypedServer, services: RouteServices): void {
  const { catalogue } = services;
  const database = forReaders(services.database);
  const reads = { ...services, database };

  app.get("/transactions", { schema: listSchema }, async (request, reply) => {
    const wallet = walletOf(request);
    const { query } = request;
    const products = await catalogue.current();
    const filter = filterOf(query, { ...services, wallet, products });
    const { purchases, meta } = await listPage(database, wallet, filter, pageOf(query));
    const transactions = purchases.map((purchase) =>
      purchaseSummaryJson(purchase, soldProductOf(products, purchase), services),
    );
    return sendJson(reply, `{"transactions":[${transactions}],"meta":${JSON.stringify(meta)}}`);
  });

  app.get("/transactions/:reference", { schema: getSchema }, async (request, reply) => {
    const { reference } = request.params;
    const purchase = await findNamed(reads, walletOf(request), reference);
    if (purchase === null) {
      await services.confirmAbsence();
      throw refuse("TRANSACTION_NOT_FOUND");
    }
    setAnsweredPurchase(request, purchase);
    const products = await catalogue.current();
    const nextSeconds = setRetryAfter(reply, purchase, services);
    return sendJson(reply, requeried(services, purchase, products, nextSeconds));
  });
}

/** The transaction with its history and, while it is pending, when to ask again. */
function requeried(
  services: RouteServices,
  purchase: Purchase,
  products: CatalogueSnapshot,
  nextSeconds: number | null,
): JsonText {
  const { wallTime } = services;
  const history = [{ status: "pending", at: wallTime.format(purchase.purchasedAt) }];
  if (purchase.completedAt !== null) {
    history.push({ status: purchase.status, at: wallTime.format(purchase.completedAt) });
  }
  const next = nextSeconds === null ? {} : { next_check_after: nextSeconds };
  return purchaseJson(purchase, soldProductOf(products, purchase), services, { status_history: history, ...next });
}

interface FilterContext {
  readonly wallet: WalletKey;
  readonly products: CatalogueSnapshot;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
}

/** @throws Refusal INVALID_DATE, VALIDATION_ERROR on network */
function filterOf(query: ListQuery, context: FilterContext): PurchaseFilter {
  const { products, wallTime } = context;
  const from = instantFilter("from", query.from, wallTime);
  const to = instantFilter("to", query.to, wallTime);
  return {
    status: query.status ?? null,
    productIds: productFilter(query, products),
    phone: ifSent(query.phone, phoneOf),
    customerRef: ifSent(query.customer_ref, readNumber),
    sought: null,
    amount: null,
    reference: ifSent(query.reference, parseStoredReference),
    id: idFilter(query, context),
    channel: query.channel ?? null,
    bulkReference: query.bulk_reference ?? null,
    fromId: from === null ? null : firstPurchaseIdAt(from),
    beforeId: to === null ? null : firstPurchaseIdAt(to),
  };
}

/** No purchase has this id. */
const nobodysId = 0n as PurchaseId;

/** A text that can be no purchase's id or reference finds no purchase, rather than all. */
function idFilter({ reference, transaction_id: name }: ListQuery, context: FilterContext): PurchaseFilter["id"] {
  if (reference !== undefined && parseStoredReference(reference) === null) return nobodysId;
  return name === undefined ? null : (context.transactionIds.parse(name, context.wallet.mode) ?? nobodysId);
}

/** Category, biller and network are facts of the product, so they become a list of products. */
function productFilter(query: ListQuery, catalogue: CatalogueSnapshot): number[] | null {
  const { category, biller_slug: slug } = query;
  const network = ifSent(query.network, networkOf);
  if (category === undefined && slug === undefined && network === null) return null;
  return catalogue.products
    .filter(
      ({ biller }) =>
        (category === undefined || biller.category === category) &&
        (slug === undefined || biller.slug === slug) &&
        (network === null || biller.network === network),
    )
    .map((product) => product.id);
}
