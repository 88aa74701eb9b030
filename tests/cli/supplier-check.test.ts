import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { type StubServer, startStub } from "../support/suppliers/stub-server.ts";
import { vtpassKeys, vtpassStub } from "../support/suppliers/vtpass-stub.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

let fresh: FreshDatabase;
let stub: StubServer;
let scratch: ScratchDirectory;
beforeAll(async () => {
  [fresh, stub, scratch] = await Promise.all([stockedDatabase(), startStub(vtpassStub), makeScratchDirectory()]);
});
afterAll(async () => {
  await Promise.all([stub.close(), scratch.remove(), fresh.drop()]);
});
beforeEach(() => fresh.pool.query("truncate suppliers cascade"));

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: fresh.url, ENCRYPTION_KEY: testEncryptionKey, SUPPLIER_ORIGINS: stub.url });

const rightKeys = { api_key: vtpassKeys.apiKey, public_key: vtpassKeys.publicKey, secret_key: vtpassKeys.secretKey };

function add(name: string, keys: object, ...more: string[]) {
  const file = path.join(scratch.folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(keys));
  const settings = JSON.stringify({ base_url: `${stub.url}/api` });
  return run("supplier", "add", name, "--connector", "vtpass", "--settings", settings, "--credentials", file, ...more);
}

async function stored(): Promise<string[]> {
  const { rows } = await fresh.pool.query("select name from suppliers order by name");
  return rows.map(({ name }) => name);
}

test("a supplier is asked before it is stored: with wrong keys it is not, and the refusal says what to do", async () => {
  const refused = await add("vt", { ...rightKeys, public_key: "PK-CANARY" });
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.error).toMatch(
    /^The supplier was not stored, as its check failed:\n {2}credentials: no balance in its/,
  );
  expect(refused.error).toContain("INVALID CREDENTIALS");
  expect(refused.error).toContain("--no-check stores it as it is.");
  expect(refused.error).not.toContain("CANARY");
  expect(await stored()).toEqual([]);
  expect(await add("vt", rightKeys)).toMatchObject({ code: 0, out: "vt is there, spoken to by vtpass, enabled.\n" });
  // New settings that do not work leave those that do.
  const worse = await add("vt", { ...rightKeys, api_key: "wrong" });
  expect([worse.code, worse.out]).toEqual([1, ""]);
  expect((await run("supplier", "check", "vt")).code).toBe(0);
});

test("with --no-check it is stored unasked, and supplier check tells later what is wrong", async () => {
  const before = stub.log.length;
  expect((await add("vt", { ...rightKeys, public_key: "wrong" }, "--no-check")).code).toBe(0);
  expect(stub.log).toHaveLength(before);
  const checked = await run("supplier", "check", "vt");
  expect(checked.code).toBe(1);
  expect(checked.out).toMatch(/^address {7}ok {10}127\.0\.0\.1 is 127\.0\.0\.1$/m);
  expect(checked.out).toMatch(/^credentials {3}failed {6}no balance in its answer: GET \/balance -> 200 /m);
  expect(checked.out).toMatch(/^ {26}→ Compare the keys /m);
  const { lines } = await run("supplier", "check", "vt", "--json");
  expect(lines.map(({ supplier, check, verdict }) => [supplier, check, verdict])).toEqual([
    ["vt", "address", "ok"],
    ["vt", "tls", "ok"],
    ["vt", "credentials", "failed"],
    ["vt", "clock", "ok"],
    ["vt", "answer time", "ok"],
  ]);
});

test("a supplier that the service can't use is told as supplier.unusable by add and by check, whatever the reason", async () => {
  const elsewhere = (...words: string[]) =>
    operate(words, {
      DATABASE_URL: fresh.url,
      ENCRYPTION_KEY: testEncryptionKey,
      SUPPLIER_ORIGINS: "https://vt.example",
    });
  const settings = JSON.stringify({ base_url: `${stub.url}/api` });
  const file = path.join(scratch.folder, "unusable.json");
  writeFileSync(file, JSON.stringify(rightKeys));
  const words = ["--connector", "vtpass", "--settings", settings, "--credentials", file, "--no-check"];
  const added = await elsewhere("supplier", "add", "vt", ...words);
  const unusable = `supplier.unusable: the service sends nothing to vt, as SUPPLIER_ORIGINS does not name ${stub.url}`;
  expect([added.code, added.error]).toEqual([0, expect.stringContaining(unusable)]);
  const checked = await elsewhere("supplier", "check", "vt");
  expect([checked.code, checked.error]).toEqual([1, expect.stringContaining(unusable)]);
  expect((await run("supplier", "check", "vt")).error).not.toContain("supplier.unusable");

  // As a release that knew other settings may have stored it.
  await fresh.pool.query("update suppliers set settings = '{}' where name = 'vt'");
  const bare = await run("supplier", "check", "vt");
  expect([bare.code, bare.error]).toEqual([
    1,
    expect.stringMatching(/^supplier\.unusable: .* settings\.base_url is missing/),
  ]);
  await fresh.pool.query("update suppliers set credentials = 'broken' where name = 'vt'");
  const sealed = await run("supplier", "check", "vt");
  expect([sealed.code, sealed.error]).toEqual([
    1,
    expect.stringMatching(/^supplier\.unusable: .* credentials do not open/),
  ]);
});

test("who has no address has nothing to be checked; who is not there is not found", async () => {
  expect((await run("supplier", "add", "desk", "--connector", "manual")).code).toBe(0);
  const desk = await run("supplier", "check", "desk");
  expect([desk.code, desk.out]).toEqual([0, "desk is spoken to by manual: there is no address to check.\n"]);
  expect(await run("supplier", "check", "nobody")).toMatchObject({
    code: 1,
    error: "There is no supplier nobody: supplier list names them.\n",
  });
});

test("supplier balance asks, keeps what was told with its time, and says what was not told", async () => {
  await run("supplier", "add", "desk", "--connector", "manual");
  await add("vt", rightKeys);
  await run("supplier", "alarm", "vt", "--below", "300000.00");
  const reply = await run("supplier", "balance", "--json");
  const reportedAt = reply.lines[1].told_at;
  expect([reply.code, reply.lines]).toEqual([
    0,
    [
      {
        supplier: "desk",
        balance: null,
        currency: "NGN",
        told_at: null,
        alarm_below: null,
        low: false,
        note: "manual holds no money",
      },
      {
        supplier: "vt",
        balance: "251035.50",
        currency: "NGN",
        told_at: reportedAt,
        alarm_below: "300000.00",
        low: true,
        note: "LOW",
      },
    ],
  ]);
  expect(Math.abs(Date.parse(reportedAt) - Date.now())).toBeLessThan(60_000);
  await add("vt", { ...rightKeys, public_key: "wrong" }, "--no-check");
  const unreported = await run("supplier", "balance", "vt", "--json");
  expect([unreported.code, unreported.lines]).toEqual([
    1,
    [
      expect.objectContaining({
        balance: "251035.50",
        told_at: reportedAt,
        note: expect.stringMatching(/^not told now: /),
      }),
    ],
  ]);
  expect((await run("supplier", "balance", "vt")).out).toContain("251035.50");
});

test("an alarm is set for a supplier that holds money, with an amount or off", async () => {
  await run("supplier", "add", "desk", "--connector", "manual");
  await add("vt", rightKeys);
  const alarm = (...words: string[]) => run("supplier", "alarm", ...words);
  expect((await alarm("vt")).error).toBe("Give either --below 50000.00 or --off.\n");
  expect((await alarm("vt", "--below", "5.00", "--off")).code).toBe(1);
  expect((await alarm("desk", "--below", "5.00")).error).toMatch(/^desk holds no money of ours: /);
  expect((await alarm("nobody", "--below", "5.00")).code).toBe(1);
  expect((await alarm("vt", "--below", "5.00", "--json")).lines).toEqual([{ supplier: "vt", alarm_below: "5.00" }]);
  expect((await alarm("vt", "--off", "--json")).lines).toEqual([{ supplier: "vt", alarm_below: null }]);
});
