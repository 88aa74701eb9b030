import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Mode } from "../../src/kernel/mode.ts";
import type { OpenDatabase } from "../../src/platform/database/database.ts";
import type { GroupFigures } from "../base/receiver.ts";
import { type Server, type Service, startServer } from "../base/service.ts";
import { openService, type Shop } from "../base/shop.ts";
import {
  createEndpoints,
  type EndpointGroup,
  enqueue,
  enqueueSteadily,
  figuresOf,
  idsFrom,
  inTurns,
} from "../base/webhook-load.ts";
import { type Attack, atLeast, atMost, type Figure, type Ground, measure } from "./attack.ts";

/** Healthy endpoints in each mode, and how many events a second they are sent. */
const healthyCount = 150;
const healthyRate = 150;
/** Endpoints that take a request and never answer, in each mode: events for each at the beginning, and a second of all. */
const silentCount = 2_000;
const silentAtOnce = 4;
const silentRate = 200;
/** Two thousand a second. */
const [backlogEach, backlogMs] = [100, 50];
/** For what is owed at the beginning: more than the two minutes after which due work once made the API unready. */
const silentDueSeconds = 150;
const attackSeconds = 45;
/** What comes later than this after a phase has not been delivered in it. */
const graceSeconds = 2;
/** As docs/operations/run.md promises. */
const connectionsMax = 2_688;

export const silentReceivers: Attack = {
  name: "silent-receivers",
  does: "2,000 endpoints of each mode take webhooks and never answer: the healthy ones get theirs as if they answered.",
  secondsMax: 500,
  async run(ground) {
    const rig = await openRig(ground);
    const ready = watchReadiness(rig.service);
    const answered = await phase(rig, "as many that answer", attackSeconds, fallSilent);
    const sandbox = await phase(rig, "silent sandbox endpoints", attackSeconds, [silentOf("test")]);
    const live = await phase(rig, "silent live endpoints too", attackSeconds, [silentOf("test"), silentOf("live")]);
    rig.ground.progress("the answering fall silent");
    await fetch(`${rig.silent.url}/fall-silent`);
    const turned = await phase(rig, "endpoints that answered before", attackSeconds, fallSilent);
    const readiness = await ready.stop();
    return [
      ...answered.map(({ name, figures }) => measure(`${name}: p50, p99`, `${figures.p50Ms}, ${figures.p99Ms} ms`)),
      ...[sandbox, live, turned].flatMap((attacked) => compared(answered, attacked)),
      atMost(
        "connections open",
        Math.max(...[answered, sandbox, live, turned].flat().map((each) => each.connectionsMost)),
        connectionsMax,
      ),
      atMost("/readyz was not 200", readiness.notReady, 0, ` of ${readiness.asked}`),
    ];
  },
};

const healthy: readonly EndpointGroup[] = [
  { group: "live", mode: "live", merchantIds: idsFrom(100_000, healthyCount) },
  { group: "sandbox", mode: "test", merchantIds: idsFrom(200_000, healthyCount) },
];
const silentOf = (mode: Mode): EndpointGroup => ({
  group: "silent",
  mode,
  merchantIds: idsFrom(mode === "live" ? 300_000 : 400_000, silentCount),
});
/** They answer until they are told to fall silent. */
const fallSilent: readonly EndpointGroup[] = [
  { group: "falls-silent", mode: "test", merchantIds: idsFrom(500_000, silentCount) },
  { group: "falls-silent", mode: "live", merchantIds: idsFrom(600_000, silentCount) },
];

interface Rig extends Pick<Shop, "service" | "database"> {
  readonly ground: Ground;
  /** What answers, and measures. */
  readonly receiver: Server;
  /** What does not answer: it has machines of its own, and gives way to all others here. */
  readonly silent: Server;
}

async function openRig(ground: Ground): Promise<Rig> {
  const environment = { WEBHOOK_ALLOW_PRIVATE: "true", LOG_LEVEL: "error" };
  const { service, database } = await openService({ ...ground, environment });
  const start = async (name: string) => {
    const server = await startServer("rigs/base/receiver.ts", ground.folder, { name });
    ground.undo.push(server.stop);
    return server;
  };
  const [receiver, silent] = [await start("receiver"), await start("silent")];
  setPriority(silent.pid, constants.priority.PRIORITY_LOW);
  for (const group of healthy) await createEndpoints(database, receiver, group);
  for (const group of [silentOf("live"), silentOf("test"), ...fallSilent])
    await createEndpoints(database, silent, group);
  // All that answer have answered when the first phase begins.
  const everyone = [...healthy, ...fallSilent].map((group) => steady(group, group.merchantIds.length / 5));
  await enqueueSteadily(database, everyone, 6);
  await delay(graceSeconds * 1_000);
  await figuresOf(receiver);
  return { ground, service, receiver, silent, database };
}

function steady(group: EndpointGroup, rate: number) {
  return { rate, deliveriesBy: inTurns(group) };
}

/** What became of the events for the healthy endpoints of one mode. */
interface Delivered {
  readonly name: string;
  readonly group: string;
  readonly enqueued: number;
  readonly figures: GroupFigures;
  readonly connectionsMost: number;
}

/** Sends events to the healthy endpoints, and to those that are attacked with. */
async function phase(rig: Rig, name: string, seconds: number, attackers: readonly EndpointGroup[]) {
  const { ground, database } = rig;
  ground.progress(`${name}, ${seconds} s`);
  const backlog = enqueueBacklog(database, attackers);
  const loads = [
    ...healthy.map((group) => steady(group, healthyRate)),
    ...attackers.map((group) => steady(group, silentRate)),
  ];
  const enqueued = await enqueueSteadily(database, loads, seconds);
  await backlog;
  await delay(graceSeconds * 1_000);
  const { groups, connectionsMost: answering } = await figuresOf(rig.receiver);
  const { groups: others, connectionsMost: unanswered } = await figuresOf(rig.silent);
  const connectionsMost = answering + unanswered;
  const nothing: GroupFigures = { received: 0, duplicates: 0, p50Ms: 0, p99Ms: Number.POSITIVE_INFINITY };
  const delivered = healthy.map(({ group }, index): Delivered => {
    const figures = groups[group] ?? nothing;
    return { name: `${name}: ${group}`, group, enqueued: enqueued[index] ?? 0, figures, connectionsMost };
  });
  for (const { name: whose, figures, enqueued: count } of delivered) {
    ground.progress(`${whose} ${figures.received} of ${count}, p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms`);
  }
  ground.progress(`connections ${connectionsMost}, others ${JSON.stringify(others)}`);
  return delivered;
}

/** What attackers get at the beginning, as fast as a company sells: written at once, it would be what others feel. */
async function enqueueBacklog(database: OpenDatabase, attackers: readonly EndpointGroup[]): Promise<void> {
  const all = attackers.flatMap(({ mode, merchantIds }) => merchantIds.map((merchantId) => ({ merchantId, mode })));
  const due = Array.from({ length: silentAtOnce }, () => all).flat();
  for (let at = 0; at < due.length; at += backlogEach) {
    await enqueue(database, due.slice(at, at + backlogEach), silentDueSeconds);
    await delay(backlogMs);
  }
}

/**
 * A healthy endpoint's throughput, and its p99 by that beside as many events that are answered: those are what a company
 * sells, and no attack.
 */
function compared(answered: readonly Delivered[], attacked: readonly Delivered[]): Figure[] {
  return attacked.flatMap(({ name, group, enqueued, figures }) => {
    const before = answered.find((each) => each.group === group)?.figures.p99Ms ?? 0;
    return [
      atLeast(`${name}: delivered`, (100 * figures.received) / enqueued, 95, " %"),
      atMost(`${name}: p99`, figures.p99Ms, 2 * before, " ms"),
    ];
  });
}

/** Asks whether the API may get requests, once a second, until it is stopped. */
function watchReadiness({ url }: Service) {
  let calls = 0;
  let notReady = 0;
  const timer = setInterval(async () => {
    const status = await fetch(`${url}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    calls += 1;
    if (status !== 200) notReady += 1;
  }, 1_000);
  return {
    async stop() {
      clearInterval(timer);
      return { asked: calls, notReady };
    },
  };
}
