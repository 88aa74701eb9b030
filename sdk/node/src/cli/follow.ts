import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DispenseError } from "../errors.ts";
import type { ListedEvent } from "../generated/types.ts";
import { testSecret } from "../testing.ts";
import { signatureOf } from "../webhooks.ts";
import { keep, pathOf, readKept } from "./kept-files.ts";
import { knownClient } from "./login.ts";

/** While things happen, and while nothing does: a key has 120 requests a minute, which its programs need. */
const pollMs = { busy: 2_000, idle: 5_000 };
/** So long nobody is asked after an answer stayed away, unless it names a time. */
const awayMs = 5_000;
/** As long as the service waits for a receiver. */
const receiverMs = 15_000;
const secretFile = "listen-secret";

/** Prints what happens. */
export function tail(): Promise<number> {
  return follow(async (event) => console.log(lineOf(event)));
}

/** Sends what happens to a receiver on this machine, as the service would. */
export async function listen(given: { forward?: string | undefined; secret?: string | undefined }): Promise<number> {
  const { forward } = given;
  if (forward === undefined || !URL.canParse(forward)) {
    throw new TypeError("listen needs --forward http://localhost:3000/hook.");
  }
  const secret = given.secret ?? keptSecret();
  signatureOf(secret, { id: "", timestamp: "", body: "" }); // says now what is no secret
  console.error(`Your receiver's secret: ${secret}`);
  if (given.secret === undefined) console.error(`It is the same each time, kept in ${pathOf(secretFile)}.`);
  return follow(async (event) => {
    const id = randomUUID();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = JSON.stringify({ ...event.payload, delivery_id: id });
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatureOf(secret, { id, timestamp, body }),
      "x-service-event": event.event,
      "x-service-mode": event.payload.mode,
    };
    const wish = {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(receiverMs),
    } as const;
    const answer = await fetch(forward, wish).catch((error) => error);
    const said = answer instanceof Response ? `HTTP ${answer.status}` : `no answer: ${answer.cause?.code ?? answer}`;
    console.log(`${lineOf(event)}  → ${said}`);
  });
}

function keptSecret(): string {
  const known = readKept(secretFile)?.trim();
  if (known) return known;
  const secret = testSecret();
  keep(secretFile, secret);
  return secret;
}

function lineOf({ created_at: at, event, id, payload }: ListedEvent): string {
  const { reference, status, message } = payload.data as { reference?: string; status?: string; message?: string };
  return [at, event, id, reference, status, message].filter(Boolean).join("  ");
}

/** Hands over each event from now on, until the program is stopped: a service that is away is waited for. */
async function follow(tell: (event: ListedEvent) => Promise<void>): Promise<number> {
  const { dispense } = knownClient();
  let isAway = false;
  let after: string | undefined = "newest";
  for (;;) {
    try {
      const page = await dispense.listEvents({ per_page: 100, ...(after && { after }) }, { attemptsMax: 1 });
      if (isAway) console.error("The service answers again.");
      isAway = false;
      if (after === "newest") {
        // The list may be made only now: its end is asked for until it is there.
        if (page.has_more) {
          await sleep(pollMs.busy);
          continue;
        }
        after = page.events.at(-1)?.id;
        console.error("Waiting for events. Ctrl-C ends it.");
        continue;
      }
      for (const event of page.events) {
        await tell(event);
        after = event.id;
      }
      if (!page.has_more) await sleep(page.events.length > 0 ? pollMs.busy : pollMs.idle);
    } catch (error) {
      if (!(error instanceof DispenseError)) throw error;
      if (error.fields.after !== undefined) {
        console.error("Too long ago: what happened meanwhile is not listed any more. Going on with what is new.");
        after = "newest";
        continue;
      }
      if (!(error.status === null || error.status === 429 || error.status >= 500)) throw error;
      if (!isAway) console.error(`${error.message} Trying again.`);
      isAway = true;
      await sleep(Math.max((error.retryAfter ?? 0) * 1000, awayMs));
    }
  }
}
