import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { operate } from "../support/operate.ts";
import { startPaymentStub } from "../support/payments/payment-stub.ts";
import { paystackStub } from "../support/payments/paystack-stub.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const stub = closing(await startPaymentStub(paystackStub));
const service = closing(await startConsole({ supplierOrigins: [stub.url] }));
const { pool, url } = service.app.fresh;
const environment = {
  ...{ DATABASE_URL: url, ENCRYPTION_KEY: testEncryptionKey, SUPPLIER_ORIGINS: stub.url },
  PUBLIC_URL: "https://pay.example",
};
const run = (...words: string[]) => operate(["payment-provider", ...words], environment);
const folder = await mkdtemp(path.join(tmpdir(), "keys-"));
const { settings, credentials } = paystackStub.entered(stub.url);
const keys = path.join(folder, "keys.json");
await writeFile(keys, JSON.stringify(credentials));
const wrongKeys = path.join(folder, "wrong.json");
await writeFile(wrongKeys, JSON.stringify({ secret_key: "sk_mistaken" }));

const add = (name: string, given: object, ...words: string[]) =>
  run("add", name, "--connector", "paystack", "--settings", JSON.stringify({ ...settings, ...given }), ...words);
const stored = async () =>
  (await pool.query("select name, state, fee_bearer, settings from payment_providers order by name")).rows;

test("a company without staff adds a provider by a command, which asks it first and names where its webhook goes", async () => {
  const mistaken = await add("paystack", {}, "--credentials", wrongKeys);
  expect([mistaken.code, mistaken.out, mistaken.error.includes("sk_mistaken")]).toEqual([1, "", false]);
  expect(mistaken.error).toContain("It doesn’t tell its transfers");
  const outside = await add("paystack", { base_url: "https://api.paystack.co" }, "--credentials", keys);
  expect(outside.error).toContain("SUPPLIER_ORIGINS does not name https://api.paystack.co");
  expect((await add("Pay Stack", {}, "--credentials", keys)).error).toContain("lower case letters");
  expect((await add("paystack", { preferred_bank: "?" }, "--credentials", keys)).error).toContain("preferred_bank");
  expect(await stored()).toEqual([]);
  const added = await add("paystack", {}, "--credentials", keys);
  expect([added.code, added.out]).toEqual([
    0,
    expect.stringContaining("https://pay.example/funding/callbacks/paystack"),
  ]);
  const { lines } = await run("list", "--json");
  expect(lines).toEqual([
    {
      ...{ provider: "paystack", connector: "paystack", state: "enabled", fee_bearer: "company", settings },
      ...{
        credentials: "sealed",
        webhook: "https://pay.example/funding/callbacks/paystack",
        accounts: 0,
        last_event: null,
      },
    },
  ]);
  expect((await run("disable", "paystack")).out).toContain("opens no new accounts");
  expect((await stored())[0].state).toBe("disabled");
  expect((await run("enable", "paystack")).code).toBe(0);
  expect((await run("enable", "nobody")).error).toContain("There is no such payment provider");
});

test("with staff, other settings wait for a second person, and keys and fee that aren’t given stay", async () => {
  const [ada, bola] = [await service.staff("finance"), await service.staff("admin")];
  const change = ["--settings", JSON.stringify({ ...settings, preferred_bank: "titan-paystack" })];
  const requested = await run("add", "paystack", "--connector", "paystack", ...change, "--by", ada.email, "--json");
  expect(requested.lines).toEqual([{ approval: expect.any(Number), done: false }]);
  expect((await stored())[0].settings).toEqual(settings);
  const nobody = await run("add", "paystack", "--connector", "paystack", ...change, "--by", "nobody@company.example");
  expect(nobody.code).toBe(1);
  await bola.send(`/operator/approvals/${requested.lines[0].approval}`, { do: "approve" });
  expect(await stored()).toEqual([
    {
      ...{ name: "paystack", state: "enabled", fee_bearer: "company" },
      settings: { ...settings, preferred_bank: "titan-paystack" },
    },
  ]);
});
