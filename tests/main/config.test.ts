import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/main/configuration/config.ts";

const defaults = {
  host: "127.0.0.1",
  port: 8080,
  databaseUrl: null,
  migrationsDatabaseUrl: null,
  readDatabaseUrl: null,
  dataDirectory: "./data",
  databasePool: 20,
  apiProcesses: 1,
  role: "all",
  isConsoleOn: true,
  signUp: "open",
  liveKeysNeedTwoStep: false,
  smtpUrl: null,
  emailsFrom: null,
  commonPasswordsFile: null,
  timeZone: "Africa/Lagos",
  rateLimitPerMinute: 120,
  bulkLinesPerMinute: 100_000,
  bulkBytesPerMinute: 40_000_000,
  sandboxPendingSeconds: 20,
  legacyHoldSeconds: 25,
  tlsCert: null,
  tlsKey: null,
  publicUrl: null,
  trustedProxies: [],
  metricsReaders: [],
  webhookAllowPrivate: false,
  webhookLogDays: 30,
  supplierOrigins: [],
  encryptionKeys: [],
  creditAloneMax: 100_000_000n,
  isProduction: false,
  logLevel: "info",
  logFormat: null,
  logSample: 0.1,
};

const keyText = Buffer.alloc(32, 7).toString("base64");

function complaintsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n");
  }
}

describe("settings", () => {
  test("have defaults, which empty variables keep", () => {
    expect(readConfig({})).toEqual(defaults);
    expect(readConfig({ PORT: "", TRUSTED_PROXIES: " ", DATABASE_URL: "" })).toEqual(defaults);
  });

  test("are all taken from the environment", () => {
    const config = readConfig({
      HOST: "::",
      PORT: "9090",
      DATABASE_URL: "postgresql://me:secret@db.example:5433/dispense?sslmode=require",
      MIGRATIONS_DATABASE_URL: "postgresql://owner:secret@db.example:5433/dispense",
      READ_DATABASE_URL: "postgresql://me:secret@standby.example/dispense",
      DATA_DIR: "/var/lib/dispense",
      DATABASE_POOL: "40",
      API_PROCESSES: "4",
      ROLE: "api",
      CONSOLE: "off",
      SIGN_UP: "confirm",
      LIVE_KEYS_TWO_STEP: "on",
      SMTP_URL: "smtps://user:secret@mail.example.ng:465",
      EMAILS_FROM: "Kobo House <hello@kobo.example>",
      COMMON_PASSWORDS_FILE: "/etc/dispense/passwords.txt",
      TIME_ZONE: "Europe/Berlin",
      RATE_LIMIT_PER_MINUTE: "100000000",
      BULK_LINES_PER_MINUTE: "20000",
      BULK_BYTES_PER_MINUTE: "5000000",
      SANDBOX_PENDING_SECONDS: "1",
      LEGACY_HOLD_SECONDS: "0",
      TLS_CERT: "/etc/dispense/certificate.pem",
      TLS_KEY: "/etc/dispense/key.pem",
      PUBLIC_URL: "https://API.example.ng/",
      TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,2001:db8::/32",
      METRICS_FROM: "10.1.0.0/16",
      WEBHOOK_ALLOW_PRIVATE: "true",
      WEBHOOK_LOG_DAYS: "7",
      SUPPLIER_ORIGINS: "https://VTpass.com:443/, http://127.0.0.1:8081",
      ENCRYPTION_KEY: `${keyText}, ${Buffer.alloc(32, 8).toString("base64")}`,
      CREDIT_ALONE_MAX: "250000.5",
      NODE_ENV: "production",
      LOG_LEVEL: "DEBUG",
      LOG_FORMAT: "json",
      LOG_SAMPLE: "0.25",
    });
    const textsOf = (ranges: typeof config.trustedProxies) => ranges.map(({ text }) => text);
    const { trustedProxies, metricsReaders } = config;
    expect({ ...config, trustedProxies: textsOf(trustedProxies), metricsReaders: textsOf(metricsReaders) }).toEqual({
      host: "::",
      port: 9090,
      databaseUrl: "postgresql://me:secret@db.example:5433/dispense?sslmode=require",
      migrationsDatabaseUrl: "postgresql://owner:secret@db.example:5433/dispense",
      readDatabaseUrl: "postgresql://me:secret@standby.example/dispense",
      dataDirectory: "/var/lib/dispense",
      databasePool: 40,
      apiProcesses: 4,
      role: "api",
      isConsoleOn: false,
      signUp: "confirm",
      liveKeysNeedTwoStep: true,
      smtpUrl: "smtps://user:secret@mail.example.ng:465",
      emailsFrom: "Kobo House <hello@kobo.example>",
      commonPasswordsFile: "/etc/dispense/passwords.txt",
      timeZone: "Europe/Berlin",
      rateLimitPerMinute: 100_000_000,
      bulkLinesPerMinute: 20_000,
      bulkBytesPerMinute: 5_000_000,
      sandboxPendingSeconds: 1,
      legacyHoldSeconds: 0,
      tlsCert: "/etc/dispense/certificate.pem",
      tlsKey: "/etc/dispense/key.pem",
      publicUrl: "https://api.example.ng",
      trustedProxies: ["127.0.0.1/32", "10.0.0.0/8", "2001:db8::/32"],
      metricsReaders: ["10.1.0.0/16"],
      webhookAllowPrivate: true,
      webhookLogDays: 7,
      supplierOrigins: ["https://vtpass.com", "http://127.0.0.1:8081"],
      encryptionKeys: [Buffer.alloc(32, 7), Buffer.alloc(32, 8)],
      creditAloneMax: 25_000_050n,
      isProduction: true,
      logLevel: "debug",
      logFormat: "json",
      logSample: 0.25,
    });
  });

  test.each([
    ["PUBLIC_URL", "api.example.ng"],
    ["CONSOLE", "perhaps"],
    ["SIGN_UP", "sometimes"],
    ["LIVE_KEYS_TWO_STEP", "yes"],
    ["EMAILS_FROM", "nobody"],
    ["EMAILS_FROM", "a@example.ng, b@example.ng"],
    ["PUBLIC_URL", "https://api.example.ng/v1"],
    ["PORT", "80a"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "8080.5"],
    ["HOST", "not a host"],
    ["DATABASE_POOL", "2"],
    ["API_PROCESSES", "0"],
    ["API_PROCESSES", "65"],
    ["ROLE", "everything"],
    ["TIME_ZONE", "Lagos/Africa"],
    ["RATE_LIMIT_PER_MINUTE", "0"],
    ["BULK_LINES_PER_MINUTE", "9999"],
    ["BULK_BYTES_PER_MINUTE", "4194303"],
    ["RATE_LIMIT_PER_MINUTE", "1e9"],
    ["SANDBOX_PENDING_SECONDS", "20s"],
    ["LEGACY_HOLD_SECONDS", "29"],
    ["CREDIT_ALONE_MAX", "-1"],
    ["CREDIT_ALONE_MAX", "100,00"],
    ["CREDIT_ALONE_MAX", "unlimited"],
    ["TRUSTED_PROXIES", "true"],
    ["TRUSTED_PROXIES", "1"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,::/0"],
    ["TRUSTED_PROXIES", "loopback"],
    ["WEBHOOK_ALLOW_PRIVATE", "maybe"],
    ["WEBHOOK_ALLOW_PRIVATE", "constructor"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "pretty"],
    ["LOG_SAMPLE", "1.5"],
    ["LOG_SAMPLE", "10%"],
  ])("%s=%s stops the start and names the variable, what was given and what is accepted", (name, value) => {
    const [complaint, ...more] = complaintsOf({ [name]: value });
    expect(complaint).toMatch(new RegExp(`^${name} must be .+; not `));
    expect(complaint).toContain(JSON.stringify(value));
    expect(more).toEqual([]);
  });

  test("that are wrong are named all at once", () => {
    const names = complaintsOf({ PORT: "x", ROLE: "y", LOG_LEVEL: "z" }).map((complaint) => complaint.split(" ")[0]);
    expect(names).toEqual(["PORT", "ROLE", "LOG_LEVEL"]);
  });

  test("that may hold a password are never repeated", () => {
    const [complaint] = complaintsOf({ DATABASE_URL: "mysql://me:hunter2@db/x" });
    expect(complaint).toMatch(/^DATABASE_URL must be a postgresql:\/\/ address; what was given is not shown\.$/);
  });

  test.each(["secret", keyText.slice(0, 20), `${keyText},`, `${keyText} ${keyText}`])(
    "that are no encryption key (%j) stop the start and are not repeated",
    (text) => {
      const [complaint, ...more] = complaintsOf({ ENCRYPTION_KEY: text });
      expect(complaint).toMatch(
        /^ENCRYPTION_KEY must be 32 random bytes in base64, .+; what was given is not shown\.$/,
      );
      expect(more).toEqual([]);
    },
  );

  test.each(["mail.example.ng", "http://me:hunter2@mail.example.ng", "smtp://me:hunter2@mail/x"])(
    "that are no mail server (%s) stop the start and are not repeated",
    (text) => {
      const [complaint, ...more] = complaintsOf({ SMTP_URL: text });
      expect(complaint).toMatch(/^SMTP_URL must be the address of a mail server, .+; what was given is not shown\.$/);
      expect(more).toEqual([]);
    },
  );

  test("demand an address for the role that serves, where there is one for the role that migrates", () => {
    expect(complaintsOf({ MIGRATIONS_DATABASE_URL: "postgresql://me:hunter2@db/x" })).toEqual([
      "DATABASE_URL must be set where MIGRATIONS_DATABASE_URL is: the first one serves, the other migrates.",
    ]);
  });

  test("demand the address of the primary where there is one for its standby", () => {
    expect(complaintsOf({ READ_DATABASE_URL: "postgresql://me:hunter2@db/x" })).toEqual([
      "DATABASE_URL must be set where READ_DATABASE_URL is: the second one is a standby of the first.",
    ]);
  });

  test("let a worker and a console be one process each", () => {
    for (const ROLE of ["worker", "console"]) {
      expect(complaintsOf({ ROLE, API_PROCESSES: "2" })).toEqual([
        `API_PROCESSES is for ROLE=all and ROLE=api: a process with ROLE=${ROLE} stays one.`,
      ]);
      expect(complaintsOf({ ROLE, API_PROCESSES: "1" })).toEqual([]);
    }
    expect(readConfig({ API_PROCESSES: "auto" }).apiProcesses).toBe(availableParallelism());
  });

  test("demand an encryption key in production, where the database is shared", () => {
    const url = { DATABASE_URL: "postgresql://me@db/x" };
    expect(complaintsOf({ ...url, NODE_ENV: "production" })).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEY must be set in production with a DATABASE_URL: .*openssl/),
    ]);
    expect(complaintsOf({ ...url, NODE_ENV: "production", ENCRYPTION_KEY: "x" })).toHaveLength(1);
    for (const sound of [
      { ...url, NODE_ENV: "production", ENCRYPTION_KEY: keyText },
      { ...url, NODE_ENV: "staging" },
      { ...url },
      { NODE_ENV: "production" },
    ]) {
      expect(complaintsOf(sound)).toEqual([]);
    }
  });

  test("are all in .env.example, with their defaults and nothing else", () => {
    const text = readFileSync(path.resolve(import.meta.dirname, "../../.env.example"), "utf8");
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const example = Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)));
    expect(readConfig(example)).toEqual(defaults);
    const source = readFileSync(path.resolve(import.meta.dirname, "../../src/main/configuration/config.ts"), "utf8");
    const names = [
      ...source.matchAll(/(?:name: |whole\(|pathOf\(|databaseAddress\(|onOrOff\(|oneOf(?:<\w+>)?\()"([A-Z_]+)"/g),
    ].map((match) => match[1]);
    expect(Object.keys(example).sort()).toEqual(names.sort());
  });
});
