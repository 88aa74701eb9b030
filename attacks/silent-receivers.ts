import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectTo } from "../bench/database.ts";
import { type Server, type Service, startProgram, startService } from "../bench/service.ts";
import { encryptionKey } from "../bench/webhook-load.ts";
import type { Mode } from "../src/kernel/mode.ts";
import type { Database } from "../src/platform/database/database.ts";
import { type Attack, atLeast, atMost, type Figure, type Ground, told } from "./attack.ts";
import { createEndpoints, type EndpointGroup, oweEach, oweSteadily } from "./webhook-load.ts";

/** Healthy endpoints in each mode, and how many events a second they are sent. */
const healthyCount = 150;
const healthyRate = 150;
/** Endpoints that take a request and never answer, in each mode: events for each at the beginning, and a second of all. */
const silentCount = 2_000;
const silentAtOnce = 4;
const silentRate = 200;
/** For what is owed at the beginning: more than the two minutes after which due work once made the API unready. */
const silentOwedSeconds = 150;
const calmSeconds = 20;
const attackSeconds = 45;
/** What comes later than this after a phase has not been delivered in it. */
const graceSeconds = 2;
/** As docs/operations.md promises. */
const connectionsMax = 2_688;

export const silentReceivers: Attack = {
  name: "silent-receivers",
  does: "2,000 endpoints take webhooks and never answer: the healthy ones get theirs as before, above all the live ones.",
  secondsMax: 400,
  async run(ground) {
    const rig = await openRig(ground);
    const ready = watchReadiness(rig.service);
    const calm = await phase(rig, "calm", calmSeconds, []);
    const sandbox = await phase(rig, "silent sandbox endpoints", attackSeconds, [silentOf("test")]);
    const live = await phase(rig, "silent live endpoints too", attackSeconds, [silentOf("test"), silentOf("live")]);
    rig.ground.progress("the answering fall silent");
    await fetch(`http://127.0.0.1:${rig.receiver.port}/fall-silent`);
    const turned = await phase(rig, "endpoints that answered before", attackSeconds, [fallsSilent]);
    const readiness = await ready.stop();
    return [
      ...calm.map(({ name, figures }) => told(`${name}: p50, p99`, `${figures.p50Ms}, ${figures.p99Ms} ms`)),
      ...[sandbox, live, turned].flatMap((attacked) => compared(calm, attacked)),
      atMost(
        "connections open",
        Math.max(...[sandbox, live, turned].flat().map((each) => each.connectionsMost)),
        connectionsMax,
      ),
      atMost("/readyz was not 200", readiness.notReady, 0, ` of ${readiness.asked}`),
    ];
  },
};

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
const healthy: readonly EndpointGroup[] = [
  { group: "live", mode: "live", merchantIds: idsFrom(100_000, healthyCount) },
  { group: "sandbox", mode: "test", merchantIds: idsFrom(200_000, healthyCount) },
];
const silentOf = (mode: Mode): EndpointGroup => ({
  group: "silent",
  mode,
  merchantIds: idsFrom(mode === "live" ? 300_000 : 400_000, silentCount),
});
const fallsSilent: EndpointGroup = {
  group: "falls-silent",
  mode: "test",
  merchantIds: idsFrom(500_000, silentCount),
};

interface Rig {
  readonly ground: Ground;
  readonly service: Service;
  readonly receiver: Server;
  readonly database: Database;
}

async function openRig(ground: Ground): Promise<Rig> {
  const { folder, undo, progress } = ground;
  progress("starting the service");
  const service = await startService(folder, {
    WEBHOOK_ALLOW_PRIVATE: "true",
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    LOG_LEVEL: "error",
  });
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const receiver = await startProgram("attacks/webhook-receiver.ts", path.join(folder, "receiver.log"));
  undo.push(receiver.stop);
  for (const group of [...healthy, silentOf("live"), silentOf("test"), fallsSilent]) {
    await createEndpoints(database, receiver.port, group);
  }
  // All that answer have answered when the first phase begins.
  await oweSteadily(
    database,
    [...healthy, fallsSilent].map((group) => ({ ...group, rate: group.merchantIds.length / 5 })),
    6,
  );
  await delay(graceSeconds * 1_000);
  const rig = { ground, service, receiver, database };
  await figuresOf(rig);
  return rig;
}

interface GroupFigures {
  readonly received: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What became of the events for the healthy endpoints of one mode. */
interface Delivered {
  readonly name: string;
  readonly group: string;
  readonly owed: number;
  readonly figures: GroupFigures;
  readonly connectionsMost: number;
}

/** Sends events to the healthy endpoints, and to those that are attacked with. */
async function phase(rig: Rig, name: string, seconds: number, attackers: readonly EndpointGroup[]) {
  const { ground, database } = rig;
  ground.progress(`${name}, ${seconds} s`);
  for (const group of attackers) {
    await oweEach(database, group, { events: silentAtOnce, forSeconds: silentOwedSeconds });
  }
  const steady = [
    ...healthy.map((group) => ({ ...group, rate: healthyRate })),
    ...attackers.map((group) => ({ ...group, rate: silentRate })),
  ];
  const owed = await oweSteadily(database, steady, seconds);
  await delay(graceSeconds * 1_000);
  const { groups, connectionsMost } = await figuresOf(rig);
  const nothing = { received: 0, p50Ms: 0, p99Ms: Number.POSITIVE_INFINITY };
  const delivered = healthy.map(({ group }, index): Delivered => {
    const figures = groups[group] ?? nothing;
    return { name: `${name}: ${group}`, group, owed: owed[index] ?? 0, figures, connectionsMost };
  });
  for (const { name: whose, figures, owed: count } of delivered) {
    ground.progress(`${whose} ${figures.received} of ${count}, p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms`);
  }
  ground.progress(`connections ${connectionsMost}, others ${JSON.stringify(groups)}`);
  return delivered;
}

/** A healthy endpoint's throughput and p99 beside those without an attack. */
function compared(calm: readonly Delivered[], attacked: readonly Delivered[]): Figure[] {
  return attacked.flatMap(({ name, group, owed, figures }) => {
    const before = calm.find((each) => each.group === group)?.figures.p99Ms ?? 0;
    return [
      atLeast(`${name}: delivered`, (100 * figures.received) / owed, 95, " %"),
      atMost(`${name}: p99`, figures.p99Ms, 2 * before, " ms"),
    ];
  });
}

async function figuresOf({ receiver }: Rig) {
  const answer = await fetch(`http://127.0.0.1:${receiver.port}/figures`);
  return (await answer.json()) as { groups: Record<string, GroupFigures>; connectionsMost: number };
}

/** Asks whether the API may get requests, once a second, until it is stopped. */
function watchReadiness({ port }: Service) {
  let asked = 0;
  let notReady = 0;
  const timer = setInterval(async () => {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    asked += 1;
    if (status !== 200) notReady += 1;
  }, 1_000);
  return {
    async stop() {
      clearInterval(timer);
      return { asked, notReady };
    },
  };
}
