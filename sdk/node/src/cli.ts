import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { buy } from "./cli/buy.ts";
import { listen, tail } from "./cli/follow.ts";
import { knownClient, login } from "./cli/login.ts";
import { DispenseError } from "./errors.ts";
import type { EventName } from "./generated/types.ts";
import { verifyWebhook, WebhookVerificationError } from "./webhooks.ts";

const help = `dispense: the merchant API at a terminal

  login                       keep address and key in a file that only you can read
  buy WHAT field=value …      buy airtime network=MTN phone=08031234567 amount=100
  tail                        print what happens from now on
  listen --forward URL        send what happens to a receiver on this machine, signed for it
  trigger EVENT               have the service send an example to your webhook
  verify --secret S --headers FILE --body FILE
                              say whether a webhook's signature is right, and why not

  --yes                       buy with a live key, or replace a login, without being asked
Address and key: DISPENSE_URL and DISPENSE_KEY, else what login kept.`;

const options = {
  forward: { type: "string" },
  secret: { type: "string" },
  headers: { type: "string" },
  body: { type: "string" },
  url: { type: "string" },
  yes: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Runs one command. @returns the exit code: 0 done, 1 refused or not right, 2 not understood */
export async function run(words: readonly string[]): Promise<number> {
  let given: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    given = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    return complain((error as Error).message);
  }
  const [command, ...rest] = given.positionals;
  const isAgreed = given.values.yes === true;
  const commands: Readonly<Record<string, () => Promise<number>>> = {
    login: () => login(given.values.url, isAgreed),
    buy: () => buy(rest, isAgreed),
    tail,
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
    // A word that is not understood, or a file that can't be read.
    if (error instanceof TypeError || (error instanceof Error && "syscall" in error)) return complain(error.message);
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
  if (charged === "unknown") {
    console.error(
      `  It may have been bought. The same command with reference=${reference} asks, and buys it once at most.`,
    );
  }
  if (docUrl !== null) console.error(`  ${docUrl}`);
  return 1;
}

async function trigger(event = "webhook.test"): Promise<number> {
  const { delivery_id: id } = await knownClient().dispense.sendTestEvent({ event: event as EventName });
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
