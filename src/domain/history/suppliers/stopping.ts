import type { WallTime } from "../../../kernel/clock.ts";
import type { Json } from "../../../kernel/json.ts";
import { formatHundredths, type Kobo, kobo, readAmount } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { CarriedOut, ChangeKind, Fields, Request } from "../../staff/change-kinds.ts";
import { setSupplierState } from "../../suppliers/administration.ts";
import {
  countsOf,
  type ImportPlan,
  importRoutes,
  type ListedWhole,
  readGivenList,
} from "../../suppliers/route-lists/import-list.ts";
import { passedLimit } from "../../suppliers/routing/limits.ts";
import { readStandings } from "../../suppliers/routing/route-counts.ts";
import { findSupplierNamed } from "../../suppliers/routing/route-table.ts";
import { changeSettings, type SupplierSettings } from "../../suppliers/settings.ts";
import { listSupplierDays } from "../today/risk-queries.ts";
import { dayBefore, type PresentServices, readSupplierDays, shareOfSales } from "../today/supplier-days.ts";

/** Beyond this share of the last 24 hours' sales a second person approves what stops a supplier. */
const largeShare = 1 / 3;
/** So does one who reads that more of its routes go than these. */
const removedShareMax = 1 / 10;

/** One change at a time for a supplier. */
export const ofSupplier = {
  subjects: ({ supplier }: Fields) => [`supplier ${supplier}`],
  ask: ["admin", "catalogue"],
  approve: ["admin", "catalogue"],
} satisfies Omit<ChangeKind, "kind">;

/** What stopping it rests on. */
async function readState(db: Queryable, { supplier }: Fields) {
  const present = await findSupplierNamed(db, String(supplier));
  return { State: present === null ? "gone" : present.state };
}

/** Before the first sale of 24 hours nobody knows, so a second person looks too. */
export async function servesMuch(services: PresentServices, name: string): Promise<boolean> {
  return isMuch(shareOfSales(await readSupplierDays(services), name));
}

function isMuch(share: number | null): boolean {
  return share === null || share > largeShare;
}

export const stoppingSupplier: CarriedOut = {
  rules: { kind: "stop supplier", ...ofSupplier },
  readFacts: readState,
  async carryOut(database, { fields: { supplier } }) {
    await setSupplierState(database, String(supplier), "disabled");
    return `${supplier} is stopped. It gets no new sale; we still requery sales already sent.`;
  },
};

export function stopOf(name: string): Request {
  return { summary: `Stop ${name}`, fields: { supplier: name } };
}

/** Limits that leave nothing of a day: a stop by another name. */
export const limitingSupplier: CarriedOut = {
  rules: { kind: "limit supplier", ...ofSupplier },
  async carryOut(database, { fields: { supplier, shown, cap, cap_sales, floor, alarm_below } }) {
    const amount = (text: Json | undefined) => (typeof text === "string" ? readAmount(text) : null);
    const dayPurchases = typeof cap_sales === "number" ? cap_sales : null;
    const amounts = { dayCost: amount(cap), balanceFloor: amount(floor), alarmBelow: amount(alarm_below) };
    await changeSettings(database, String(supplier), { shown: String(shown), settings: { ...amounts, dayPurchases } });
    return `${supplier} keeps to its new limits from now on.`;
  },
};

/** Settings as changes and the audit log have them. */
export function limitFields({ dayCost, dayPurchases, balanceFloor, alarmBelow }: SupplierSettings) {
  const text = (amount: bigint | null) => (amount === null ? null : formatHundredths(amount));
  const amounts = { cap: text(dayCost), floor: text(balanceFloor), alarm_below: text(alarmBelow) };
  return { ...amounts, cap_sales: dayPurchases };
}

/** What a second person is asked before limits are set which a day of a supplier that serves much passes; null: nothing. */
export async function findLimitRequest(
  services: PresentServices & { readonly wallTime: WallTime },
  name: string,
  { shown, settings }: { readonly shown: string; readonly settings: SupplierSettings },
): Promise<Request | null> {
  const standing = (await readStandings(services))(name);
  const since = dayBefore(services.clock.now());
  const days = await listSupplierDays(services.database, { counted: since, spent: since });
  const day = days.find(({ supplier }) => supplier === name);
  // After midnight too, when today is still short.
  const most = {
    balance: standing.balance,
    purchases: Math.max(standing.purchases, day === undefined ? 0 : day.vended + day.unknown),
    cost: (day !== undefined && day.spent > standing.cost ? day.spent : standing.cost) satisfies Kobo,
  };
  if (passedLimit(settings, most, kobo(1n)) === null || !isMuch(shareOfSales(days, name))) return null;
  const summary = `Limit ${name} to less than it is sent in a day`;
  return { summary, fields: { supplier: name, ...limitFields(settings), shown } };
}

/** A list that takes away more than a tenth of the routes of a supplier that serves much: a stop by another name. */
export const importingRoutes: CarriedOut = {
  rules: { kind: "import routes", ...ofSupplier },
  async carryOut(database, { fields: { supplier, whole, seen }, lines }) {
    const given = { supplier: String(supplier), text: String(lines), isWhole: whole === true };
    const { planned } = await importRoutes(database, { ...(await readGivenList(database, given)), seen: String(seen) });
    return `Imported: ${planned.length} ${planned.length === 1 ? "route" : "routes"} changed.`;
  },
};

/** What a second person is asked before a list is imported by which so many routes go; null: nothing. */
export async function findImportRequest(
  services: PresentServices,
  { supplier, isWhole }: ListedWhole & { readonly supplier: string },
  { planned, unchanged, faults, version }: ImportPlan,
  text: () => Promise<string>,
): Promise<Request | null> {
  const counts = countsOf(planned);
  const { added, removed } = counts;
  const present = planned.length - added + unchanged;
  const isStop = faults.length === 0 && removed > present * removedShareMax;
  if (!isStop || !(await servesMuch(services, supplier))) return null;
  return {
    summary: `Import a list of ${supplier} that removes ${removed} ${removed === 1 ? "route" : "routes"}`,
    fields: { supplier, ...counts, whole: isWhole, seen: version },
    lines: await text(),
  };
}
