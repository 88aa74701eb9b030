import { assert } from "../../../kernel/assert.ts";
import { Refusal } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { auditDetails } from "../../audit/audit-log.ts";
import { insertEntry } from "../../audit/audit-queries.ts";
import type { Asking, CarriedOut, Progress } from "../../staff/change-kinds.ts";
import { type ChangeId, insertChange, takeChangeId } from "../../staff/change-queries.ts";
import { changeCatalogue, countOwnPrices, refuseTooMany } from "../changes/change.ts";
import { insertPriceChanges } from "../changes/change-queries.ts";
import { priceChangeKind } from "./price-change-queries.ts";
import { listMovedLines, type SettingChange, storePrices } from "./price-history-queries.ts";
import { type PriceLine, type StoredLine, storedLine } from "./price-lines.ts";

/** Prices that one transaction sets; a change of more is carried out in portions of so many. */
export const portionMax = 200;

/**
 * Prices that a person of the catalogue asks for and an admin agrees to. At once with the decision up to `portionMax` of
 * them; more, and those that are scheduled, in portions. A price that was changed meanwhile is left as it is.
 */
export const changingPrices: CarriedOut = {
  rules: { kind: priceChangeKind, ask: ["admin", "catalogue"], approve: ["admin"] },
  carryOut: async (database, asking) => outcomeOf(await setUnmoved(database, storedIn(asking), settingOf(asking))),
  portions: {
    isLong: ({ prices, starts_at }) => Number(prices) > portionMax || typeof starts_at === "string",
    carryOutNext: setNext,
  },
};

function storedIn({ lines }: Asking): readonly StoredLine[] {
  return lines as unknown as readonly StoredLine[];
}

function settingOf({ id, fields: { reason, made_by } }: Asking): SettingChange {
  assert(id !== undefined, "a change of prices has its number");
  return { id, madeBy: typeof made_by === "string" ? made_by : null, reason: String(reason) };
}

async function setNext(database: Database, asking: Asking, before: Progress | null) {
  const [lines, setting] = [storedIn(asking), settingOf(asking)];
  const { set = 0, changed = 0, refused = 0 } = before?.counts ?? {};
  const from = before?.done ?? 0;
  const part = lines.slice(from, from + portionMax);
  const now = await setUnmoved(database, part, setting);
  const counts = { set: set + now.set, changed: changed + now.changed, refused: refused + now.refused };
  const progress = { done: from + part.length, all: lines.length, counts };
  if (progress.done < lines.length) return { progress, outcome: null };
  const details = auditDetails({ price_change: setting.id, prices: lines.length, ...counts });
  const entry = { who: setting.madeBy ?? "service", command: "console prices carry-out", details };
  await database.transaction((tx) => insertEntry(tx, entry));
  return { progress, outcome: outcomeOf(counts) };
}

/** What became of prices: those that were changed meanwhile, and those that can't be set any more, stay as they are. */
interface Counts {
  readonly set: number;
  readonly changed: number;
  readonly refused: number;
}

async function setUnmoved(database: Database, lines: readonly StoredLine[], setting: SettingChange): Promise<Counts> {
  try {
    return await changeCatalogue(database, async (tx) => {
      const moved = new Set(await listMovedLines(tx, lines));
      const unmoved = lines.filter((_, at) => !moved.has(at));
      if (unmoved.length > 0) await setPrices(tx, unmoved, setting);
      return { set: unmoved.length, changed: moved.size, refused: 0 };
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (lines.length === 1) return { set: 0, changed: 0, refused: 1 };
  }
  // One of them can't be set any more: it keeps none of the others from being set.
  const counts = { set: 0, changed: 0, refused: 0 };
  for (const line of lines) {
    const one = await setUnmoved(database, [line], setting);
    for (const each of ["set", "changed", "refused"] as const) counts[each] += one[each];
  }
  return counts;
}

export const underWay = "The new prices are being set. This page shows how far it is.";
export const inForce = "The new prices are in force. Merchants get catalogue.updated.";

function outcomeOf({ set, changed, refused }: Counts): string {
  return [
    set === 0 ? "No price was set." : inForce,
    ...(changed === 0
      ? []
      : [`${countOf(changed)} changed meanwhile and stayed as ${changed === 1 ? "it is" : "they are"}.`]),
    ...(refused === 0 ? [] : [`${countOf(refused)} can’t be set any more.`]),
  ].join(" ");
}

/** `1,250 prices`. */
export function countOf(count: number): string {
  return count === 1 ? "1 price" : `${String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",")} prices`;
}

/** What all changes have in common that nobody else had to be asked for. */
export const madeAlone = {
  ...{ kind: priceChangeKind, sealed: null, facts: null },
  ...{ by: null, now: null, endsAt: null },
};

/**
 * Sets several prices in the transaction of something larger that they are a part of, and keeps them as one change. The
 * caller has raised the catalogue's revision.
 */
export async function setPricesWithin(
  tx: Tx,
  lines: readonly PriceLine[],
  change: { readonly madeBy: string | null; readonly reason: string; readonly undoes: ChangeId | null },
): Promise<ChangeId> {
  const { madeBy, reason, undoes } = change;
  const [id, stored] = [await takeChangeId(tx), lines.map(storedLine)];
  const fields = JSON.stringify({ prices: lines.length, reason, undoes, made_by: madeBy });
  const summary = `Change ${countOf(lines.length)}${reason === "" ? "" : `: ${reason}`}`;
  const kept = { ...madeAlone, id, summary, fields, lines: null, subjects: [], dueAt: null };
  await insertChange(tx, kept, { state: "done", outcome: null });
  await setPrices(tx, stored, { id, madeBy, reason });
  return id;
}

/** Sets prices, and marks them for merchants. The caller has raised the catalogue's revision. */
export async function setPrices(tx: Tx, lines: readonly StoredLine[], change: SettingChange): Promise<void> {
  const before = await countOwnPrices(tx);
  await storePrices(tx, lines, change);
  await insertPriceChanges(tx, lines);
  await refuseTooMany(tx, before);
}
