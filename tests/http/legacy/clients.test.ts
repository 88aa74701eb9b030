import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { expectLegacyError } from "../../support/legacy-endpoint.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { sharedApp } from "../../support/shared-app.ts";

// Scripts as resellers' customers run them. Nothing in them was written for this service: only base URL and key change.
const clients = path.resolve(import.meta.dirname, "../../fixtures/legacy-clients");
const run = promisify(execFile);

const app = await sharedApp();

async function outputOf(program: string, file: string, key: string): Promise<string[]> {
  const env = { ...process.env, BASE_URL: app.url, API_TOKEN: key };
  const { stdout } = await run(program, [path.join(clients, file)], { env, timeout: 60_000 });
  return stdout.trimEnd().split("\n");
}

const transcript = [
  "balance: 100000.00",
  "plan: 1GB for 640.00",
  "data: successful, balance 99360.00",
  "again: refused, Duplicate transaction. The same was asked for less than 30 seconds ago.",
  "airtime: processing, balance 99263.20",
  "asked: processing, balance 99263.20",
  "failing: failed, balance 99263.20",
  "mistyped: refused, Invalid token.",
];

const hasPython = succeeds("python3", ["--version"]);
const hasPhp = succeeds("php", ["-r", "exit(function_exists('curl_init') ? 0 : 1);"]);

function succeeds(program: string, parameters: readonly string[]): boolean {
  return spawnSync(program, parameters).status === 0;
}

describe("a script works by changing its base URL and key", () => {
  test("the one in Node", async () => {
    const { testKey } = await app.createMerchant();
    expect(await outputOf(process.execPath, "vend.cjs", testKey)).toEqual(transcript);
  });

  test.runIf(hasPython)("the one in Python, where Python is installed", async () => {
    const { testKey } = await app.createMerchant();
    expect(await outputOf("python3", "vend.py", testKey)).toEqual(transcript);
  });

  test.runIf(hasPhp)("the one in PHP, where PHP is installed", async () => {
    const { testKey } = await app.createMerchant();
    expect(await outputOf("php", "vend.php", testKey)).toEqual(transcript);
  });
});

/** A request as PHP 8.2's cURL wrote it to its socket; kept with plain line ends. */
function recorded(name: string, key: string): { head: string[]; body: string } {
  const text = readFileSync(path.join(clients, "php-curl", `${name}.http`), "utf8");
  const { host } = new URL(app.url);
  const filled = text.replace("{{host}}", host).replace("{{key}}", key).replaceAll("\n", "\r\n");
  const end = filled.indexOf("\r\n\r\n");
  return { head: filled.slice(0, end).split("\r\n"), body: filled.slice(end + 4) };
}

describe("the bytes that PHP's cURL sends", () => {
  test.each([
    ["json", "a text with its content type"],
    ["json-called-a-form", "a text without one"],
    ["form", "http_build_query"],
    ["multipart", "an array"],
  ])("%s: %s buys, and the same again is a repetition", async (name) => {
    const { testKey } = await app.createMerchant();
    const request = recorded(name, testKey);
    const length = /^Content-Length: ([0-9]+)$/m.exec(request.head.join("\n"))?.[1];
    expect(Buffer.byteLength(request.body)).toBe(Number(length));

    const answer = await sendRaw(app.url, request);
    if (answer === null) throw new Error("no answer");
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ Status: "successful", plan: 2, mobile_number: "08031234567", Ported_number: true }),
    ]);
    const again = await sendRaw(app.url, request);
    if (again === null) throw new Error("no answer");
    expectLegacyError(again, 400, ["Duplicate transaction…"]);
  });
});
