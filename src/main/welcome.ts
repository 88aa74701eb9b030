import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Product } from "../categories/product/product.ts";
import { createMerchants } from "../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../domain/merchants/merchant.ts";
import { listMerchants } from "../domain/merchants/queries.ts";
import type { Clock } from "../kernel/clock.ts";
import type { MerchantId } from "../kernel/ids.ts";
import { openDataDirectory, replacePrivately } from "../platform/data-directory/data-directory.ts";
import type { Database } from "../platform/database/database.ts";
import { lockFirstStart } from "../platform/database/migrate.ts";
import { knowsCallers, operatorCommand } from "../platform/operator-call.ts";
import { merchantPrefix } from "./build-http.ts";
import type { Config } from "./configuration/config.ts";

/** The text for a person once a process without the API works. */
export function workersWelcome(baseUrl: string): string {
  return `Dispense's workers run; ${baseUrl}/readyz tells whether they keep up.\n`;
}

/** The text for a person once a process that serves the consoles alone answers. */
export function consoleWelcome(url: string): string {
  return `Dispense's dashboard runs at ${url}/log-in; other processes serve the API.\n`;
}

/** The text where nothing more could be read. */
export function shortWelcome(baseUrl: string): string {
  return `Dispense runs at ${baseUrl}\n`;
}

/** The text for a person once the service answers: where it is, and a line to copy. */
export function welcomeText(options: {
  readonly baseUrl: string;
  readonly sandboxKey: string | null;
  /** Where the dashboard begins; a link that logs in where there is one. Null: this process serves no console. */
  readonly dashboard: { readonly url: string; readonly logsIn: boolean } | null;
  /** Any, whose keys were shown before; null where nobody was made a merchant yet. */
  readonly merchantId: MerchantId | null;
  readonly dataPlan: Product | null;
  /** A link that makes the first admin of the company's console; null where there is one, or no console. */
  readonly firstOperator: string | null;
  readonly reference: string;
  readonly config: Pick<Config, "dataDirectory" | "smtpUrl">;
}): string {
  const { baseUrl, sandboxKey, merchantId, dataPlan, dashboard, firstOperator, config } = options;
  const operator = commandFor(config);
  const lines = ["", `Dispense runs at ${baseUrl}`];
  if (dashboard !== null)
    lines.push(`  Dashboard  ${dashboard.url}${dashboard.logsIn ? "  (good once, for an hour)" : ""}`);
  if (firstOperator !== null) lines.push(`  Operator   ${firstOperator}  (makes the first admin, once, for an hour)`);
  else if (dashboard !== null) lines.push(`  Operator   ${baseUrl}/operator`);
  if (dashboard !== null && config.smtpUrl === null)
    lines.push(`  Emails     stay here, as SMTP_URL isn't set; read them: ${operator} emails`);
  lines.push(`  API        ${baseUrl}${merchantPrefix}`, `  Docs       ${baseUrl}/docs`);
  if (sandboxKey === null) {
    if (dashboard !== null && merchantId !== null)
      lines.push(`  Log in     a link that logs an owner in: ${operator} login-link ${formatMerchantId(merchantId)}`);
    lines.push(`  Keys       ${keysText(operator, merchantId)}`);
    return `${lines.join("\n")}\n`;
  }
  lines.push(`  Key        ${sandboxKey}  (sandbox; shown this once)`);
  if (dataPlan !== null) {
    const body = JSON.stringify({ product_id: dataPlan.id, phone: "08031234567", reference: options.reference });
    lines.push(
      "",
      `Buy ${dataPlan.name} in the sandbox:`,
      `  curl -sS ${baseUrl}${merchantPrefix}/data/purchase -H 'Authorization: Bearer ${sandboxKey}' -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** The operator's command as it works in a shell that knows nothing of how the service was started. */
function commandFor({ dataDirectory }: Pick<Config, "dataDirectory">): string {
  const isUsual = path.resolve(dataDirectory) === path.resolve("data") || !knowsCallers;
  const word = /^[\w./-]+$/.test(dataDirectory) ? dataDirectory : `'${dataDirectory.replaceAll("'", "'\\''")}'`;
  return `${isUsual ? "" : `DATA_DIR=${word} `}${operatorCommand}`;
}

/** No demo merchant is made in production. */
function keysText(operator: string, merchantId: MerchantId | null): string {
  return merchantId === null
    ? `there are none yet; make a merchant: ${operator} create-merchant --name NAME --email ADDRESS`
    : `are shown once, when they are made; make another: ${operator} create-key ${formatMerchantId(merchantId)} --mode test`;
}

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Writes into the data directory where people reach the console, for commands that make links: they run without the
 * service's settings, and no setting names a port that was free. A disk that can't be written keeps nobody from selling.
 * @returns how to forget it
 */
export async function keepConsoleAddress(dataDirectory: string, address: string): Promise<() => Promise<void>> {
  const file = fileIn(dataDirectory);
  await openDataDirectory(dataDirectory)
    .then(() => replacePrivately(file, `${address}\n`))
    .catch(() => {});
  return () => rm(file, { force: true }).catch(() => {});
}

/**
 * Where people reach the console: PUBLIC_URL, else where it runs on this data directory, else this machine's address where
 * the settings name that; else null.
 */
export async function consoleAddress(config: Config): Promise<string | null> {
  const { publicUrl, host, port, tlsCert } = config;
  if (publicUrl !== null) return publicUrl;
  const running = await readFile(fileIn(config.dataDirectory), "utf8").catch(() => null);
  if (running !== null) return running.trim();
  if (!loopback.has(host) || port === 0) return null;
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tlsCert === null ? "http" : "https"}://${name}:${port}`;
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, "address");
}

/** The demo merchant is recognised by this email address, which belongs to nobody. */
export const demoMerchantEmail = "demo@example.com";

/**
 * Creates a merchant to try the sandbox with, where there is no merchant at all. Never in production.
 * @returns its sandbox key, which cannot be read again; null where merchants exist
 */
export function createDemoMerchant(database: Database, clock: Clock): Promise<string | null> {
  // The lock is held while another connection creates the merchant: a second process that starts meanwhile sees it.
  return database.transaction(async (tx) => {
    await lockFirstStart(tx);
    return (await listMerchants(tx, 0, 1)).length > 0 ? null : createOne(database, clock);
  });
}

async function createOne(database: Database, clock: Clock): Promise<string | null> {
  let testKey: string | null = null;
  await createMerchants(
    { database, clock, randomness: randomBytes },
    {
      name: "Demo merchant",
      email: demoMerchantEmail,
      count: 1,
      approved: false,
      credit: null,
      testCredit: null,
      createdBy: "first start",
    },
    ([merchant]) => {
      testKey = merchant?.testKey ?? null;
    },
  );
  return testKey;
}
