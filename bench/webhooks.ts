import path from "node:path";
import { inspectable } from "./collected-heap.ts";
import { connectTo, postgresVersion } from "./database.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";
import { startService, startWebhookReceiver } from "./service.ts";
import { measureBaseline } from "./webhook-graphile.ts";
import { createEndpoints, encryptionKey } from "./webhook-load.ts";
import { alone, besideHoles, comeToRest, drain, dump, steady } from "./webhook-measure.ts";
import { measureMemory } from "./webhook-memory.ts";
import { openPurchasePhases } from "./webhook-purchases.ts";
import { renderWebhooks, saveWebhooks, type WebhookResult } from "./webhook-report.ts";
import {
  blackHoles,
  merchants,
  refusers,
  type WebhookOptions,
  type WebhookRig,
  type WebhookSample,
} from "./webhook-rig.ts";

/** An event may cost a tenth, and two equal phases differ by more: so there are several pairs, both ways round. */
const pairsARound = 3;

const projectRoot = path.dirname(import.meta.dirname);
/** So many deliveries a second come for other merchants, beside the backlog that comes for merchant 1 at one moment. */
const besideDump = 500;
const mixture = "a mixture at one rate";

export async function benchWebhooks(options: WebhookOptions): Promise<void> {
  const progress = (text: string) => void process.stderr.write(text);
  const result = await inScratchFolder((folder, undo) => measureAll(options, folder, undo, progress));
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderWebhooks(result)}`);
  if (options.save === true) progress(`Written to ${saveWebhooks(result)}.\n`);
}

async function measureAll(
  options: WebhookOptions,
  folder: string,
  undo: Undo,
  progress: (text: string) => void,
): Promise<WebhookResult> {
  progress("starting the service\n");
  const service = await startService(folder, {
    WEBHOOK_ALLOW_PRIVATE: "true",
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    LOG_LEVEL: "error",
    ...inspectable,
  });
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const receiver = await startWebhookReceiver(folder);
  undo.push(receiver.stop);
  const machine = describeMachine(folder, await postgresVersion(database));
  const rig: WebhookRig = { folder, service, receiver, database, options, progress };
  const measured = await measurePhases(rig, undo);
  return {
    benchmark: "webhooks",
    date: new Date().toISOString(),
    commit: describeCommit(projectRoot),
    machine,
    events: options.events,
    ...measured,
  };
}

async function measurePhases(rig: WebhookRig, undo: Undo): Promise<Pick<WebhookResult, "samples" | "memory">> {
  const { events, seconds, rounds, memoryRate } = rig.options;
  const samples: Record<string, WebhookSample[]> = {};
  const note = (name: string, sample: WebhookSample) => {
    samples[name] = [...(samples[name] ?? []), sample];
    rig.progress(`${Math.round(sample.perSecond)}/s, p99 ${sample.p99Ms ?? "–"} ms\n`);
  };
  const step = async (name: string, measure: () => Promise<WebhookSample>) => {
    rig.progress(`${name} `);
    note(name, await measure());
  };
  await createEndpoints(rig.database, merchants + blackHoles + refusers, rig.receiver.port, (id) =>
    id <= merchants ? "hook" : id <= merchants + blackHoles ? "hole" : "refuser",
  );
  const { perSecond } = await drain(rig, Math.ceil(events / 2), alone);
  const rate = Math.floor(perSecond / 2);
  // In turns, so that what else the machine does hits all alike.
  for (let round = 1; round <= rounds; round++) {
    rig.progress(`round ${round}\n`);
    await step("backlog", () => drain(rig, events, alone));
    await step("half load", () => steady(rig, { rate, seconds, merchantOf: alone }));
    await step("backlog, black holes beside", () => drain(rig, events, besideHoles));
    await step("half load, black holes beside", () => steady(rig, { rate, seconds, merchantOf: besideHoles }));
    await comeToRest(rig);
    await step("one merchant's dump", () => dump(rig, { rate: besideDump, seconds }));
  }
  rig.progress(`${mixture}, MB `);
  const { sample, memory } = await measureMemory(rig, memoryRate ?? rate);
  note(mixture, sample);
  await step("graphile-worker", () => measureBaseline(rig, undo));
  const { withoutEvents, withEvents } = await openPurchasePhases(rig, undo);
  const phases = [() => step("purchases", withoutEvents), () => step("purchases, an event each", withEvents)];
  for (let pair = 0; pair < rounds * pairsARound; pair++) {
    for (const phase of pair % 2 === 0 ? phases : phases.toReversed()) await phase();
  }
  return { samples, memory };
}
