import { readTransactionIds } from "../../src/domain/purchases/deployment/deployment-numbers.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import type { MerchantId, PurchaseId } from "../../src/kernel/ids.ts";
import { formatNaira, type Kobo, kobo } from "../../src/kernel/money.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { describeRow } from "../base/database.ts";
import { type Answers, type Listed, listAll } from "./answers.ts";
import { readSink, readSuppliers, type SinkTruth, type SupplierTruth, sinkKey } from "./book.ts";
import type { Ground } from "./ground.ts";
import type { Merchant } from "./merchants.ts";

/** One thing that must hold, and what breaks it. */
export interface Check {
  readonly promise: string;
  readonly broken: readonly string[];
}

/** A purchase as our database has it. */
export interface StoredPurchase {
  readonly id: PurchaseId;
  readonly transactionId: string;
  readonly merchantId: MerchantId;
  readonly reference: string;
  readonly status: "pending" | "successful" | "failed";
  readonly total: Kobo;
  readonly unitAmount: Kobo;
  readonly quantity: number;
  readonly faceAmount: Kobo;
  /** `value`: of one gift card, in its own currency. */
  readonly details: { readonly value?: string | null } | null;
  readonly number: string | null;
  readonly category: string;
}

const listPurchases = {
  name: "list_torture_purchases",
  text: `
    select p.id, p.wallet_id as "merchantId", p.reference, p.status, p.total, p.unit_amount as "unitAmount",
           p.face_amount as "faceAmount", p.quantity, p.details, p.customer_ref as "number", b.category
      from purchases p
      join products g on g.id = p.product_id
      join billers b on b.slug = g.biller_slug
     where p.wallet_id > 0`,
  secondsMax: 600,
};

const findMoved = {
  name: "find_torture_moved",
  text: `
    select coalesce(sum(amount) filter (where kind = 'purchase'), 0)::bigint as debits,
           coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunds
      from ledger_entries
     where wallet_id > 0`,
  secondsMax: 600,
};

/** By the keyed hashes of their ends: the storm's PINs differ in those. */
const listSharedCodes = {
  name: "list_torture_shared_codes",
  text: `
    select p.fulfilment ->> 'ends' as ends, string_agg(p.reference, ', ') as "references"
      from purchases p
     where p.wallet_id > 0 and p.fulfilment ->> 'ends' is not null
     group by 1
    having count(*) > 1`,
  secondsMax: 600,
};

export interface Verdict {
  readonly purchases: number;
  readonly checks: readonly Check[];
}

export interface Judged {
  readonly ground: Ground;
  readonly merchants: readonly Merchant[];
  readonly answers: Answers;
}

/** Compares everything with everything. Minutes at some hundred thousand purchases. */
export async function judge({ ground, merchants, answers }: Judged): Promise<Verdict> {
  const { database } = ground.postgres;
  const purchases = await readPurchases(database);
  const truth = await readSuppliers(ground.suppliers.map(({ book }) => book));
  const moved = (await database.query<{ debits: bigint; refunds: bigint }>(findMoved))[0];
  const ofSuppliers = supplierChecks(purchases, truth, moved ?? { debits: 0n, refunds: 0n });
  const ofOurs = await ownChecks(purchases, { ground, merchants, answers });
  const shared = await database.query<{ references: string }>(listSharedCodes);
  const oneSales = {
    promise: "no PIN was handed to two sales",
    broken: shared.map(({ references }) => `${references} have one PIN`),
  };
  return { purchases: purchases.size, checks: [...ofSuppliers, oneSales, ...ofOurs] };
}

/** What is compared whoever sold: the ledger, what merchants were told by answers, lists and webhooks, and refused writes. */
export async function ownChecks(
  purchases: ReadonlyMap<string, StoredPurchase>,
  { ground, merchants, answers }: Judged,
): Promise<Check[]> {
  const sink = await readSink(ground.sinkBook);
  const listed = await listAll(ground, merchants);
  const ledger = await checkLedger(ground.postgres.database);
  return [
    ...ledger.map(({ invariant, broken }) => ({ promise: `invariant ${invariant}`, broken: broken.map(describeRow) })),
    ...answerChecks(purchases, answers, listed),
    ...webhookChecks(purchases, { merchants, sink, answers }),
    {
      promise: "no write ran into a rule of the database: what comes before it had to keep it",
      broken: await ground.postgres.complaints(/ERROR:.*violates/),
    },
  ];
}

export async function readPurchases(database: Database): Promise<Map<string, StoredPurchase>> {
  const transactionIds = await readTransactionIds(database);
  const rows = await database.query<Omit<StoredPurchase, "transactionId">>(listPurchases);
  return new Map(
    rows.map((row) => {
      const transactionId = transactionIds.format(row.id, "live");
      return [transactionId, { ...row, transactionId }];
    }),
  );
}

/** The suppliers' books against ours. */
export function supplierChecks(
  purchases: ReadonlyMap<string, StoredPurchase>,
  { deeds, vendedTwice }: SupplierTruth,
  moved: { readonly debits: bigint; readonly refunds: bigint },
): Check[] {
  const all = [...purchases.values()];
  const vendsOf = ({ transactionId }: StoredPurchase) => deeds.get(transactionId)?.vends ?? 0;
  const complain = (each: StoredPurchase) =>
    `${each.transactionId} (${each.reference}) is ${each.status}, vended ${vendsOf(each)} times`;
  const wrong = (status: string, vends: number) =>
    all.filter((each) => each.status === status && vendsOf(each) !== vends).map(complain);
  const kept = all
    .filter((each) => each.status === "pending" || vendsOf(each) > 0)
    .reduce((sum, { total }) => sum + total, 0n);
  const netted = moved.debits - moved.refunds;
  return [
    { promise: "no supplier reference was vended twice", broken: vendedTwice },
    { promise: "a successful purchase was vended exactly once", broken: wrong("successful", 1) },
    { promise: "a failed purchase was never vended", broken: wrong("failed", 0) },
    {
      promise: "nothing is pending any more",
      broken: all.filter(({ status }) => status === "pending").map(complain),
    },
    {
      promise: "nothing was vended that is not in our books, or for another number or amount",
      broken: [...deeds].flatMap(([id, deed]) => {
        const ours = purchases.get(id);
        if (ours === undefined) return [`${id} is unknown to us, and was vended ${deed.vends} times`];
        const isOther =
          ours.number !== deed.number || (deed.amount !== null && deed.amount !== formatNaira(ours.unitAmount));
        return isOther ? [`${id} was vended for ${deed.number}, ${deed.amount}`] : [];
      }),
    },
    {
      promise: "debits less refunds are the value vended and pending",
      broken: netted === kept ? [] : [`${formatNaira(kobo(netted))} and ${formatNaira(kobo(kept))}`],
    },
  ];
}

/** What merchants were told against what is. */
export function answerChecks(
  purchases: ReadonlyMap<string, StoredPurchase>,
  answers: Answers,
  listed: ReadonlyMap<string, Listed>,
): Check[] {
  const missing: string[] = [];
  for (const { merchantId, reference, reply } of answers.purchases()) {
    const present = listed.get(reply.transaction_id);
    if (present?.reference !== reference)
      missing.push(`${reference} (${reply.transaction_id}) of merchant ${merchantId}`);
    else answers.receive(merchantId, reference, present, "the list");
  }
  const byReference = new Set([...purchases.values()].map(({ merchantId, reference }) => `${merchantId} ${reference}`));
  const lines: string[] = [];
  for (const order of answers.orders()) {
    const lost = order.lines.filter((line) => !byReference.has(`${order.merchantId} ${line}`));
    if (lost.length > 0) lines.push(`bulk order ${order.reference} lacks ${lost.join(", ")}`);
  }
  const refused = [...answers.refused()].filter((each) => byReference.has(`${each.merchantId} ${each.reference}`));
  return [
    { promise: "every acknowledged purchase is still there", broken: missing },
    { promise: "every line of an acknowledged bulk order is there", broken: lines },
    {
      promise: "what was refused was not bought",
      broken: refused.map(({ reference, because }) => `${reference}: ${because}`),
    },
    {
      promise: "the pages of all lists together tell each purchase once",
      broken: [...purchases.keys()]
        .filter((id) => listed.get(id)?.times !== 1)
        .map((id) => `${id} is listed ${listed.get(id)?.times ?? 0} times`),
    },
    { promise: "no answer contradicts another one", broken: answers.violations },
  ];
}

/** Each end and each order was told once to each endpoint. */
export function webhookChecks(
  purchases: ReadonlyMap<string, StoredPurchase>,
  known: {
    readonly merchants: readonly Merchant[];
    readonly sink: SinkTruth;
    readonly answers: Pick<Answers, "orders">;
  },
): Check[] {
  const endpointsOf = new Map(known.merchants.map(({ id, endpoints }) => [id, endpoints]));
  const unreported: string[] = [];
  const expect = (merchantId: MerchantId, event: string, subject: string) => {
    for (const endpoint of endpointsOf.get(merchantId) ?? []) {
      const times = known.sink.get(sinkKey(endpoint, event, subject))?.size ?? 0;
      if (times !== 1) unreported.push(`${endpoint} was told of ${event} of ${subject} in ${times} deliveries`);
    }
  };
  for (const { merchantId, transactionId, status } of purchases.values()) {
    if (status !== "pending") expect(merchantId, `transaction.${status}`, transactionId);
  }
  for (const { merchantId, reply } of known.answers.orders()) expect(merchantId, "bulk.completed", reply.bulk_id);
  const untrue = [...known.sink.keys()].filter((key) => {
    const [, event = "", subject = ""] = key.split(" ");
    return event.startsWith("transaction.") && `transaction.${purchases.get(subject)?.status}` !== event;
  });
  return [
    { promise: "each endpoint was told of each end once", broken: unreported },
    { promise: "no endpoint was told of an end that is none", broken: untrue },
  ];
}
