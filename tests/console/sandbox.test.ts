import { beforeEach, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { MemberClient } from "../support/console.ts";
import { sharedConsole } from "../support/shared-console.ts";

let merchant: RegisteredMerchant;
let developer: MemberClient;

const service = await sharedConsole();
beforeEach(async () => {
  merchant = await service.app.createMerchant({ testCredit: kobo(500_000n) });
  developer = await service.member("developer", merchant.id);
});

const path = "/test/sandbox";
const balance = async () => (await service.app.call(merchant.testKey, "/wallet/balance")).body.balance as string;

test("the wallet is reset after a question, once, and it is written down", async () => {
  const before = await balance();
  expect(before).not.toBe("100000.00");
  const calls = await developer.get(`${path}/reset`);
  expect([calls.status, calls.text.includes("Transactions stay"), await balance()]).toEqual([200, true, before]);
  const once = "B".repeat(43);
  const done = await developer.send(`${path}/reset`, { once });
  expect([done.status, done.location, await balance()]).toEqual([303, path, "100000.00"]);
  expect((await developer.get(path)).text).toContain("Sandbox wallet reset. It has ₦100,000.00.");
  const entries = async () =>
    (
      await service.app.fresh.pool.query(
        "select who, command from audit_log where details::jsonb ->> 'merchant' = $1 and command <> 'console log-in' order by number",
        [`mer_${merchant.id}`],
      )
    ).rows;
  expect(await entries()).toEqual([{ who: `member:${developer.email}`, command: "console sandbox reset" }]);
  expect((await developer.send(`${path}/reset`, { once })).status).toBe(303);
  expect(await entries()).toHaveLength(1);
});

test("the numbers do what the page says", async () => {
  const { text } = await developer.get(path);
  for (const [number, status] of [
    ["08031234567", "successful"],
    ["08031230002", "failed"],
    ["08031230003", "pending"],
    ["08031230004", "pending"],
  ] as const) {
    const reference = `n-${number}`;
    expect(text).toContain(number);
    const { body } = await service.app.call(merchant.testKey, "/airtime/purchase", {
      body: { reference, network: "MTN", phone: number, amount: "100.00" },
    });
    expect([number, body.status]).toEqual([number, status]);
  }
  for (const suffix of ["0002", "0003", "0004", "0009"]) expect(text).toContain(`>${suffix}</code>`);
});

test("there is none under live", async () => {
  for (const page of ["/live/sandbox", "/live/sandbox/reset"]) {
    const answer = await developer.get(page);
    expect([answer.status, answer.location]).toEqual([303, path]);
  }
  const live = async () => (await service.app.call(merchant.liveKey, "/wallet/balance")).body.balance;
  const before = await live();
  await developer.send("/live/sandbox/reset");
  expect(await live()).toBe(before);
});
