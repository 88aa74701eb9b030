import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { type Receiver, startReceiver } from "../../tests/support/receiver.ts";
import { type Environment, runOperator, type ServiceProcess, startService } from "./programs.ts";
import { type RequestStep, stepsFor } from "./steps.ts";
import { chapterOf, commandChapter, webhookChapter } from "./transcript.ts";

const merchantPrefix = "/api/v1/merchant";
const pollMs = 250;
const finalSecondsMax = 30;

const heading = `# A walk through Dispense

Everything below was sent to a service that had just been started on an empty database.
`;

/**
 * Starts a service, plays every step, proves the books and stops it again. Tells it chapter by chapter.
 * `environment`: where its data goes (`DATA_DIR`, or a `DATABASE_URL` of an empty database beside it).
 */
export async function playWalkthrough(options: {
  readonly environment: Environment;
  readonly print: (text: string) => void;
  /** Ends the walk between two steps, with everything stopped. */
  readonly signal?: AbortSignal;
}): Promise<void> {
  const { print, signal } = options;
  const environment = { SANDBOX_PENDING_SECONDS: "1", WEBHOOK_ALLOW_PRIVATE: "true", ...options.environment };
  const service = await startService(environment);
  const receiver = await startReceiver();
  try {
    print(heading);
    print(
      commandChapter({
        title: "The start",
        remark: "Here with `SANDBOX_PENDING_SECONDS=1`, so that nobody has to wait for 20 seconds.",
        command: "npm start",
        output: service.welcome,
      }),
    );
    let secret = "";
    for (const [at, step] of stepsFor(receiver.url).entries()) {
      signal?.throwIfAborted();
      const { chapter, answer } = await play(service, step, at === 0);
      print(chapter);
      secret = answer.secret ?? secret;
      if (step.thenWebhook !== undefined) print(await receive(receiver, secret, step.thenWebhook));
    }
    const { output, code } = await runOperator(["check-ledger"], environment);
    print(
      commandChapter({
        title: "The books",
        remark: `The operator proves them while the service runs. Exit code ${code}.`,
        command: "npm run operator -- check-ledger",
        output,
      }),
    );
  } finally {
    const code = await service.stop();
    await receiver.close();
    print(`\nOn SIGTERM the service answered what was in flight and ended with code ${code}.\n`);
  }
}

/** Waits for the one webhook of the walk. @throws when its signature does not verify */
async function receive(
  receiver: Receiver,
  secret: string,
  reported: { readonly title: string; readonly remark: string },
): Promise<string> {
  const [received] = await receiver.waitFor(1);
  if (received === undefined) throw new Error("No webhook came.");
  new Webhook(secret).verify(received.body, received.headers as Record<string, string>);
  return webhookChapter({ ...reported, received });
}

interface Answer {
  readonly status?: unknown;
  readonly secret?: string;
}

async function play(
  service: ServiceProcess,
  step: RequestStep,
  isFirst: boolean,
): Promise<{ readonly chapter: string; readonly answer: Answer }> {
  const { title, remark, method, body } = step;
  const path = merchantPrefix + step.path;
  const key = step.withoutKey === true ? null : service.sandboxKey;
  const ask = async () => {
    const response = await fetch(service.baseUrl + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, answer: (await response.json()) as Answer };
  };
  let reported = await ask();
  for (let waitedMs = 0; step.untilFinal === true && reported.answer.status === "pending"; waitedMs += pollMs) {
    if (waitedMs > finalSecondsMax * 1_000) throw new Error(`${path} was still pending after ${finalSecondsMax} s.`);
    await delay(pollMs);
    reported = await ask();
  }
  const request = { method, path, key, ...(body === undefined ? {} : { body }) };
  return { chapter: chapterOf({ title, remark, request, ...reported, isFirst }), answer: reported.answer };
}
