import type { WalletKey } from "../../../kernel/ids.ts";
import type { Page, PageMeta } from "../../../kernel/page.ts";
import { offsetMax, pageMeta } from "../../../kernel/page.ts";
import { refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type DeliveryId, type EventName, eventNames } from "../events/event.ts";
import { countAttemptsBetween, findLog } from "./log-count-queries.ts";
import type { Attempt } from "./log-queries.ts";
import { listAttempts, listAttemptsOfKinds, listAttemptsOfSubject } from "./log-queries.ts";

/** Which attempts of a wallet's log to list. Null leaves a filter out. */
export interface LogFilter {
  readonly successful: boolean | null;
  readonly event: EventName | null;
  readonly reference: string | null;
  readonly deliveryId: DeliveryId | null;
  readonly endpointNumber: number | null;
  /** Only attempts up to this one: pages of one such list don't move while new attempts come in. */
  readonly maxId: bigint | null;
}

/**
 * One page of a wallet's delivery log, newest first, with the exact total. Total and rows are of one moment: the log's
 * state is read first, and attempts that are logged after it are left out.
 * Any page is equally quick without filters; with them, the index is read as deep as the page lies.
 * @throws Refusal INVALID_PAGE beyond `offsetMax` rows of a filtered list
 */
export async function listLog(
  database: Database,
  wallet: WalletKey,
  filter: LogFilter,
  page: Page,
): Promise<{ readonly attempts: readonly Attempt[]; readonly meta: PageMeta }> {
  const kinds = kindsOf(filter);
  const { reference, deliveryId, endpointNumber } = filter;
  const { endpoints, ...log } = await findLog(database, wallet, { ...kinds, endpointNumber });
  const upToId = filter.maxId === null || filter.maxId > log.lastId ? log.lastId : filter.maxId;
  const window = { upToId, limit: page.perPage, offset: (page.page - 1) * page.perPage };
  const isOfSubject = reference !== null || deliveryId !== null;
  const isOfKinds = filter.successful !== null || filter.event !== null || endpointNumber !== null;
  const isFiltered = isOfSubject || isOfKinds;
  if (isFiltered && window.offset > offsetMax) throw tooDeep();

  if (isOfSubject) {
    const found = await listAttemptsOfSubject(
      database,
      wallet,
      { ...kinds, reference, deliveryId, endpointNumber },
      window,
    );
    return { attempts: found.attempts, meta: pageMeta(page, found.total, offsetMax) };
  }
  if (!isFiltered) {
    const attempts = await listAttempts(database, wallet, window);
    // Purged attempts are older than all that are counted: there are none below them.
    return { attempts, meta: pageMeta(page, Math.max(0, log.total - Number(log.lastId - upToId))) };
  }
  const [attempts, left] = await Promise.all([
    listAttemptsOfKinds(database, wallet, { ...kinds, endpoints }, window),
    countAttemptsBetween(database, wallet, { ...kinds, endpoints }, { afterId: upToId, upToId: log.lastId }),
  ]);
  return { attempts, meta: pageMeta(page, log.total - left, offsetMax) };
}

/** Read at once by `streamLog`, with the bodies that were sent. */
const attemptsPerRead = 200;

/**
 * Every attempt that fits, newest first, some at a time: each read begins below the last one's numbers, so that none comes
 * twice and what is sent meanwhile stays out. Between two reads nothing is held of the database.
 */
export async function* streamLog(
  database: Database,
  wallet: WalletKey,
  filter: LogFilter,
): AsyncGenerator<readonly Attempt[]> {
  const kinds = kindsOf(filter);
  const { reference, deliveryId, endpointNumber, maxId } = filter;
  const { endpoints, lastId } = await findLog(database, wallet, { ...kinds, endpointNumber });
  const isOfSubject = reference !== null || deliveryId !== null;
  const isOfKinds = filter.successful !== null || filter.event !== null || endpointNumber !== null;
  let upToId = maxId === null || maxId > lastId ? lastId : maxId;
  while (upToId > 0n) {
    const window = { upToId, limit: attemptsPerRead, offset: 0 };
    const read = async () => {
      if (!isOfSubject) {
        return isOfKinds
          ? listAttemptsOfKinds(database, wallet, { ...kinds, endpoints }, window)
          : listAttempts(database, wallet, window);
      }
      const subject = { ...kinds, reference, deliveryId, endpointNumber };
      return (await listAttemptsOfSubject(database, wallet, subject, window)).attempts;
    };
    const attempts = await read();
    const last = attempts.at(-1);
    // What was purged is older than all that is left.
    if (last === undefined) return;
    yield attempts;
    upToId = last.id - 1n;
  }
}

function kindsOf({ event, successful }: LogFilter) {
  return {
    events: event === null ? eventNames : [event],
    successful: successful === null ? [true, false] : [successful],
  };
}

function tooDeep() {
  const message = `Must not begin after row ${offsetMax} of a filtered list; pass max_id to go on from there.`;
  return refuseField("INVALID_PAGE", "page", message);
}
