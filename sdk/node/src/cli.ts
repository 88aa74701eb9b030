import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Dispense } from "./client.ts";
import { DispenseError } from "./errors.ts";
import type { EventName, ListedEvent } from "./generated/types.ts";
import { testSecret } from "./testing.ts";
import { signatureOf, verifyWebhook, WebhookVerificationError } from "./webhooks.ts";

const help = `dispense: the merchant API at a terminal

  login                       keep address and key in a file that only you can read
  buy WHAT field=value …      buy airtime network=MTN phone=08031234567 amount=100
  tail                        print what happens, as it happens
  listen --forward URL        send what happens to a receiver on this machine, signed for it
  trigger EVENT               have the service send an example to your webhook
  verify --secret S --headers FILE --body FILE
                              say whether a webhook's signature is right, and why not

Address and key: DISPENSE_URL and DISPENSE_KEY, else what login kept.`;

const options = {
  forward: { type: "string" },
  secret: { type: "string" },
  headers: { type: "string" },
  body: { type: "string" },
  url: { type: "string" },
  help: { type: "boolean" },
} as const;

const pollMs = 1_000;

/** Runs one command. @returns the exit code: 0 done, 1 refused or not right, 2 not understood */
export async function run(words: readonly string[]): Promise<number> {
  let given: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    given = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    return complain((error as Error).message);
  }
  const [command, ...rest] = given.positionals;
  const commands: Readonly<Record<string, () => Promise<number>>> = {
    login: () => login(given.values.url),
    buy: () => buy(rest),
    tail: () => follow(async (event) => console.log(lineOf(event))),
    listen: () => listen(given.values),
    trigger: () => trigger(rest[0]),
    verify: () => verify(given.values),
  };
  if (command === undefined || given.values.help) {
    console.log(help);
    return command === undefined && !given.values.help ? 2 : 0;
  }
  const carryOut = commands[command];
  if (carryOut === undefined) return complain(`There is no command “${command}”.`);
  try {
    return await carryOut();
  } catch (error) {
    if (error instanceof DispenseError) return refused(error);
    if (error instanceof TypeError) return complain(error.message);
    throw error;
  }
}

function complain(sentence: string): number {
  console.error(`${sentence}\n\n${help}`);
  return 2;
}

function refused({ code, message, fields, docUrl, charged, reference }: DispenseError): number {
  console.error(`${code}: ${message}`);
  for (const [field, sentences] of Object.entries(fields)) console.error(`  ${field}: ${sentences.join(" ")}`);
  if (charged === "unknown") console.error(`  It may have been bought: ask for ${reference} before you buy it again.`);
  if (docUrl !== null) console.error(`  ${docUrl}`);
  return 1;
}

const keptFile = () =>
  path.join(process.env.XDG_CONFIG_HOME ?? path.join(homedir(), ".config"), "dispense", "login.json");

function client(): Dispense {
  let kept: { url?: string; key?: string } = {};
  try {
    kept = JSON.parse(readFileSync(keptFile(), "utf8"));
  } catch {
    // Nobody has logged in here: the environment may say all.
  }
  const url = process.env.DISPENSE_URL ?? kept.url;
  const key = process.env.DISPENSE_KEY ?? kept.key;
  return new Dispense({ ...(url === undefined ? {} : { url }), ...(key === undefined ? {} : { key }) });
}

async function login(address?: string): Promise<number> {
  const input = createInterface({ input: process.stdin, output: process.stderr });
  const lines = input[Symbol.asyncIterator]();
  const ask = async (question: string) => {
    process.stderr.write(question);
    return String((await lines.next()).value ?? "").trim();
  };
  const url = address ?? process.env.DISPENSE_URL ?? (await ask("Address, such as https://api.example.com: "));
  const key = process.env.DISPENSE_KEY ?? (await ask("API key (ds_test_… or ds_live_…): "));
  input.close();
  const { balance, currency } = await new Dispense({ url, key }).getWalletBalance();
  const file = keptFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ url, key }), { mode: 0o600 });
  chmodSync(file, 0o600);
  console.log(`Logged in. The wallet holds ${currency} ${balance}. Kept in ${file}.`);
  return 0;
}

const purchases = {
  airtime: "buyAirtime",
  data: "buyData",
  electricity: "buyElectricity",
  cable: "buyCable",
  education: "buyEducation",
  giftcard: "buyGiftcard",
  esim: "buyEsim",
  betting: "fundBetting",
  internet: "buyInternet",
  voice: "buyVoice",
  sms: "sendSms",
  "recharge-pin": "buyRechargePins",
} as const;

async function buy([what = "", ...fields]: readonly string[]): Promise<number> {
  if (!(what in purchases)) return complain(`buy sells ${Object.keys(purchases).join(", ")}.`);
  const method = purchases[what as keyof typeof purchases];
  const body = Object.fromEntries(
    fields.map((field) => {
      const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(field) ?? [];
      if (name === undefined) throw new TypeError(`“${field}” is no field=value.`);
      return [name, value];
    }),
  );
  const dispense = client();
  const sale = await dispense[method](body as never);
  const end = sale.status === "pending" ? await dispense.waitFor(sale.reference) : sale;
  console.log(JSON.stringify(end, null, 2));
  return end.status === "successful" ? 0 : 1;
}

function lineOf({ created_at: at, event, id, payload }: ListedEvent): string {
  const {
    reference = "",
    status = "",
    message = "",
  } = payload.data as { reference?: string; status?: string; message?: string };
  return [at, event, id, reference, status, message].filter(Boolean).join("  ");
}

/** Hands over each event from now on, until the program is stopped. */
async function follow(tell: (event: ListedEvent) => Promise<void>): Promise<number> {
  const dispense = client();
  let after: string | undefined;
  for await (const { id } of dispense.listEvents({ per_page: 100 })) after = id;
  console.error("Waiting for events. Ctrl-C ends it.");
  for (;;) {
    for await (const event of dispense.listEvents({ per_page: 100, ...(after === undefined ? {} : { after }) })) {
      after = event.id;
      await tell(event);
    }
    await sleep(pollMs);
  }
}

async function listen({
  forward,
  secret = testSecret(),
}: {
  forward?: string | undefined;
  secret?: string | undefined;
}) {
  if (forward === undefined || !URL.canParse(forward))
    return complain("listen needs --forward http://localhost:3000/hook.");
  console.error(`Your receiver's secret for this session: ${secret}`);
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
    };
    const answer = await fetch(forward, { method: "POST", headers, body, redirect: "manual" }).catch((error) => error);
    const said = answer instanceof Response ? `HTTP ${answer.status}` : `no answer: ${answer.cause?.code ?? answer}`;
    console.log(`${lineOf(event)}  → ${said}`);
  });
}

async function trigger(event = "webhook.test"): Promise<number> {
  const { delivery_id: id } = await client().sendTestEvent({ event: event as EventName });
  console.log(`Sent as delivery ${id}.`);
  return 0;
}

async function verify(given: { secret?: string | undefined; headers?: string | undefined; body?: string | undefined }) {
  const { secret, headers, body } = given;
  if (secret === undefined || headers === undefined || body === undefined) {
    return complain("verify needs --secret, --headers FILE with a header in each line, and --body FILE.");
  }
  const lines = readFileSync(headers, "utf8").split(/\r?\n/);
  const named = lines.flatMap((line) => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  try {
    const { event, delivery_id: id } = verifyWebhook(readFileSync(body), Object.fromEntries(named), secret);
    console.log(`Right: ${event}, delivery ${id}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`Not right (${error.reason}): ${error.message}`);
    return 1;
  }
}
