import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../src/platform/database/database.ts";
import { retryOnConnectionLoss } from "../../src/platform/keep-trying.ts";
import type { Chance } from "./chance.ts";
import type { CutPoint } from "./cutting-proxy.ts";
import { askOutside, type Ground } from "./ground.ts";
import type { ServiceProcess } from "./service-process.ts";

/** What was done, how often. */
export interface StormFigures {
  databaseStops: number;
  kills: number;
  processStops: number;
  cuts: number;
  backendsEnded: number;
  outages: number;
}

/** What every strike needs. */
export interface Striker {
  readonly ground: Ground;
  readonly chance: Chance;
  readonly figures: StormFigures;
  /** What goes on while other things are struck: processes that start again, or are stopped. */
  readonly background: Set<Promise<void>>;
  readonly stopped: Set<ServiceProcess>;
  /** Whether there is time to stop a process for as long as its lease in truth. */
  readonly isLong: boolean;
  readonly statements: StruckStatements;
}

/** The names of statements that are struck, by who sends them. */
export interface StruckStatements {
  readonly any: Readonly<Record<ServiceProcess["role"], readonly string[]>>;
  /** What a process says under a lease that may be over by then. */
  readonly leased: Readonly<Record<ServiceProcess["role"], readonly string[]>>;
}

export const statementsOfPurchases: StruckStatements = {
  any: {
    api: ["accept_purchases", "settle_purchases", "settle_purchases", "settle_purchases", "place_bulk_order"],
    worker: ["settle_purchases", "settle_purchases", "reroute_purchases", "claim_due_purchases"],
  },
  leased: {
    api: ["settle_purchases", "reroute_purchases", "reroute_purchases"],
    worker: ["settle_purchases", "settle_purchases", "reroute_purchases"],
  },
};

/** Longer than a worker's lease, and than the time in which an API settles what it bought. */
const leaseOverSeconds = 100;
/** One stop in so many lasts as long in truth. */
const longStopEvery = 6;
const metMsMax = 3_000;
const sentOnMsMax = 5_000;
/** PostgreSQL may be stopped at the same time. */
const awayMsMax = 60_000;
/** How often it is stopped in the middle of a statement; else while suppliers are asked, which are slow then. */
const midStatementShare = { api: 0.3, worker: 0.7 } as const;
/** Until answers lie there, and others have asked the suppliers what became of it and gone on. */
const slowMs = 6_000;
const startedMs = 1_000;

/** Killed, and started again by its supervisor. */
export function kill(striker: Striker, target: ServiceProcess | null): void {
  if (target?.isRunning() !== true) return;
  striker.figures.kills += 1;
  target.kill();
  inBackground(
    striker,
    target.gone().then(() => target.start()),
  );
}

export function runningOf({ stopped, chance }: Striker, processes: readonly ServiceProcess[]): ServiceProcess | null {
  const running = processes.filter((each) => each.isRunning() && !stopped.has(each));
  return running.length === 0 ? null : chance.pick(running);
}

/**
 * Cuts a connection in the middle of a statement that writes. `kills`: and the process in the same moment, so that nobody
 * sends the statement again or does what comes behind it.
 */
export async function cut(
  striker: Striker,
  target: ServiceProcess | null,
  { kills }: { kills: boolean },
): Promise<void> {
  if (target === null) return;
  const { chance, figures, statements } = striker;
  const statement = chance.pick(statements.any[target.role]);
  const point = chance.pick<CutPoint>(kills ? ["sent", "answered"] : ["before", "sent", "answered"]);
  const met = new Promise<boolean>((resolve) => {
    const onCut = () => {
      if (kills) kill(striker, target);
      resolve(true);
    };
    target.proxy.cutNext({ statement, point, onCut });
  });
  if (await Promise.race([met, delay(metMsMax, false)])) figures.cuts += 1;
  else target.proxy.forgetCut();
}

/**
 * Stopped until others have what it held; then it goes on as if nothing had been. Often in the moment in which it says
 * what became of a purchase: that arrives when it goes on.
 */
export async function stopPastLease(striker: Striker, target: ServiceProcess | null): Promise<void> {
  const { chance, figures, stopped } = striker;
  if (target === null || stopped.size > 0) return;
  figures.processStops += 1;
  const isLong = striker.isLong && figures.processStops % longStopEvery === 0;
  const statement =
    chance.next() < midStatementShare[target.role] ? chance.pick(striker.statements.leased[target.role]) : null;
  const beforeMs = statement === null ? chance.whole(2_000, 3_000) : chance.whole(200, 1_500);
  const afterMs = chance.whole(700, 2_500);
  const inProcesses = chance.next() < 0.3;
  stopped.add(target);
  const dropDelivery = statement === null ? await stopWhileRequested(striker, target) : await stopAt(target, statement);
  const stop = async () => {
    if (isLong) await delay(leaseOverSeconds * 1_000);
    else {
      await delay(beforeMs);
      const { time, postgres } = striker.ground;
      const kept = new Set(await listIds(postgres.database, findTaken));
      await time.passSeconds(leaseOverSeconds, { inProcesses });
      if (statement === null) await untilSentOn(postgres.database, kept);
      else await delay(afterMs);
    }
    target.resume();
    dropDelivery();
    stopped.delete(target);
  };
  inBackground(striker, stop());
}

function stopNow(target: ServiceProcess): () => void {
  target.stop();
  return () => {};
}

/** What an API has charged and is asking a supplier about. */
const findTaken = {
  name: "list_torture_taken",
  text: "select purchase_id as id from inflight where step = 'dispatch' and epoch = 0 and attempt = 1",
};

const findSentOn = {
  name: "list_torture_sent_on",
  text: "select purchase_id as id from inflight where epoch > 0 and attempt = 2",
};

async function listIds(database: Database, sql: typeof findTaken): Promise<readonly bigint[]> {
  const rows = await retryOnConnectionLoss(() => database.query<{ id: bigint }>(sql), awayMsMax);
  return rows.map(({ id }) => id);
}

/** Until a worker has sent one of these on to the next supplier, which a stopped API may believe to have in hand. */
async function untilSentOn(database: Database, kept: ReadonlySet<bigint>): Promise<void> {
  for (let waitedMs = 0; waitedMs < sentOnMsMax; waitedMs += 100) {
    if ((await listIds(database, findSentOn)).some((id) => kept.has(id))) return;
    await delay(100);
  }
}

/** What suppliers say of what it has asked them lies there when it goes on. */
async function stopWhileRequested({ ground }: Striker, target: ServiceProcess): Promise<() => void> {
  for (const supplier of ground.suppliers) await askOutside(supplier, `/slow/${slowMs}`);
  await delay(startedMs);
  return stopNow(target);
}

/** @returns how to let its statement go, once it goes on */
async function stopAt(target: ServiceProcess, statement: string): Promise<() => void> {
  const met = new Promise<() => void>((resolve) => {
    const onCut = (dropDelivery: () => void) => {
      target.stop();
      resolve(dropDelivery);
    };
    target.proxy.cutNext({ statement, point: "held", onCut });
  });
  const dropDelivery = await Promise.race([met, delay(metMsMax, null)]);
  if (dropDelivery !== null) return dropDelivery;
  target.proxy.forgetCut();
  return stopNow(target);
}

export async function stopDatabase({ ground, chance, figures }: Striker): Promise<void> {
  figures.databaseStops += 1;
  await ground.postgres.stopAtOnce();
  await delay(chance.whole(0, 1_000));
  await ground.postgres.start();
}

const endAllBackends = {
  name: "end_torture_backends",
  text: "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'dispense_service'",
};

export async function endBackends({ ground, figures }: Striker): Promise<void> {
  figures.backendsEnded += (await ground.postgres.database.query(endAllBackends)).length;
}

export async function beginOutage({ ground, chance, figures }: Striker): Promise<void> {
  figures.outages += 1;
  const kind = chance.pick(["refused", "silent", "failing"]);
  await askOutside(chance.pick(ground.suppliers), `/outage/${kind}/${chance.whole(2_000, 6_000)}`);
}

function inBackground({ background }: Striker, work: Promise<void>): void {
  const tracked = work.finally(() => background.delete(tracked));
  background.add(tracked);
}
