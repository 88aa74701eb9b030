import { dayMs } from "../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { PaymentConnector, RefundsAnswer } from "../../providers/payments/contract.ts";
import { updateRefundedPayments, updateUnlistedPayments } from "./comparison-queries.ts";
import { insertListedPayments } from "./payment-question-queries.ts";
import { claimPaymentList, type ListRange, updatePaymentsListedTo } from "./provider-queries.ts";
import type { OpenedProvider, ProviderOf } from "./providers.ts";

/** Lost events are found within so many seconds. */
const everySeconds = 300;
/** After a list that failed. */
const againSeconds = 60;
/** A provider may list a transfer late. */
const overlapSeconds = 3_600;
/** A usual page takes a tenth of a second. Where the lease ends before, two processes read the same, which does no harm. */
const leaseSeconds = 1_800;
/** Of ten or a hundred transfers each: a day and an hour of so many have to fit. */
const pagesMax = 10_000;
/** After a time in which nobody read, the list is read day by day. */
const sliceSeconds = 86_400;
/** What was paid just before may not be listed yet. */
const settledMs = 3_600_000;

interface ListServices {
  readonly database: Queryable;
  readonly providerOf: ProviderOf;
  readonly log: Logger;
}

/**
 * Reads the list of the next provider whose turn it is, and keeps what no event told of, to be verified like what an event
 * tells; once a day, has it asked again about what we booked and it does not list, and about what it refunded and we did
 * not. Safe to repeat. @returns whether one was due
 */
export async function listNextPayments(services: ListServices): Promise<boolean> {
  const { database, providerOf, log } = services;
  const range = await claimPaymentList(database, { leaseSeconds, overlapSeconds, sliceSeconds });
  if (range === null) return false;
  const provider = await providerOf(range.provider);
  const read = provider === null ? unusable : await readList(database, provider, range);
  if (read.found > 0) log.warn({ event: "payment.events_missed", provider: range.provider, payments: read.found });
  if (read.failure !== null) {
    log.warn({ event: "payment.list_failed", provider: range.provider, error: read.failure });
    await updatePaymentsListedTo(database, { ...range, to: range.from, isComparison: false }, againSeconds);
    return true;
  }
  if (range.isComparison) {
    const time = { provider: range.provider, from: range.from, before: range.to - settledMs };
    const payments = await updateUnlistedPayments(database, time, read.listed);
    if (payments > 0) log.warn({ event: "payment.not_listed", provider: range.provider, payments });
    if (provider !== null) await askAboutRefunds(services, provider, range);
  }
  await updatePaymentsListedTo(database, range, range.isLast ? everySeconds : 0);
  return true;
}

interface ReadList {
  /** So many of it nobody had told of. */
  readonly found: number;
  readonly listed: readonly string[];
  /** Null where it was read whole. */
  readonly failure: string | null;
}

const unusable: ReadList = { found: 0, listed: [], failure: "its settings can't be used" };

async function readList(
  database: Queryable,
  { connector }: OpenedProvider,
  { provider, from, to }: ListRange,
): Promise<ReadList> {
  const listed: string[] = [];
  let found = 0;
  let page: number | null = 1;
  while (page !== null) {
    if (page > pagesMax) return { found, listed, failure: `it has more than ${pagesMax} pages` };
    const answer = await connector.list({ from, to, page });
    if (answer.kind === "failed") return { found, listed, failure: answer.evidence };
    listed.push(...answer.paymentIds);
    found += await insertListedPayments(database, provider, answer.paymentIds);
    page = answer.nextPage;
  }
  return { found, listed, failure: null };
}

/** Some refunds take weeks from the request, by which lists go. */
const refundDays = 30;

/** Has a provider asked again about payments of which it lists more refunds than were taken back here. */
async function askAboutRefunds(
  { database, log }: ListServices,
  { connector }: OpenedProvider,
  { provider, to }: ListRange,
): Promise<void> {
  const { sums, failure } = await sumRefunds(connector, { from: to - refundDays * dayMs, to });
  // What was read of it counts all the same: the next day it is read anew.
  if (failure !== null) log.warn({ event: "payment.refunds_failed", provider, error: failure });
  const payments = await updateRefundedPayments(database, provider, sums);
  if (payments > 0) log.warn({ event: "payment.refunds_missed", provider, payments });
}

async function sumRefunds(connector: PaymentConnector, range: Pick<ListRange, "from" | "to">) {
  const sums = new Map<string, Kobo>();
  let page: number | null = 1;
  while (page !== null && connector.listRefunds !== undefined) {
    if (page > pagesMax) return { sums, failure: `it has more than ${pagesMax} pages` };
    const answer: RefundsAnswer = await connector.listRefunds({ ...range, page });
    if (answer.kind === "failed") return { sums, failure: answer.evidence };
    for (const { paymentId, amount } of answer.refunds)
      sums.set(paymentId, add(sums.get(paymentId) ?? zeroKobo, amount));
    page = answer.nextPage;
  }
  return { sums, failure: null };
}
