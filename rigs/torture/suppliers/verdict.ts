import { writeFile } from "node:fs/promises";
import path from "node:path";
import { formatNaira, type Kobo, kobo } from "../../../src/kernel/money.ts";
import { type Check, type Judged, ownChecks, readPurchases, type StoredPurchase } from "../verdict.ts";
import type { Operator } from "./operator.ts";
import type { Stand } from "./stands.ts";
import { type Deed, readDeeds, type StoredAttempt } from "./truth.ts";

export interface SupplierVerdict {
  readonly purchases: number;
  /** How many ended how, by category. */
  readonly byCategory: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** How much went out of each supplier. */
  readonly bySupplier: ReadonlyMap<string, number>;
  /** How many of which kind, with their supplier. */
  readonly incidents: ReadonlyMap<string, number>;
  readonly checks: readonly Check[];
}

interface SuppliersJudged extends Judged {
  readonly stands: readonly Stand[];
  readonly operator: Pick<Operator, "byHand">;
}

const listAttempts = {
  name: "list_torture_attempts",
  text: `
    select purchase_id as id, supplier, supplier_reference as "supplierReference", supplier_code as "supplierCode",
           verdict
      from vend_attempts
     where wallet_id > 0`,
  secondsMax: 600,
};

const listGivenBack = {
  name: "list_torture_given_back",
  text: `
    select purchase_id as id, kind, amount
      from ledger_entries
     where wallet_id > 0
       and kind in ('refund', 'reversal')`,
  secondsMax: 600,
};

const listIncidents = {
  name: "list_torture_incidents",
  text: "select kind, supplier, purchase_id::text as id, source, evidence from purchase_incidents order by at",
};

interface Incident {
  readonly kind: string;
  readonly supplier: string;
}

interface GivenBack {
  readonly id: bigint;
  readonly kind: "refund" | "reversal";
  readonly amount: Kobo;
}

/** Compares every supplier's book with ours, and ours with what merchants were told. */
export async function judgeSuppliers({ stands, operator, ...judged }: SuppliersJudged): Promise<SupplierVerdict> {
  const { ground } = judged;
  const { database } = ground.postgres;
  const purchases = await readPurchases(database);
  const attempts = await database.query<StoredAttempt>(listAttempts);
  const deeds = await readDeeds(database, { purchases, attempts, stands, byHand: operator.byHand });
  const givenBack = await database.query<GivenBack>(listGivenBack);
  const incidents = await database.query<Incident>(listIncidents);
  await writeFile(path.join(ground.folder, "incidents.book"), incidents.map((each) => JSON.stringify(each)).join("\n"));
  return {
    purchases: purchases.size,
    byCategory: countByCategory([...purchases.values()]),
    bySupplier: countOf(deeds.map(({ supplier }) => supplier)),
    incidents: countOf(incidents.map(({ kind, supplier }) => `${kind} of ${supplier}`)),
    checks: [
      ...bookChecks({ purchases: [...purchases.values()], attempts, deeds, givenBack }),
      { promise: "nothing was sent twice under one reference", broken: stands.flatMap(sentTwice) },
      ...(await ownChecks(purchases, judged)),
    ],
  };
}

/** The suppliers' books against ours. */
export function bookChecks(books: {
  readonly purchases: readonly StoredPurchase[];
  readonly attempts: readonly StoredAttempt[];
  readonly deeds: readonly Deed[];
  readonly givenBack: readonly GivenBack[];
}): Check[] {
  const { purchases, attempts, deeds, givenBack } = books;
  const deedsOf = groupBy(deeds, ({ purchase }) => purchase?.transactionId ?? "");
  const attemptsOf = groupBy(attempts, ({ id }) => String(id));
  const backOf = groupBy(givenBack, ({ id }) => String(id));
  const judged = purchases.map((purchase) => {
    const ours = deedsOf.get(purchase.transactionId) ?? [];
    const vended = (attemptsOf.get(String(purchase.id)) ?? []).filter(({ verdict }) => verdict === "vended");
    // What was taken back before we knew that it had gone out is as if it never had.
    const out = ours.filter((deed) => !deed.isReversed || deed.attempt?.verdict === "vended");
    return { purchase, ours, out, vended, back: backOf.get(String(purchase.id)) ?? [] };
  });
  const broken = (isBroken: (each: (typeof judged)[number]) => boolean) => judged.filter(isBroken).map(describe);
  const is = (status: string) => (each: (typeof judged)[number]) => each.purchase.status === status;
  const kept = judged.filter((each) => each.out.some(({ isReversed }) => !isReversed) || is("pending")(each));
  const value = kept.reduce((sum, { purchase }) => sum + purchase.total, 0n);
  const returned = givenBack.reduce((sum, { amount }) => sum + amount, 0n);
  const net = purchases.reduce((sum, { total }) => sum + total, 0n) - returned;
  const nobody = deeds.filter(({ purchase, attempt }) => purchase === null || attempt === null);
  return [
    { promise: "nothing is pending any more", broken: broken(is("pending")) },
    {
      promise: "a successful purchase went out exactly once, from the supplier that our attempt names",
      broken: broken((each) => is("successful")(each) && !(each.out.length === 1 && isNamed(each))),
    },
    {
      promise: "a failed purchase never went out, whichever attempt it was",
      broken: broken((each) => is("failed")(each) && each.out.length > 0),
    },
    {
      promise: "everything that went out is an attempt of ours",
      broken: nobody.map(
        ({ supplier, name, purchase }) => `${supplier}: ${name} (${purchase?.reference ?? "nobody's"})`,
      ),
    },
    {
      promise: "suppliers were asked for what was bought: number, code, count and amount, to the kobo or cent",
      broken: deeds.flatMap(({ supplier, name, fault }) => (fault === null ? [] : [`${supplier}: ${name}: ${fault}`])),
    },
    {
      promise: "exactly the failed purchases were refunded, whole",
      broken: broken(({ purchase, back }) => !isGivenBack(purchase, back, "refund", purchase.status === "failed")),
    },
    {
      promise: "exactly what suppliers took back after a success was booked back, whole",
      broken: broken(({ purchase, back, out }) => {
        const isReversed = purchase.status === "successful" && out.some((deed) => deed.isReversed);
        return !isGivenBack(purchase, back, "reversal", isReversed);
      }),
    },
    {
      promise: "what merchants paid, less what they got back, is what suppliers vended and did not take back",
      broken: net === value ? [] : [`${formatNaira(kobo(net))} and ${formatNaira(kobo(value))}`],
    },
  ];
}

function isNamed({
  out,
  vended,
}: {
  readonly out: readonly Deed[];
  readonly vended: readonly StoredAttempt[];
}): boolean {
  return vended.length === 1 && out[0]?.attempt?.supplierReference === vended[0]?.supplierReference;
}

function isGivenBack(
  { total }: StoredPurchase,
  entries: readonly GivenBack[],
  kind: GivenBack["kind"],
  isExpected: boolean,
): boolean {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  return isExpected ? ofKind.length === 1 && ofKind[0]?.amount === total : ofKind.length === 0;
}

function describe(judged: {
  readonly purchase: StoredPurchase;
  readonly ours: readonly Deed[];
  readonly vended: readonly StoredAttempt[];
  readonly back: readonly GivenBack[];
}): string {
  const { purchase, ours, vended, back } = judged;
  const out = ours.map(({ supplier, name, isReversed }) => `${supplier} ${name}${isReversed ? ", taken back" : ""}`);
  const named = vended.map(({ supplier, supplierReference }) => `${supplier} ${supplierReference}`);
  return [
    `${purchase.transactionId} (${purchase.reference}, ${purchase.category}) is ${purchase.status}`,
    `went out: ${out.join("; ") || "nowhere"}`,
    `our vended attempt: ${named.join("; ") || "none"}`,
    `given back: ${back.map(({ kind, amount }) => `${kind} ${formatNaira(amount)}`).join(", ") || "nothing"}`,
  ].join("; ");
}

/** A supplier may do again whatever it is sent again: so nothing is that it took, not even where this one would not. */
function sentTwice({ name, stub }: Stand): string[] {
  const sends = groupBy(
    stub.log.filter(({ question }) => question === "vend"),
    ({ reference }) => reference,
  );
  return [...sends].flatMap(([reference, lines]) => {
    const since = lines.slice(lines.findIndex(({ did }) => did !== "nothing"));
    return since.length > 1 ? [`${name}: ${reference} was sent ${since.length} times`] : [];
  });
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function countByCategory(purchases: readonly StoredPurchase[]): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const { category, status } of purchases) {
    const known = counts.get(category) ?? {};
    counts.set(category, known);
    known[status] = (known[status] ?? 0) + 1;
  }
  return counts;
}
