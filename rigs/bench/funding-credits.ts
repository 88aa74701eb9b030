import { setTimeout as delay } from "node:timers/promises";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";
import { type Database, statement } from "../../src/platform/database/database.ts";
import { writeCheckpoint } from "./database.ts";
import { costs, type Rig, takeReading } from "./measure.ts";
import { eventFrames, type Provider } from "./open-provider.ts";
import { progress, type Sample } from "./report.ts";

export interface CreditRig extends Rig {
  readonly provider: Provider;
  readonly accountNumbers: readonly string[];
  readonly locked: { readonly id: MerchantId; readonly accountNumber: string };
}

export const providerName = "bench-bank";
export const connections = 64;
/** Every so manieth transfer of a phase is to the wallet that is locked. */
const lockedEvery = 10;
const creditSecondsMax = 300;

/** Of two loads at a time nobody can say what one of them costs. */
export function withoutCosts(sample: Sample): Sample {
  const kept = ["perSecond", "p50Ms", "p99Ms", "maxMs", "errors", "creditedP99Ms", "announcedSeconds"];
  return Object.fromEntries(Object.entries(sample).filter(([column]) => kept.includes(column)));
}

export function creditFlatOut(rig: CreditRig, transfers: number): Promise<Sample> {
  return credit(rig, { count: transfers, accountNumbers: rig.accountNumbers });
}

export function creditSteadily(rig: CreditRig, perSecond: number): Promise<Sample> {
  const { accountNumbers, seconds } = rig;
  return credit(rig, { count: perSecond * seconds, accountNumbers, perSecond });
}

interface Transfers {
  readonly count: number;
  readonly accountNumbers: readonly string[];
  readonly perSecond?: number;
  /** So many of them are not credited before what holds them ends. */
  readonly lockedCount?: number;
  /** Ends what holds them. */
  readonly release?: () => Promise<void>;
}

/** Transfers arrive, their provider calls, and all are credited and announced. */
async function credit(rig: CreditRig, transfers: Transfers): Promise<Sample> {
  const { database, provider, driver, service } = rig;
  const { count, accountNumbers, perSecond, lockedCount = 0, release } = transfers;
  const frames = eventFrames(providerName, await provider.pay(accountNumbers, count));
  await writeCheckpoint(database);
  const [last] = await database.query<{ number: number }>(findLastNumber);
  const before = await takeReading(rig);
  // All are sent, however long it takes: a provider calls until it is answered.
  const load = { port: service.port, prefix: "", frames, numbers: count, seconds: creditSecondsMax };
  const outcome = await driver.drive({
    ...{ ...load, expectedStatus: 200, connections, sentMax: count },
    ...(perSecond === undefined ? {} : { perSecond }),
  });
  await until("the transfers were not all credited", creditSecondsMax, async () => {
    const [row] = await database.query<{ due: number }>(countDue);
    return (row?.due ?? 0) <= lockedCount;
  });
  const after = await takeReading(rig);
  const [waits] = await database.query<{ p99: number | null }>(findCreditWaits, [last?.number ?? 0, rig.locked.id]);
  await release?.();
  await until("the transfers were not all announced", creditSecondsMax, async () => {
    const [row] = await database.query<{ open: boolean }>(findOpen);
    return row?.open === false;
  });
  const { answered, errors, p50Ms, p99Ms, maxMs, driverCpuSeconds } = outcome;
  if (answered !== count) rig.sheet.complaints.push(`${answered} of ${count} callbacks were answered 200`);
  const took = costs(before, after, { requests: count, driverCpuSeconds });
  return {
    ...{ perSecond: count / (after.atSeconds - before.atSeconds), p50Ms, p99Ms, maxMs, errors, ...took },
    creditedP99Ms: waits?.p99 ?? null,
    announcedSeconds: performance.now() / 1_000 - after.atSeconds,
  };
}

const findLastNumber = statement("find_bench_number", "select coalesce(max(number), 0) as number from payments");

const countDue = statement("count_bench_due", "select count(*)::integer as due from payments where due_at is not null");

const findOpen = statement(
  "find_bench_open",
  `select exists (select 1 from payments where due_at is not null)
       or exists (select 1 from payment_announcements) as open`,
);

const findCreditWaits = statement(
  "find_bench_credit_waits",
  `select (1000 * percentile_cont(0.99) within group (order by extract(epoch from credited_at - heard_at)))::float8 as p99
     from payments
    where number > $1 and wallet_id <> $2`,
);

const stayLocked = { name: "set_bench_timeout", text: "set local idle_in_transaction_session_timeout = 0" };

const lockWallet = statement(
  "find_bench_wallet_for_update",
  "select wallet_id from wallets where wallet_id = $1 for update",
);

/** Another session has one wallet locked until all others are credited. */
export async function creditBesideLocked(rig: CreditRig, rate: number): Promise<Sample> {
  const { database, locked, accountNumbers, seconds } = rig;
  const others = accountNumbers.filter((each) => each !== locked.accountNumber);
  const mixed = others.flatMap((each, index) =>
    index % (lockedEvery - 1) === 0 ? [locked.accountNumber, each] : [each],
  );
  const count = rate * seconds;
  const lockedCount = Array.from({ length: count }, (_, index) => mixed[index % mixed.length]).filter(
    (each) => each === locked.accountNumber,
  ).length;
  const release = await lock(database, locked.id);
  const transfers = { count, accountNumbers: mixed, perSecond: rate, lockedCount, release };
  return withoutCosts(await credit(rig, transfers).finally(release));
}

/** Locks a wallet. @returns what ends that */
async function lock(database: Database, id: MerchantId): Promise<() => Promise<void>> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let holding = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    holding = database.transaction(async (tx) => {
      await tx.query(stayLocked);
      await tx.query(lockWallet, [id]);
      resolve();
      await ended;
    });
    holding.catch(reject);
  });
  return () => {
    end();
    return holding;
  };
}

const listCredits = statement(
  "list_bench_credits",
  `select p.payment_id as id, p.amount, p.wallet_id as "walletId", e.delta
     from payments p
     join ledger_entries e on e.wallet_id = p.wallet_id and e.seq = p.entry_seq
    where p.state = 'credited' and p.provider = $1`,
);

const countTopUps = statement(
  "count_bench_top_ups",
  "select count(*)::integer as entries from ledger_entries where kind = 'top_up' and reason like 'Transfer%'",
);

/** Each transfer in the provider's books was credited to its merchant, once, to the kobo, and nothing else was. */
export async function compareBooks({ database, provider, sheet }: CreditRig): Promise<number> {
  const books = await provider.books();
  const rows = await database.query<{ id: string; amount: bigint; walletId: MerchantId; delta: bigint }>(listCredits, [
    providerName,
  ]);
  const ours = new Map(rows.map((row) => [row.id, row]));
  const wrong = books.filter(({ id, amount, reference }) => {
    const credit = ours.get(id);
    const isExact = credit?.amount === amount && credit.delta === amount;
    return !(isExact && formatMerchantId(credit.walletId) === reference);
  });
  const [top] = await database.query<{ entries: number }>(countTopUps);
  const counts = [
    [wrong.length, "transfers were not credited as the provider has them"],
    [rows.length - books.length, "more were credited than the provider has"],
    [(top?.entries ?? 0) - books.length, "more entries credit transfers than there are"],
  ] as const;
  sheet.complaints.push(...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])));
  const questions = books.reduce((sum, transfer) => sum + transfer.questions, 0);
  progress(`${books.length} transfers, ${questions} questions about them\n`);
  return books.length;
}

/** Asking costs what is measured, too. */
const askEveryMs = 250;

async function until(what: string, secondsMax: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what} in ${secondsMax} s`);
    await delay(askEveryMs);
  }
}
