import { expect, test } from "vitest";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { StaffClient } from "../support/console.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;
const merchant = formatMerchantId(service.app.merchant.id);
const large = "250,000.00";

const balance = async () =>
  BigInt(
    (await pool.query("select balance from wallets where wallet_id = $1", [service.app.merchant.id])).rows[0].balance,
  );

const credit = (client: StaffClient, fields: Record<string, string>) =>
  client.send("/operator/money/credit", { merchant, amount: "5,000", reason: "Transfer", ...fields });

async function lastRequest(): Promise<string> {
  return `/operator/approvals/${(await pool.query("select max(id) as id from changes")).rows[0].id}`;
}

test("a transfer is credited once by its bank reference, however it is typed and whoever types it", async () => {
  const [one, other] = [await service.staff("finance"), await service.staff("finance")];
  const before = await balance();
  expect((await one.follow(await credit(one, { bank_reference: "nip 0001/23" }))).text).toContain("₦5,000.00 credited");
  // After a checkpoint the next number of a sequence is logged: drawn for nothing, it would look like a change.
  await pool.query("checkpoint");
  expect((await other.follow(await credit(other, { bank_reference: "NIP0001/23" }))).text).toContain("booked once");
  const taken = await credit(other, { bank_reference: "NIP 0001/23", amount: "6,000" });
  expect([taken.status, taken.text.includes("has this reference: ₦5,000.00")]).toEqual([400, true]);
  expect((await balance()) - before).toBe(500_000n);
  const text = "select who from audit_log where command = 'console credit' and who = any ($1)";
  const { rows } = await pool.query(text, [[one, other].map(({ email }) => `staff:${email}`)]);
  expect(rows).toEqual([{ who: `staff:${one.email}` }]);
});

test("more than one person may book waits, shows under approvals, and is booked by another person, once", async () => {
  const [maker, checker] = [await service.staff("finance"), await service.staff("admin")];
  const before = await balance();
  const waiting = await maker.follow(await credit(maker, { bank_reference: "BIG/1", amount: large }));
  expect([waiting.text.includes("for approval"), await balance()]).toEqual([true, before]);
  const path = await lastRequest();
  for (const page of ["/operator/approvals", "/operator/money"]) expect((await checker.get(page)).text).toContain(path);
  expect((await (await service.staff("catalogue")).get("/operator/approvals")).text).not.toContain(path);
  const shown = (await checker.get(path)).text;
  for (const words of ["BIG/1", "Live wallet now", "Approve and carry out"]) expect(shown).toContain(words);
  const own = await maker.follow(await maker.send(path, { do: "approve" }));
  expect([own.text.includes("someone else has to decide"), await balance()]).toEqual([true, before]);
  await Promise.all([checker.send(path, { do: "approve" }), checker.send(path, { do: "approve" })]);
  expect((await balance()) - before).toBe(25_000_000n);
  const { rows } = await pool.query(
    "select who from audit_log where command = 'console approval approve' and details::json ->> 'approval' = $1",
    [path.split("/").at(-1)],
  );
  expect(rows).toEqual([{ who: `staff:${checker.email}` }]);
  const again = await maker.follow(await credit(maker, { bank_reference: "big/1", amount: large }));
  expect(again.text).toContain("It’s booked once.");
});

test("a request for a credit that is taken back is never booked, and its reference is free again", async () => {
  const [maker, checker] = [await service.staff("finance"), await service.staff("finance")];
  const before = await balance();
  await credit(maker, { bank_reference: "BIG/2", amount: large });
  const path = await lastRequest();
  const taken = await credit(checker, { bank_reference: "BIG/2", amount: "1,000" });
  expect([taken.status, taken.text.includes("has this reference: ₦250,000.00")]).toEqual([400, true]);
  const again = await checker.follow(await credit(checker, { bank_reference: "BIG/2", amount: large }));
  expect(again.text).toContain("waits for approval");
  expect((await maker.follow(await maker.send(path, { do: "withdraw" }))).text).toContain("won’t be carried out");
  expect((await checker.follow(await checker.send(path, { do: "approve" }))).text).toContain("decided this already");
  expect(await balance()).toBe(before);
  expect((await credit(checker, { bank_reference: "big/2", amount: large })).status).toBe(303);
});

test("a debit takes effect by two people, and never more than the wallet holds", async () => {
  const [maker, checker] = [await service.staff("finance"), await service.staff("finance")];
  await credit(maker, { bank_reference: "SMALL/9" });
  const before = await balance();
  const ask = (amount: string) => maker.send("/operator/money/debit", { merchant, amount, reason: "Credited twice" });
  const decide = async () => {
    const { rows } = await pool.query("select max(id) as id from changes");
    return checker.follow(await checker.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }));
  };
  expect((await maker.follow(await ask("1,000"))).text).toContain("for approval");
  expect(await balance()).toBe(before);
  expect((await decide()).text).toContain("₦1,000.00 taken back");
  expect((await balance()) - before).toBe(-100_000n);
  await ask("90,000,000");
  expect((await decide()).text).not.toContain("taken back");
  expect((await balance()) - before).toBe(-100_000n);
});

test("what is typed wrong is named at its field, kept, and books nothing", async () => {
  const finance = await service.staff("finance");
  const before = await balance();
  const cases = [
    [{ amount: "100,00", bank_reference: "X1" }, "read as an amount"],
    [{ merchant: "mer_99999", bank_reference: "X1" }, "no such merchant"],
    [{ bank_reference: "" }, "tick that there is none"],
    [{ bank_reference: "X1", no_reference: "on" }, "tick that there is none"],
    [{ bank_reference: "ü" }, "as the bank prints it"],
    [{ bank_reference: "X1", reason: "" }, "statement shows it"],
  ] as const;
  for (const [fields, sentence] of cases) {
    const { status, text } = await credit(finance, { reason: "Keep <this>", ...fields });
    const isKept = "reason" in fields || text.includes("Keep &lt;this");
    expect([sentence, status, text.includes(sentence), isKept]).toEqual([sentence, 400, true, true]);
  }
  expect(await balance()).toBe(before);
});
