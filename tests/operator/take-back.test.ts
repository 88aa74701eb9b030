import { expect, test } from "vitest";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const service = closing(await startConsole());
const { pool, url } = service.app.fresh;
const here = "/operator/money";
const merchant = `mer_${service.app.merchant.id}`;
const [ada, bola] = [await service.staff("admin"), await service.staff("finance")];
const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
const balance = async () =>
  Number((await rows("select balance from wallets where wallet_id = $1", [service.app.merchant.id]))[0].balance);
const waiting = async () =>
  `/operator/approvals/${(await rows("select max(id) as id from changes where state = 'waiting'"))[0].id}`;
const textOf = async (person: StaffClient, path: string, fields: Record<string, string>) =>
  (await person.follow(await person.send(path, fields))).text;

async function credited(reference: string): Promise<number> {
  const fields = { merchant, amount: "500", bank_reference: reference, reason: "transfer" };
  expect(await textOf(ada, `${here}/credit`, fields)).toContain("₦500.00 credited");
  return (await rows("select max(id) as id from wallet_credits"))[0].id;
}

test("a credit that was a mistake is taken back once, by two people, and its bank reference is free again", async () => {
  const before = await balance();
  const id = await credited("GTB-77");
  const path = `${here}/credits/${id}/take-back`;
  const form = await bola.get(path);
  for (const words of ["GTB-77", "₦500.00", "Take back credit"]) expect(form.text).toContain(words);
  expect(await textOf(bola, path, { reason: "of another merchant" })).toContain("for approval. Nothing has changed");
  expect(await textOf(ada, path, { reason: "of another merchant" })).toContain("asked for this already");
  const shown = (await ada.get(await waiting())).text;
  for (const words of [
    `Take credit ${id} back: ₦500.00`,
    "Live wallet now",
    "GTB-77",
    `/operator/merchants/${merchant}`,
  ])
    expect(shown).toContain(words);
  expect(await balance()).toBe(before + 50_000);
  expect(await textOf(ada, await waiting(), { do: "approve" })).toContain("The bank reference is free again.");
  expect(await balance()).toBe(before);
  expect((await bola.get(here)).text).toContain("Taken back");
  expect(await textOf(bola, path, { reason: "once more" })).toContain("was taken back before");
  const again = await credited("gtb-77");
  expect(again).not.toBe(id);
  expect(await balance()).toBe(before + 50_000);
  expect((await checkLedger(service.app.services.database)).filter(({ broken }) => broken.length > 0)).toEqual([]);
});

test("what the wallet no longer holds isn't taken back, and what changed meanwhile is shown and asked for anew", async () => {
  const id = await credited("GTB-78");
  const path = `${here}/credits/${id}/take-back`;
  await bola.send(path, { reason: "of another merchant" });
  const approval = await waiting();
  await pool.query("update wallet_credits set reason = 'changed' where id = $1", [id]);
  expect(await textOf(ada, approval, { do: "approve" })).toContain("changed since");
  expect((await rows("select state from changes order by id desc limit 1"))[0].state).toBe("stale");
  expect(await textOf(bola, approval, { do: "renew" })).toContain("for approval");
  const present = await balance();
  await pool.query("update wallets set balance = 100 where wallet_id = $1", [service.app.merchant.id]);
  const refused = await ada.send(await waiting(), { do: "approve" });
  expect([refused.status, refused.text.includes("holds less than")]).toEqual([400, true]);
  await pool.query("update wallets set balance = $2 where wallet_id = $1", [service.app.merchant.id, present]);
  expect(await textOf(ada, await waiting(), { do: "approve" })).toContain("taken back");
});

test("by a command a person asks for it, and another one approves it in the console", async () => {
  const id = await credited("GTB-79");
  const run = (...words: string[]) =>
    operate(["take-back-credit", ...words], { DATABASE_URL: url, ENCRYPTION_KEY: testEncryptionKey });
  const requested = await run(String(id), "--reason", "of another merchant", "--by", bola.email);
  expect([requested.code, requested.out]).toEqual([
    0,
    expect.stringMatching(/^Nothing has changed yet: approval \d+ waits/),
  ]);
  const again = await run(String(id), "--reason", "of another merchant", "--by", ada.email);
  expect([again.code, again.error]).toEqual([1, expect.stringContaining("asked for this already")]);
  expect(await textOf(ada, await waiting(), { do: "approve" })).toContain("taken back");
  const gone = await run(String(id), "--reason", "again", "--by", bola.email);
  expect([gone.code, gone.error]).toEqual([1, `Credit ${id} was taken back before.\n`]);
});

test("the menu counts what waits for whoever may decide it, and a refusal tells who asked why", async () => {
  const id = await credited("GTB-80");
  const badge = async (person: StaffClient) =>
    /Approvals<\/span><b>(\d+)/.exec((await person.get(here)).text)?.[1] ?? "0";
  expect([await badge(ada), await badge(bola)]).toEqual(["0", "0"]);
  await bola.send(`${here}/credits/${id}/take-back`, { reason: "of another merchant" });
  expect([await badge(ada), await badge(bola)]).toEqual(["1", "0"]);
  const approval = await waiting();
  expect((await bola.get(approval)).text).not.toContain("Approve and carry out");
  await ada.send(approval, { do: "refuse", reason: "It was right." });
  expect((await bola.get(approval)).text).toContain("It was right.");
  const subjects = await rows("select recipient, subject from emails order by id desc limit 2");
  expect(subjects.map(({ recipient, subject }) => `${recipient} ${subject.split(":")[0]}`)).toEqual([
    `${bola.email} Your request was refused`,
    `${ada.email} Approval needed`,
  ]);
});
