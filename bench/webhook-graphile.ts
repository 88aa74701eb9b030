import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { makeWorkerUtils } from "graphile-worker";
import { readCounters } from "./database.ts";
import { familyCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import type { Undo } from "./scratch-folder.ts";
import { startWebhookBaseline } from "./service.ts";
import { figuresOf, merchants, type WebhookRig, type WebhookSample } from "./webhook-rig.ts";

const jobsMax = 20_000;
const concurrency = 64;
const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const secondsMax = 120;

const insertJobs = {
  name: "insert_bench_jobs",
  text: `
    select graphile_worker.add_job('deliver', i.payload)
      from unnest($1::json[]) as i (payload)`,
};

/** The same POSTs by another queue on the same PostgreSQL: a backlog, until the receiver has it all. It logs nothing. */
export async function measureBaseline(rig: WebhookRig, undo: Undo): Promise<WebhookSample> {
  const { database, service, folder, receiver } = rig;
  const jobs = Math.min(jobsMax, rig.options.events);
  const worker = await makeWorkerUtils({ connectionString: service.connectionString });
  await worker.migrate();
  await worker.release();
  const payloads = Array.from({ length: jobs }, (_, index) => payloadOf(index, receiver.port));
  for (let from = 0; from < jobs; from += 1_000) await database.query(insertJobs, [payloads.slice(from, from + 1_000)]);
  await figuresOf(rig);
  const before = { ...(await readCounters(database)), postgresCpu: familyCpuSeconds(service.postgresPid) };
  const baseline = await startWebhookBaseline(folder, [service.connectionString, String(concurrency)]);
  undo.push(baseline.stop);
  const startedMs = performance.now();
  const startCpu = processCpuSeconds(baseline.pid);
  const left = { name: "find_bench_job", text: "select 1 from graphile_worker._private_jobs limit 1" };
  while ((await database.query(left)).length > 0) {
    if (performance.now() - startedMs > secondsMax * 1_000) throw new Error("the baseline did not end");
    await delay(20);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await readCounters(database);
  const sample = {
    perSecond: jobs / seconds,
    p50Ms: null,
    p99Ms: null,
    commits: (after.commits - before.commits) / jobs,
    walBytes: (after.walBytes - before.walBytes) / jobs,
    serverMicros: ((processCpuSeconds(baseline.pid) - startCpu) * 1e6) / jobs,
    postgresMicros: ((familyCpuSeconds(service.postgresPid) - before.postgresCpu) * 1e6) / jobs,
    megabytes: null,
    duplicates: (await figuresOf(rig)).duplicates,
  };
  await baseline.stop();
  return sample;
}

function payloadOf(index: number, port: number): string {
  const id = randomUUID();
  const body = JSON.stringify({ delivery_id: id, data: { owed_at: Date.now(), padding: "x".repeat(1_050) } });
  return JSON.stringify({ url: `http://127.0.0.1:${port}/hook/${(index % merchants) + 1}`, secret, id, body });
}
