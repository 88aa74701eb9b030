import { setTimeout as delay } from "node:timers/promises";
import { attemptDeadlineMs } from "../../src/domain/webhooks/delivery/deliver.ts";
import { type Database, statement } from "../../src/platform/database/database.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { type Server, startServer } from "../base/service.ts";
import { openService } from "../base/shop.ts";
import {
  createEndpoints,
  enqueue,
  enqueueSteadily,
  figuresOf,
  idsFrom,
  inTurns,
  type SteadyLoad,
} from "../base/webhook-load.ts";
import { writeCheckpoint } from "./database.ts";
import { describeMachine } from "./machine.ts";
import { costs, type Rig, takeReading } from "./measure.ts";
import { openSheet, progress, type ReportOptions, report, type Sample } from "./report.ts";

export interface WebhookOptions extends ReportOptions {
  readonly events: number;
  readonly seconds: number;
  readonly rounds: number;
}

interface WebhookRig extends Pick<Rig, "service" | "database" | "sheet"> {
  readonly receiver: Server;
}

/** Merchants with an endpoint that answers, of whom one is alone in its group; and one in ten of all never answers. */
const dumper = { group: "dumper", mode: "live", merchantIds: [1] } as const;
const healthy = { group: "hook", mode: "live", merchantIds: idsFrom(2, 899) } as const;
const blackHoles = { group: "silent", mode: "live", merchantIds: idsFrom(901, 100) } as const;
/** So many deliveries a second come for other merchants, beside the backlog that comes for one at one moment. */
const besideDump = 500;
const waitSecondsMax = 120;
/** After it, no attempt at a black hole is under way. */
const holesGoneMs = attemptDeadlineMs + 2_000;

/** The events that come with the n-th counted delivery: a healthy endpoint's, and sometimes a black hole's first. */
const alone = inTurns(healthy);
const toHole = inTurns(blackHoles);
const besideHoles: SteadyLoad["deliveriesBy"] = (index) =>
  index % 9 === 0 ? [...toHole(index / 9), ...alone(index)] : alone(index);

/** Deliveries of a backlog and at half of its rate, alone and beside endpoints that never answer. */
export async function benchWebhooks(options: WebhookOptions): Promise<void> {
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const environment = { WEBHOOK_ALLOW_PRIVATE: "true", LOG_LEVEL: "error" };
    const opened = await openService({ folder, undo, progress, environment });
    const receiver = await startServer("rigs/base/receiver.ts", folder);
    undo.push(receiver.stop);
    const machine = await describeMachine(folder, opened.database);
    for (const group of [dumper, healthy, blackHoles]) await createEndpoints(opened.database, receiver, group);
    await measurePhases({ ...opened, receiver, sheet }, options);
    const [backlog, half, beside, besideHalf] = phases;
    const bounds = [
      { what: "deliveries a second", measured: sheet.figure(backlog, "perSecond"), atLeast: 8_000 },
      { what: "p99 ms at half load", measured: sheet.figure(half, "p99Ms"), atMost: 500 },
      { what: "beside black holes: rate", measured: sheet.ratio("perSecond", beside, backlog), atLeast: 0.95 },
      { what: "… half load's rate", measured: sheet.ratio("perSecond", besideHalf, half), atLeast: 0.95 },
      { what: "… half load's p99", measured: sheet.ratio("p99Ms", besideHalf, half), atMost: 2 },
    ];
    const notes = [`Backlogs of ${options.events} events, steady loads of ${options.seconds} s.`];
    return { benchmark: "webhooks", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

const phases = [
  "backlog",
  "half load",
  "backlog, black holes beside",
  "half load, black holes beside",
  "one merchant's dump",
] as const;

/** In turns, so that what else the machine does hits all alike. */
async function measurePhases(rig: WebhookRig, { events, seconds, rounds }: WebhookOptions): Promise<void> {
  const { sheet } = rig;
  const { perSecond } = await drain(rig, Math.ceil(events / 2), alone);
  const rate = Math.floor((perSecond ?? 0) / 2);
  const [backlog, half, beside, besideHalf, dump] = phases;
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round}\n`);
    await sheet.step(backlog, () => drain(rig, events, alone));
    await sheet.step(half, () => deliverSteadily(rig, seconds, { rate, deliveriesBy: alone }));
    await sheet.step(beside, () => drain(rig, events, besideHoles));
    await sheet.step(besideHalf, () => deliverSteadily(rig, seconds, { rate, deliveriesBy: besideHoles }));
    await rig.database.query(emptyOutbox);
    await delay(holesGoneMs);
    await sheet.step(dump, () => deliverSteadily(rig, seconds, { rate: besideDump, deliveriesBy: alone }, events));
  }
}

/** What is owed at one moment, until the last of it is logged. */
async function drain(rig: WebhookRig, count: number, deliveriesBy: SteadyLoad["deliveriesBy"]): Promise<Sample> {
  const before = await begin(rig);
  await enqueueAtOnce(rig, count, deliveriesBy);
  // Writing them down is not what is measured; the first are under way by then.
  const due = await begin(rig);
  await untilLogged(rig, before.logged + count);
  return end(rig, due, count - (due.logged - before.logged));
}

/** So many a second, in small commits, beside so many that one merchant is owed before at one moment. */
async function deliverSteadily(rig: WebhookRig, seconds: number, load: SteadyLoad, dumped = 0): Promise<Sample> {
  const before = await begin(rig);
  await enqueueAtOnce(rig, dumped, inTurns(dumper));
  const due = await begin(rig);
  const [count = 0] = await enqueueSteadily(rig.database, [load], seconds);
  await untilLogged(rig, before.logged + dumped + count);
  return end(rig, due, before.logged + dumped + count - due.logged);
}

const chunk = 5_000;

/** They are seen when the transaction commits. */
async function enqueueAtOnce(
  { database }: WebhookRig,
  count: number,
  deliveriesBy: SteadyLoad["deliveriesBy"],
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let from = 0; from < count; from += chunk) {
      await enqueue(tx, idsFrom(from, Math.min(chunk, count - from)).flatMap(deliveriesBy));
    }
  });
}

async function begin(rig: WebhookRig) {
  await figuresOf(rig.receiver);
  await writeCheckpoint(rig.database);
  return { reading: await takeReading(rig), logged: await countLogged(rig.database) };
}

async function end(rig: WebhookRig, { reading }: Awaited<ReturnType<typeof begin>>, count: number): Promise<Sample> {
  const after = await takeReading(rig);
  const figures = (await figuresOf(rig.receiver)).groups[healthy.group];
  const { driverMicros, foreignCores, ...took } = costs(reading, after, { requests: count });
  const perSecond = count / (after.atSeconds - reading.atSeconds);
  const { p50Ms = null, p99Ms = null, duplicates = null } = figures ?? {};
  return { perSecond, ...took, p50Ms, p99Ms, duplicates };
}

const emptyOutbox = statement("delete_bench_outbox", "delete from webhook_outbox where true");

const sumSuccessful = statement(
  "count_bench_attempts",
  `select coalesce(sum(attempts), 0)::integer as successful
     from webhook_attempt_counts
    where successful`,
);

async function countLogged(database: Database): Promise<number> {
  const [row] = await database.query<{ successful: number }>(sumSuccessful);
  return row?.successful ?? 0;
}

async function untilLogged({ database }: WebhookRig, successful: number): Promise<void> {
  const deadline = performance.now() + waitSecondsMax * 1_000;
  while (performance.now() < deadline) {
    if ((await countLogged(database)) >= successful) return;
    await delay(20);
  }
  throw new Error("the deliveries were not all logged in two minutes");
}
