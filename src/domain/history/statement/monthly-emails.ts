import { hourMs, type Instant, type WallTime } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { monthlyStatement } from "../../identity/emails/chosen-texts.ts";
import { moneyWords, monthWords } from "../../identity/emails/email-words.ts";
import { listMerchantsDueStatement } from "../../members/email-choice-queries.ts";
import { writeOnce } from "../../members/email-choices.ts";
import { emailKinds } from "../../members/email-kinds.ts";
import { linksOf, type NoticeServices } from "../../members/notices/notices.ts";
import { findExistingMerchant } from "../../merchants/queries.ts";
import { findFlow, openStatement } from "./wallet-statement.ts";

/** The month before the one that an instant is in: its first and last day, and its instants. */
export function lastMonth(wallTime: WallTime, now: Instant) {
  const beginOf = (at: Instant) => wallTime.startOfDay(`${wallTime.dayOf(at).date.slice(0, 8)}01`) ?? at;
  const before = beginOf(now);
  const from = beginOf(before - 12 * hourMs);
  return { from, before, first: wallTime.dayOf(from).date, last: wallTime.dayOf(before - 12 * hourMs).date };
}

/**
 * Writes the statement of the month that is over to those who chose it before its end, once: the sums of the live wallet and
 * the way to each entry. Safe to repeat, and beside others that do. @returns how many teams were written to
 */
export async function writeMonthlyStatements(services: NoticeServices, limit: number): Promise<number> {
  const { database, clock, wallTime } = services;
  const month = lastMonth(wallTime, clock.now());
  const { roles } = emailKinds.monthly_statement;
  const due = { chosenBefore: month.before, month: month.first.slice(0, 7), roles, limit };
  let written = 0;
  for (const merchantId of await listMerchantsDueStatement(database, due)) {
    if (await writeStatement(services, merchantId, month)) written += 1;
  }
  return written;
}

async function writeStatement(
  services: NoticeServices,
  merchantId: MerchantId,
  { from, before, first, last }: ReturnType<typeof lastMonth>,
): Promise<boolean> {
  const { database } = services;
  const wallet = { merchantId, mode: "live" } as const;
  const range = await openStatement(database, wallet, { from, before });
  const flow = await findFlow(database, wallet, range);
  const { name: merchant } = await findExistingMerchant(database, merchantId);
  const figures: (readonly [string, string])[] = [
    ["Opening balance", moneyWords(range.openingBalance)],
    // Of too many entries the sums stand on the page alone.
    ...(flow === null ? [] : [["In", moneyWords(flow.in)] as const, ["Out", moneyWords(flow.out)] as const]),
    ["Closing balance", moneyWords(range.closingBalance)],
  ];
  const links = linksOf(services, `/live/wallet?from=${first}&to=${last}`, "Wallet");
  const about = { merchantId, kind: "monthly_statement", subject: first.slice(0, 7) } as const;
  return database.transaction((tx) =>
    writeOnce(tx, services, about, (frame) =>
      monthlyStatement(frame, { merchant, month: monthWords(first), figures, ...links }),
    ),
  );
}
