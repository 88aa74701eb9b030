import type { MerchantId } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/json.ts";
import { add, formatNaira, groupedNaira, zeroKobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { inOneTransaction } from "../../../platform/database/joined-database.ts";
import { formatMerchantId, parseMerchantId } from "../../merchants/merchant.ts";
import { type Actor, actorName, nameKey } from "../../staff/actor.ts";
import { askForChange, type RequestResult } from "../../staff/ask-change.ts";
import type { Asking, CarriedOut, Request } from "../../staff/change-kinds.ts";
import { findChangeAbout } from "../../staff/change-subject-queries.ts";
import { findCreditOf, lockBankReference, sumBookedAlone, type WalletCredit } from "../../wallet/credit-queries.ts";
import { bookCredit, type CreditServices, needsApproval, subjectOfReference } from "../../wallet/credits.ts";
import { lockWallets } from "../../wallet/queries.ts";
import {
  type AnnouncedTransfer,
  listMerchantsOf,
  lockAnnouncements,
  updateAnnouncementMatched,
} from "./announcement-queries.ts";
import { findLineOfCredit, type KeptLine, lockStatementLines, updateLineCredited } from "./line-queries.ts";

/** A line of a statement, and whose it is as a person says. */
export interface ChosenLine {
  readonly number: number;
  readonly merchantId: MerchantId;
  /** What its merchant said it sent; null where it said nothing. */
  readonly announcement: number | null;
}

/** All of them are credited in one transaction, which holds their wallets. */
export const chosenMax = 200;

export type LinesCredited =
  | { readonly kind: "booked"; readonly outcome: string }
  /** It is more than one person may book alone: it waits for a second one, or is done as there is none. */
  | { readonly kind: "requested"; readonly result: RequestResult };

/** As a change keeps one. */
export interface FrozenLine {
  readonly line: number;
  readonly paid_on: string;
  readonly amount: string;
  readonly merchant: string;
  readonly reference: string;
  readonly narration: string;
  readonly announcement: number | null;
}

/** Lines that more than one person may book, credited together. */
export const creditingLines: CarriedOut = {
  rules: { kind: "credit bank transfers", ask: ["admin", "finance"], approve: ["admin", "finance"] },
  async readFacts(db, { merchants }) {
    const ids = (merchants as readonly string[]).flatMap((id) => parseMerchantId(id) ?? []);
    const known = await listMerchantsOf(db, ids);
    const suspended = [...known.values()].filter(({ status }) => status !== "active").map(({ name }) => name);
    return { Merchants: String(known.size), Suspended: suspended.toSorted().join(", ") || "none" };
  },
  carryOut: (database, asking, approvedBy) =>
    database.transaction(async (tx) => {
      const { open, left } = await lockChosen(tx, chosenIn(asking));
      const done = await creditAll(tx, open, { requestedBy: asking.requestedBy, approvedBy });
      return outcomeOf({ ...done, left: left.length + done.taken.length });
    }),
};

/**
 * Credits lines to merchants' live wallets, each once and under its bank reference; where that is, with what the person booked
 * alone in the last 24 hours, more than one person may book alone, it asks for it. Locks the lines, then announcements, bank
 * references, the person's sum and the wallets, each in its order. Safe to repeat: a line that was credited is refused.
 * @throws Refusal VALIDATION_ERROR, and nothing is credited, where one of them is no longer open
 */
export function creditLines(
  services: CreditServices,
  by: Actor,
  chosen: readonly ChosenLine[],
): Promise<LinesCredited> {
  return inOneTransaction(services.database, async (tx, joined): Promise<LinesCredited> => {
    const { open, left } = await lockChosen(tx, chosen);
    const [gone] = left;
    if (gone !== undefined) throw nothingDone(`Line ${gone.number} ${gone.because}`);
    const subjects = open.map(({ line }) => subjectOfReference(line.bankReference));
    if (new Set(subjects).size < subjects.length) throw nothingDone("Two lines have the same bank reference");
    const request = await findChangeAbout(tx, subjects, services.clock.now());
    if (request !== null) throw nothingDone(`Request ${request.id} is about one of these lines already`);
    for (const subject of open.map(({ line }) => line.bankReference).toSorted()) await lockBankReference(tx, subject);
    const requestedBy = actorName(by);
    const total = totalOf(open.map(({ line }) => line));
    if (needsApproval(add(await sumBookedAlone(tx, nameKey(requestedBy)), total), services.creditAloneMax)) {
      const asking = { ...(await services.openChanges()), database: joined };
      return { kind: "requested", result: await askForChange(asking, by, creditingLines, requestOf(open, subjects)) };
    }
    const done = await creditAll(tx, open, { requestedBy, approvedBy: null });
    const [taken] = done.taken;
    if (taken !== undefined) throw nothingDone(`Line ${taken.line.number} has the bank reference of another credit`);
    return { kind: "booked", outcome: outcomeOf({ ...done, left: 0 }) };
  });
}

function nothingDone(what: string) {
  return refuse("VALIDATION_ERROR", { message: `${what}. Nothing was credited.` });
}

/** An open line with the merchant that it is for. */
interface OpenLine {
  readonly line: KeptLine;
  readonly merchantId: MerchantId;
  readonly announcement: AnnouncedTransfer | null;
}

/** @throws Refusal for lines that no page offers */
async function lockChosen(tx: Tx, chosen: readonly ChosenLine[]) {
  const byNumber = new Map(chosen.map((one) => [one.number, one]));
  if (chosen.length === 0 || chosen.length > chosenMax || byNumber.size < chosen.length)
    throw refuse("VALIDATION_ERROR", { message: `Choose 1 to ${chosenMax} lines, each once.` });
  const lines = await lockStatementLines(tx, [...byNumber.keys()]);
  const merchants = await listMerchantsOf(
    tx,
    chosen.map(({ merchantId }) => merchantId),
  );
  const named = chosen.flatMap(({ announcement }) => announcement ?? []);
  const announcements = new Map((await lockAnnouncements(tx, named)).map((one) => [one.number, one]));
  const open: OpenLine[] = [];
  const left: { readonly number: number; readonly because: string }[] = [];
  for (const { number, merchantId, announcement: announced } of chosen) {
    const line = lines.find((one) => one.number === number);
    const announcement = announced === null ? null : (announcements.get(announced) ?? null);
    const isWaiting =
      announced === null || (announcement?.state === "waiting" && announcement.merchantId === merchantId);
    if (line === undefined) left.push({ number, because: "isn’t there" });
    else if (line.state !== "open") left.push({ number, because: "was credited or set aside meanwhile" });
    else if (!merchants.has(merchantId)) left.push({ number, because: "names a merchant that isn’t there" });
    else if (!isWaiting) left.push({ number, because: "is matched with a transfer that doesn’t wait any more" });
    else open.push({ line, merchantId, announcement });
  }
  return { open, left };
}

function totalOf(lines: readonly Pick<KeptLine, "amount">[]) {
  return lines.reduce((sum, { amount }) => add(sum, amount), zeroKobo);
}

interface Done {
  readonly credited: readonly KeptLine[];
  /** Credited by hand before, under the same reference. */
  readonly before: readonly KeptLine[];
  /** The credit of another merchant or amount has the reference. */
  readonly taken: readonly OpenLine[];
}

async function creditAll(
  tx: Tx,
  open: readonly OpenLine[],
  people: Pick<WalletCredit, "requestedBy" | "approvedBy">,
): Promise<Done> {
  const done = { credited: [] as KeptLine[], before: [] as KeptLine[], taken: [] as OpenLine[] };
  for (const reference of open.map(({ line }) => line.bankReference).toSorted()) await lockBankReference(tx, reference);
  await lockWallets(
    tx,
    open.map(({ merchantId }) => ({ merchantId, mode: "live" })),
  );
  for (const one of open) {
    const { line, merchantId, announcement } = one;
    const { number, amount, bankReference } = line;
    const first = await findCreditOf(tx, bankReference);
    const isSame = first?.merchantId === merchantId && first.amount === amount;
    if (first !== null && !(isSame && (await findLineOfCredit(tx, first.id)) === null)) {
      done.taken.push(one);
      continue;
    }
    const request = { merchantId, amount, bankReference, reason: reasonOf(one), ...people };
    const { id } = first ?? (await bookCredit(tx, request)).credit;
    // Of one that was entered by hand nothing moves now.
    await updateLineCredited(tx, { number, creditId: id, by: people.requestedBy, eventDue: first === null });
    await updateAnnouncementMatched(tx, { number, merchantId }, announcement?.number ?? null);
    (first === null ? done.credited : done.before).push(line);
  }
  return done;
}

/** Told to the merchant in its statement: who sent it, and what the bank calls it. */
function reasonOf({ line, announcement }: OpenLine): string {
  const from = announcement === null ? line.narration : `${announcement.senderName}, ${announcement.bank}`;
  return `Transfer of ${line.paidOn}: ${from.slice(0, 110)} · ${line.bankReference}`;
}

function outcomeOf({ credited, before, left }: Omit<Done, "taken"> & { readonly left: number }): string {
  const count = (lines: number) => `${lines} ${lines === 1 ? "transfer" : "transfers"}`;
  return [
    `${count(credited.length)} credited, ₦${groupedNaira(totalOf(credited))} in all.`,
    ...(before.length === 0 ? [] : [`${count(before.length)} had been credited by hand before.`]),
    ...(left === 0 ? [] : [`${count(left)} changed meanwhile and stayed as they are.`]),
  ].join(" ");
}

function requestOf(open: readonly OpenLine[], subjects: readonly string[]): Request {
  const total = totalOf(open.map(({ line }) => line));
  const merchants = [...new Set(open.map(({ merchantId }) => formatMerchantId(merchantId)))];
  const [merchant, ...others] = merchants;
  const lines = open.map(({ line, merchantId, announcement }): FrozenLine => {
    const { number, paidOn: paid_on, amount, bankReference: reference, narration } = line;
    const frozen = { line: number, paid_on, amount: formatNaira(amount), merchant: formatMerchantId(merchantId) };
    return { ...frozen, reference, narration, announcement: announcement?.number ?? null };
  });
  return {
    summary: `Credit ${open.length} bank ${open.length === 1 ? "transfer" : "transfers"}, ₦${groupedNaira(total)} in all`,
    fields: {
      ...(others.length === 0 && merchant !== undefined ? { merchant } : {}),
      ...{ transfers: open.length, total: formatNaira(total), merchants },
    },
    lines: lines as unknown as Json,
    subjects,
  };
}

function chosenIn({ lines }: Asking): readonly ChosenLine[] {
  return (lines as unknown as readonly FrozenLine[]).map(({ line, merchant, announcement }) => {
    return { number: line, merchantId: parseMerchantId(merchant) ?? (0 as MerchantId), announcement };
  });
}
