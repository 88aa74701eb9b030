// A program: graphile-worker delivering the same signed POSTs. Arguments: connection string, jobs at one time.
import { Logger, run } from "graphile-worker";
import { Agent, request } from "undici";
import { signatureHeaders } from "../src/domain/webhooks/endpoints/signature.ts";
import type { DeliveryId } from "../src/domain/webhooks/events/event.ts";

interface Job {
  readonly url: string;
  readonly secret: string;
  readonly id: DeliveryId;
  readonly body: string;
}

const [connectionString = "", concurrency = "64"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: Number(concurrency), pipelining: 1 });

async function deliver(payload: unknown): Promise<void> {
  const { url, secret, id, body } = payload as Job;
  const message = { id, timestampSeconds: Math.floor(Date.now() / 1_000), body };
  const headers = { "content-type": "application/json", ...signatureHeaders(message, [secret]) };
  const answer = await request(url, { method: "POST", headers, body, dispatcher });
  await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
}

const runner = await run({
  connectionString,
  concurrency: Number(concurrency),
  maxPoolSize: 10,
  pollInterval: 100,
  noHandleSignals: true,
  // It says a line for each job otherwise, which would be measured.
  logger: new Logger(() => (level, message) => (level === "error" ? console.error(message) : undefined)),
  taskList: { deliver },
});
console.log("port 1");
process.once("SIGTERM", () => void runner.stop().then(() => process.exit(0)));
