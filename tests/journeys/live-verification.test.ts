import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { Received } from "../../rigs/base/client.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { startDeployment } from "../support/deployment.ts";
import { operate } from "../support/operate.ts";
import { waitUntil } from "../support/receiver.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { dispenseKey, dispenseStub } from "../support/suppliers/dispense-stub.ts";
import { type StubServer, startStub } from "../support/suppliers/stub-server.ts";
import { vtpassKeys, vtpassStub, vtpassToken } from "../support/suppliers/vtpass-stub.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// A deployment in a process of its own, suppliers entered by an operator's commands, each behind a socket: a number is
// verified in live and its verification buys.

const verifyDeadlineSeconds = 15;

let vtpass: StubServer;
/** A second supplier of meters, the only one of betting accounts. */
let other: StubServer;
let scratch: ScratchDirectory;
let references = 0;

[vtpass, other, scratch] = await Promise.all([startStub(vtpassStub), startStub(dispenseStub), makeScratchDirectory()]);
const origins = { ENCRYPTION_KEY: testEncryptionKey, SUPPLIER_ORIGINS: `${vtpass.url},${other.url}` };
const deployment = closing(await startDeployment(origins));
const environment = { ...origins, DATABASE_URL: deployment.databaseUrl };
const run = async (...words: string[]) => {
  const { code, error } = await operate(words, environment);
  expect([words, code, error]).toEqual([words, 0, ""]);
};
const secretsOf = (name: string, credentials: object) => {
  const file = path.join(scratch.folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(credentials));
  return ["--credentials", file];
};
const { apiKey: api_key, publicKey: public_key, secretKey: secret_key } = vtpassKeys;
const settingsOf = (url: string) => ["--settings", JSON.stringify({ base_url: url })];
await run(
  ...["supplier", "add", "vt", "--connector", "vtpass", ...settingsOf(`${vtpass.url}/api`)],
  ...secretsOf("vt", { api_key, public_key, secret_key }),
);
await run(
  ...["supplier", "add", "peer", "--connector", "dispense", ...settingsOf(`${other.url}/api/v1/merchant`)],
  ...secretsOf("peer", { api_key: dispenseKey }),
);
await Promise.all(
  [
    ["3001", "vt", "ikeja-electric", "1"],
    ["3001", "peer", "3001", "2"],
    ["3003", "vt", "eko-electric", "1"],
    ["4004", "vt", "dstv/dstv-compact", "1"],
    ["7008", "vt", "smile-direct/516", "1"],
    ["6001", "peer", "6001", "1"],
  ].map(([product = "", supplier = "", code = "", priority = ""]) =>
    run("route", "set", product, supplier, "--code", code, "--cost", "95%", "--priority", priority),
  ),
);
const merchant = await deployment.createMerchant({ live: kobo(10_000_000n) });
afterAll(async () => {
  await Promise.all([vtpass.close(), other.close(), scratch.remove()]);
});

const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "1111111111111" };
const phone = "08031234567";
// Once the process knows the routes.
for (const [below, body] of [
  ["/electricity/verify", meter],
  ["/electricity/verify", { ...meter, biller: "eko-electric" }],
  ["/cable/verify", { biller: "dstv", smartcard_number: "1212121212" }],
  ["/betting/verify", { biller: "bet9ja", customer_id: "1042377" }],
  ["/internet/verify", { biller: "smile", account_number: "tester@sandbox.com" }],
] as const) {
  const isVerified = async () => (await deployment.call(merchant.liveKey, below, body))?.status === 200;
  await waitUntil(isVerified, `an answer to ${below}`, 60);
}

async function ask(below: string, body: object): Promise<Received> {
  const said = await deployment.call(merchant.liveKey, below, body);
  if (said === null) throw new Error(`no answer to ${below}`);
  return said;
}

async function verified(below: string, body: object): Promise<Received["body"]> {
  const { status, body: reply } = await ask(below, body);
  expect([status, reply]).toEqual([200, expect.objectContaining({ verified: true })]);
  return reply;
}

function buy(below: string, body: object): Promise<Received> {
  references += 1;
  return ask(below, { reference: `live-${references}`, ...body });
}

const vend = (changes: object) => buy("/electricity/purchase", { ...meter, amount: "5000.00", phone, ...changes });

describe("a number that its supplier knows is named, and bought for", () => {
  test("a meter, with its debt and its address; the token comes in the same answer", async () => {
    const reply = await verified("/electricity/verify", meter);
    expect(reply).toMatchObject({
      meter_number: meter.meter_number,
      customer_name: "TESTMETER1",
      customer_address: "ABULE EGBA BU ABULE",
      outstanding_debt: "1500.50",
      can_vend: true,
    });
    expect(reply).not.toHaveProperty("sandbox");
    const bought = await vend({ verification_id: reply.verification_id });
    expect([bought.status, bought.body.token]).toEqual([201, vtpassToken]);
  });

  test("a smartcard, with what it has", async () => {
    const card = { biller: "dstv", smartcard_number: "1212121212" };
    const reply = await verified("/cable/verify", card);
    expect(reply).toMatchObject({
      customer_name: "JOHN DOE",
      account_status: "active",
      current_product_id: 4004,
      due_date: "2026-12-06",
    });
    expect((await buy("/cable/purchase", { product_id: 4004, ...card, phone })).status).toBe(201);
  });

  test("a betting account, at the supplier that serves its biller", async () => {
    const reply = await verified("/betting/verify", { biller: "bet9ja", customer_id: "1042377" });
    expect(reply.customer_name).toBe("ADA OBI");
    const funding = { biller: "bet9ja", customer_id: "1042377", amount: "1500.00" };
    const bought = await buy("/betting/fund", { ...funding, verification_id: reply.verification_id });
    expect([bought.status, bought.body.delivery.customer_name]).toEqual([201, "ADA OBI"]);
  });

  test("an internet account, and its bundle", async () => {
    const reply = await verified("/internet/verify", { biller: "smile", account_number: "tester@sandbox.com" });
    expect(reply.customer_name).toBe("JOHN DOE");
    const bought = await buy("/internet/purchase", { product_id: 7008, account_number: "tester@sandbox.com" });
    expect(bought.status).toBe(201);
  });
});

describe("what nobody can verify", () => {
  test("a wrong number is the client's mistake, in each category, and nobody else is asked about it", async () => {
    const calls = other.log.length;
    for (const [below, number] of [
      ["/electricity/verify", { ...meter, meter_number: "4501230009" }],
      ["/cable/verify", { biller: "dstv", smartcard_number: "7032140009" }],
      ["/internet/verify", { biller: "smile", account_number: "0702120009" }],
    ] as const) {
      expect(await ask(below, number)).toMatchObject({ status: 400, body: { code: "VERIFICATION_FAILED" } });
    }
    expect(other.log).toHaveLength(calls);
    const account = { biller: "bet9ja", customer_id: "1040009" };
    expect((await ask("/betting/verify", account)).body.code).toBe("VERIFICATION_FAILED");
  });

  test("a biller that no live supplier serves cannot be asked", async () => {
    const refused = await ask("/electricity/verify", { ...meter, biller: "kano-electric" });
    expect([refused.status, refused.body.code]).toEqual([503, "BILLER_UNAVAILABLE"]);
  });

  test("a supplier that errs leaves it to the next one; where there is none, the provider is unavailable", async () => {
    vtpass.inquiries = "broken";
    expect((await verified("/electricity/verify", meter)).customer_name).toBe("ADA OBI");
    const alone = await ask("/electricity/verify", { ...meter, biller: "eko-electric" });
    expect([alone.status, alone.body.code]).toEqual([502, "PROVIDER_UNAVAILABLE"]);
    expect(JSON.stringify(alone.body)).not.toContain("vt");
    vtpass.inquiries = "answered";
  });

  test("a supplier that keeps silent is waited for no longer than the deadline, with time left for the next one", async () => {
    vtpass.inquiries = "ignored";
    const began = performance.now();
    const [shared, alone] = await Promise.all([
      verified("/electricity/verify", meter),
      ask("/electricity/verify", { ...meter, biller: "eko-electric" }),
    ]);
    const seconds = (performance.now() - began) / 1_000;
    vtpass.inquiries = "answered";
    expect(shared.customer_name).toBe("ADA OBI");
    expect([alone.status, alone.body.code]).toEqual([502, "PROVIDER_UNAVAILABLE"]);
    expect(seconds).toBeGreaterThan(verifyDeadlineSeconds - 2);
    expect(seconds).toBeLessThan(verifyDeadlineSeconds + 5);
  });
});

test("a verification holds for its number and for half an hour, and what it refuses costs nothing", async () => {
  const { verification_id } = await verified("/electricity/verify", meter);
  const { status, body } = await vend({ verification_id, meter_number: "1111111111112" });
  expect([status, body.code]).toEqual([400, "VERIFICATION_EXPIRED"]);
  const passMinutes = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 3) {
      await deployment.passTime();
      await delay(50); // two signals at one time are one
    }
  };
  await passMinutes(27);
  expect((await vend({ verification_id })).status).toBe(201);
  await passMinutes(6);
  const vends = vtpass.log.filter(({ question }) => question === "vend").length;
  const late = await vend({ verification_id });
  expect([late.status, late.body.code]).toEqual([400, "VERIFICATION_EXPIRED"]);
  expect(vtpass.log.filter(({ question }) => question === "vend")).toHaveLength(vends);
  expect((await deployment.call(merchant.liveKey, `/transactions/live-${references}`))?.status).toBe(404);
  expect(await deployment.brokenInvariants()).toEqual([]);
});
