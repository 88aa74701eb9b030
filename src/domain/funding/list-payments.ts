import type { Queryable } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { insertListedPayments } from "./payment-queries.ts";
import { claimPaymentList, type ListRange, updatePaymentsListedTo } from "./provider-queries.ts";
import type { OpenedProvider, ProviderOf } from "./providers.ts";

/** Lost events are found within so many seconds. */
const everySeconds = 300;
/** After a list that failed. */
const againSeconds = 60;
/** A provider may list a transfer late. */
const overlapSeconds = 3_600;
/** A usual page takes a second. Where the lease ends before, two processes read the same, which does no harm. */
const leaseSeconds = 1_800;
/** Of ten or a hundred transfers each. */
const pagesMax = 1_000;
/** After a time in which nobody read, the list is read day by day. */
const sliceSeconds = 86_400;

interface ListServices {
  readonly database: Queryable;
  readonly providerOf: ProviderOf;
  readonly log: Logger;
}

/**
 * Reads the list of the next provider whose turn it is, and keeps what no event told of. What is found is verified like
 * what an event tells. Safe to repeat. @returns whether one was due
 */
export async function listNextPayments(services: ListServices): Promise<boolean> {
  const { database, providerOf, log } = services;
  const range = await claimPaymentList(database, { leaseSeconds, overlapSeconds, sliceSeconds });
  if (range === null) return false;
  const provider = await providerOf(range.provider);
  const { found, failure } =
    provider === null ? { found: 0, failure: "its settings can't be used" } : await readList(database, provider, range);
  if (failure === null) await updatePaymentsListedTo(database, range, range.isLast ? everySeconds : 0);
  else {
    log.warn({ event: "payment.list_failed", provider: range.provider, error: failure });
    await updatePaymentsListedTo(database, { ...range, to: range.from }, againSeconds);
  }
  if (found > 0) log.warn({ event: "payment.events_missed", provider: range.provider, payments: found });
  return true;
}

async function readList(
  database: Queryable,
  { connector }: OpenedProvider,
  { provider, from, to }: ListRange,
): Promise<{ readonly found: number; readonly failure: string | null }> {
  let found = 0;
  let page: number | null = 1;
  while (page !== null) {
    if (page > pagesMax) return { found, failure: `it has more than ${pagesMax} pages` };
    const answer = await connector.list({ from, to, page });
    if (answer.kind === "failed") return { found, failure: answer.evidence };
    found += await insertListedPayments(database, provider, answer.paymentIds);
    page = answer.nextPage;
  }
  return { found, failure: null };
}
