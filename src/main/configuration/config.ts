import { availableParallelism } from "node:os";
import { usualBulkLimits } from "../../domain/bulk-orders/bulk-order.ts";
import { type Kobo, kobo, readAmount, zeroKobo } from "../../kernel/money.ts";
import { StartError } from "../../kernel/start-error.ts";
import type { AddressRange } from "../../platform/address.ts";
import type { LogFormat } from "../../platform/telemetry/log.ts";
import { originOf, readKeys, readOrigins, readRanges } from "./config-lists.ts";

/** The service's settings, read once. `.env.example` says what each is for. */
export type Config = { readonly [Name in keyof typeof settings]: (typeof settings)[Name]["otherwise"] };

export type Environment = Readonly<Record<string, string | undefined>>;

/** How one setting is read. Null when the text is none of what `accepts` says. */
interface Setting<T> {
  readonly name: string;
  readonly accepts: string;
  readonly otherwise: T;
  /** Its value is never repeated, not even in a complaint. */
  readonly secret?: boolean;
  readonly read: (text: string) => T | null;
}

/**
 * Reads the settings. An empty variable counts as unset.
 * @throws StartError naming every wrong variable, what was given and what is accepted
 */
export function readConfig(environment: Environment): Config {
  const complaints: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const text = environment[setting.name]?.trim() ?? "";
    if (text === "") return setting.otherwise;
    const value = setting.read(text);
    if (value !== null) return value;
    complaints.push(complaint(setting, text));
    return setting.otherwise;
  };
  const values = Object.entries(settings).map(([name, setting]) => [name, read(setting)]);
  const config = Object.fromEntries(values) as Config;
  // A key that this process makes for itself opens nothing on the next machine, or after this one's disk is gone.
  const isShared = config.isProduction && config.databaseUrl !== null;
  if (isShared && (environment.ENCRYPTION_KEY ?? "").trim() === "") {
    complaints.push(
      `ENCRYPTION_KEY must be set in production with a DATABASE_URL: ${settings.encryptionKeys.accepts}.`,
    );
  }
  if (config.migrationsDatabaseUrl !== null && config.databaseUrl === null) {
    complaints.push(
      "DATABASE_URL must be set where MIGRATIONS_DATABASE_URL is: the first one serves, the other migrates.",
    );
  }
  if (config.readDatabaseUrl !== null && config.databaseUrl === null) {
    complaints.push("DATABASE_URL must be set where READ_DATABASE_URL is: the second one is a standby of the first.");
  }
  if (config.role === "console" && !config.isConsoleOn) {
    complaints.push("CONSOLE is off and ROLE is console: nothing would be left to serve.");
  }
  if (config.apiProcesses > 1 && (config.role === "console" || config.role === "worker")) {
    complaints.push(`API_PROCESSES is for ROLE=all and ROLE=api: a process with ROLE=${config.role} stays one.`);
  }
  if (complaints.length > 0) throw new StartError(complaints.join("\n"));
  return config;
}

/** More than that and a larger machine's primary is busy long before. */
const processesMax = 64;

const settings = {
  // Not 0.0.0.0: who tries the service out on a laptop must not offer it to the whole café.
  host: setting<string>({
    name: "HOST",
    accepts: "an address or name of this machine, such as 127.0.0.1 or 0.0.0.0",
    otherwise: "127.0.0.1",
    read: matching(/^[A-Za-z0-9.:_%-]{1,255}$/),
  }),
  port: whole("PORT", { minimum: 0, maximum: 65_535, otherwise: 8_080 }),
  /** PEM files that https is served with; both or neither. */
  tlsCert: pathOf("TLS_CERT", "the path of a PEM file with the certificate and those that lead to it"),
  tlsKey: pathOf("TLS_KEY", "the path of a PEM file with the certificate's key"),
  /** The address that merchants know the service by, such as https://api.example.ng. Null: as each reached it. */
  publicUrl: setting<string | null>({
    name: "PUBLIC_URL",
    accepts: "the address that merchants reach the service at, such as https://api.example.ng (no path)",
    otherwise: null,
    read: originOf,
  }),
  /** Null: PostgreSQL of our own, under the data directory. */
  databaseUrl: databaseAddress("DATABASE_URL"),
  /** The same database as the role that migrates, which owns everything. Null: one role serves and migrates. */
  migrationsDatabaseUrl: databaseAddress("MIGRATIONS_DATABASE_URL"),
  /** A standby of it, for what may be read up to a minute old. Null: all is read at DATABASE_URL. */
  readDatabaseUrl: databaseAddress("READ_DATABASE_URL"),
  dataDirectory: setting<string>({
    name: "DATA_DIR",
    accepts: "the path of a folder",
    otherwise: "./data",
    read: matching(/^[^\0]{1,4000}$/),
  }),
  databasePool: whole("DATABASE_POOL", { minimum: 8, maximum: 1_000, otherwise: 20 }),
  /** How many processes answer the API. From two on, the workers have another one to themselves. */
  apiProcesses: setting<number>({
    name: "API_PROCESSES",
    accepts: `auto (one for each core), or a whole number from 1 to ${processesMax}`,
    otherwise: 1,
    read: (text) => (text === "auto" ? Math.min(availableParallelism(), processesMax) : wholeIn(text, 1, processesMax)),
  }),
  role: oneOf("ROLE", ["all", "api", "console", "worker"], "all"),
  /** Whether this process serves the consoles. */
  isConsoleOn: onOrOff("CONSOLE", true),
  /** The way in for new merchants; confirm: an operator resumes each new merchant before it can do anything. */
  signUp: oneOf("SIGN_UP", ["open", "confirm", "closed"], "open"),
  /** Whether whoever makes, rotates or revokes live keys, or sets who may call with them, must use two-step login. */
  liveKeysNeedTwoStep: onOrOff("LIVE_KEYS_TWO_STEP", false),
  /** Where emails are handed to. Null: they stay in the database, where an operator reads them. */
  smtpUrl: setting<string | null>({
    name: "SMTP_URL",
    accepts: "the address of a mail server, such as smtps://user:password@mail.example.ng:465",
    otherwise: null,
    secret: true,
    read: matching(/^smtps?:\/\/[^\s/?#]+(\?\S*)?$/),
  }),
  /** The sender of emails. Null: dispense@ and the host of PUBLIC_URL. */
  emailsFrom: setting<string | null>({
    name: "EMAILS_FROM",
    accepts: "an e-mail address, alone or as: Name <address>",
    otherwise: null,
    read: matching(
      /^(?:[^<>@",;:\p{C}]{1,100} <[^\s<>@",;:]{1,64}@[^\s<>@",;:]{1,189}>|[^\s<>@",;:]{1,64}@[^\s<>@",;:]{1,189})$/u,
    ),
  }),
  /** Passwords that are refused besides the well-known ones, one a line. */
  commonPasswordsFile: pathOf("COMMON_PASSWORDS_FILE", "the path of a text file with a password on each line"),
  timeZone: setting<string>({
    name: "TIME_ZONE",
    accepts: "the name of a time zone, such as Africa/Lagos",
    otherwise: "Africa/Lagos",
    read: (text) => (isTimeZone(text) ? text : null),
  }),
  rateLimitPerMinute: whole("RATE_LIMIT_PER_MINUTE", { minimum: 1, maximum: 1_000_000_000, otherwise: 120 }),
  // At least one order of the largest size.
  /** The limits for all bulk orders of one merchant together, a minute. */
  bulkLinesPerMinute: whole("BULK_LINES_PER_MINUTE", {
    minimum: 10_000,
    maximum: 1_000_000_000,
    otherwise: usualBulkLimits.lines,
  }),
  bulkBytesPerMinute: whole("BULK_BYTES_PER_MINUTE", {
    minimum: 4_194_304,
    maximum: 1_000_000_000,
    otherwise: usualBulkLimits.bytes,
  }),
  sandboxPendingSeconds: whole("SANDBOX_PENDING_SECONDS", { minimum: 0, maximum: 3_600, otherwise: 20 }),
  // The most impatient of the legacy clients give up after 30 seconds.
  /** For how long a live answer of the legacy endpoints waits for the end of its purchase. */
  legacyHoldSeconds: whole("LEGACY_HOLD_SECONDS", { minimum: 0, maximum: 28, otherwise: 25 }),
  // No number and no `true`: a count of hops, or trust in everyone, lets callers choose the address they come from.
  trustedProxies: setting<readonly AddressRange[]>({
    name: "TRUSTED_PROXIES",
    accepts: "addresses or CIDR ranges of your own proxies, separated by commas, such as 10.0.0.0/8 (none of them /0)",
    otherwise: [],
    read: readRanges,
  }),
  /** The addresses of other machines that may read /metrics. */
  metricsReaders: setting<readonly AddressRange[]>({
    name: "METRICS_FROM",
    accepts: "addresses or CIDR ranges of whoever collects metrics, separated by commas (none of them /0)",
    otherwise: [],
    read: readRanges,
  }),
  webhookAllowPrivate: setting<boolean>({
    name: "WEBHOOK_ALLOW_PRIVATE",
    accepts: "true or false",
    otherwise: false,
    read: yesOrNo,
  }),
  /** Attempts older than this are deleted from the delivery log. */
  webhookLogDays: whole("WEBHOOK_LOG_DAYS", { minimum: 1, maximum: 3_650, otherwise: 30 }),
  /** Live purchases are sent to these origins alone. */
  supplierOrigins: setting<readonly string[]>({
    name: "SUPPLIER_ORIGINS",
    accepts:
      "origins of your suppliers' APIs, separated by commas, such as https://vtpass.com (no path, no credentials)",
    otherwise: [],
    read: readOrigins,
  }),
  /** Keys of the secrets in the database: the first one seals, all open. None: a key in the data directory is used. */
  encryptionKeys: setting<readonly Buffer[]>({
    name: "ENCRYPTION_KEY",
    accepts:
      "32 random bytes in base64, as openssl rand -base64 32 prints them; older keys after it, separated by commas",
    otherwise: [],
    secret: true,
    read: readKeys,
  }),
  /** The most that one person may credit to a live wallet without a second person, in kobo. */
  creditAloneMax: setting<Kobo>({
    name: "CREDIT_ALONE_MAX",
    accepts: "an amount in naira such as 1000000.00, or 0 where nobody credits a live wallet alone",
    otherwise: kobo(100_000_000n),
    read: (text) => (/^0(\.00?)?$/.test(text) ? zeroKobo : readAmount(text)),
  }),
  // Other programs have other names for where they run; only this one means anything here.
  isProduction: setting<boolean>({
    name: "NODE_ENV",
    accepts: "anything",
    otherwise: false,
    read: (text) => text === "production",
  }),
  logLevel: oneOf("LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
  /** Null: plain where standard output is a terminal, JSON elsewhere. */
  logFormat: setting<LogFormat | null>({ ...oneOf("LOG_FORMAT", ["json", "plain"], "json"), otherwise: null }),
  /** The share of wide lines without trouble that is written, once a second has brought a hundred of them. */
  logSample: setting<number>({
    name: "LOG_SAMPLE",
    accepts: "a share from 0 to 1, such as 0.1",
    otherwise: 0.1,
    read: shareOf,
  }),
};

function setting<T>(of: Setting<T>): Setting<T> {
  return of;
}

function shareOf(text: string): number | null {
  return /^(0|1|0\.[0-9]{1,6}|1\.0{1,6})$/.test(text) ? Number(text) : null;
}

function complaint(setting: Setting<unknown>, text: string): string {
  const given = setting.secret === true ? "what was given is not shown" : `not ${JSON.stringify(text.slice(0, 100))}`;
  return `${setting.name} must be ${setting.accepts}; ${given}.`;
}

function databaseAddress(name: string): Setting<string | null> {
  const read = matching(/^postgres(ql)?:\/\/\S+$/);
  return { name, accepts: "a postgresql:// address", otherwise: null, secret: true, read };
}

function pathOf(name: string, accepts: string): Setting<string | null> {
  return { name, accepts, otherwise: null, read: matching(/^[^\0]{1,4000}$/) };
}

function matching(shape: RegExp): (text: string) => string | null {
  return (text) => (shape.test(text) ? text : null);
}

function whole(
  name: string,
  { minimum, maximum, otherwise }: { minimum: number; maximum: number; otherwise: number },
): Setting<number> {
  return {
    name,
    accepts: `a whole number from ${minimum} to ${maximum}`,
    otherwise,
    read: (text) => wholeIn(text, minimum, maximum),
  };
}

function wholeIn(text: string, minimum: number, maximum: number): number | null {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : null;
}

function oneOf<const T extends string>(name: string, values: readonly T[], otherwise: T): Setting<T> {
  return {
    name,
    accepts: `one of ${values.join(", ")}`,
    otherwise,
    read: (text) => values.find((value) => value === text.toLowerCase()) ?? null,
  };
}

function yesOrNo(text: string): boolean | null {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : null;
}

function onOrOff(name: string, otherwise: boolean): Setting<boolean> {
  const read = (text: string) => (/^(on|off)$/.test(text) ? text === "on" : null);
  return { name, accepts: "on or off", otherwise, read };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The environment, and for what it leaves open a `.env` in the working folder. @throws StartError when that is unreadable */
export function loadEnvironment(): Environment {
  try {
    process.loadEnvFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new StartError(`The file .env can't be read (${code}).`, { cause: error });
  }
  return process.env;
}
