import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { tokenOfMain } from "../support/suppliers/electricity-answers.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// What a supplier delivered and nobody could make out is kept to the letter, sealed, and a person hands it over.

const [first, second] = ["11112222333344445555", "66667777888899990000"];
const bonus = "98989898767676765454";
const answer = JSON.stringify({ Status: "successful", token: `${first}, ${second}, ${tokenOfMain}`, extra: bonus });

const supplier = openFakeSupplier("first");
let references = 0;

const { folder } = closing(await makeScratchDirectory());
const app = closing(await startApp({ suppliers: [supplier], workers: true }));

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });

async function buyElectricity() {
  references += 1;
  const reference = `unread-${references}`;
  const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
  const body = { reference, amount: "1000.00", ...meter };
  const bought = await app.call(app.merchant.liveKey, "/electricity/purchase", { body });
  return { reference, id: bought.body.transaction_id as string, body: bought.body };
}

test("an answer that nobody could make out waits for a person, sealed, and that one looked is in the audit log", async () => {
  supplier.answer = { kind: "unknown", evidence: "[redacted]", unread: answer, askNobody: true };
  const { id, body } = await buyElectricity();
  expect(body).toMatchObject({ status: "pending", token: null, delivery: null });
  expect((await run("review", "list", "--json")).lines).toMatchObject([{ transaction_id: id }]);
  const { rows } = await app.fresh.pool.query("select sealed from unread_answers");
  expect(rows).toEqual([{ sealed: expect.stringMatching(/^v1\./) }]);
  const dossier = (await run("review", "show", id)).out;
  expect(dossier).toContain(`review answers ${id}`);
  expect(dossier).not.toContain(tokenOfMain);
  const looks = () => app.fresh.pool.query("select who from audit_log where command = 'review answers'");
  expect((await looks()).rows).toEqual([]);
  const reply = await run("review", "answers", id, "--json");
  expect(reply.lines).toEqual([{ attempt: 1, supplier: "first", at: expect.any(String), answer }]);
  expect((await looks()).rows).toEqual([{ who: expect.stringMatching(/./) }]);
});

test("a person types in every token of such an answer: key changes, the token and the bonus", async () => {
  supplier.answer = { kind: "unknown", evidence: "[redacted]", unread: answer, askNobody: true };
  const { id, reference } = await buyElectricity();
  const [template] = JSON.parse(`[${(await run("review", "resolve", id, "vended", "--template")).out}]`);
  const typed = [
    ["kct1", first],
    ["kct2", second],
    ["main", tokenOfMain],
    ["bonus", bonus],
  ];
  const tokens = typed.map(([type, value], n) => ({ type, value, order: n + 1 }));
  // In whatever order they are typed here, the customer is told the one of the meter.
  const given = typed.toReversed().map(([type, value]) => ({ type, value, order: 1 }));
  const file = path.join(folder, "goods.json");
  writeFileSync(file, JSON.stringify({ ...template, token: tokenOfMain, tokens: given, receipt_number: "R-1" }));
  const words = ["--by", "ada", "--evidence", "their answer, to the letter", "--fulfilment", file, "--yes"];
  const resolved = await run("review", "resolve", id, "vended", ...words);
  expect([resolved.error, resolved.code]).toEqual([expect.anything(), 0]);
  const { body } = await app.call(app.merchant.liveKey, `/transactions/${reference}`);
  expect(body).toMatchObject({ status: "successful", token: tokenOfMain, delivery: { tokens } });
  // What was typed may be wrong: the answer stays.
  expect((await run("review", "answers", id, "--json")).lines).toMatchObject([{ answer }]);
});

test("goods that follow later are asked about, and of the answers until then a few are kept", async () => {
  supplier.answer = { kind: "unknown", evidence: "[redacted]", unread: answer, hasVended: true };
  const { id } = await buyElectricity();
  expect((await run("review", "list")).out).not.toContain(id);
  expect((await run("review", "answers", id, "--json")).lines).toMatchObject([{ answer }]);
});

test("a token that comes after the purchase has failed is kept too: the supplier took our money for it", async () => {
  supplier.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "no" };
  const { id, body } = await buyElectricity();
  expect(body.status).toBe("failed");
  const fulfilment = { token: tokenOfMain, tokens: [{ type: "main", value: tokenOfMain, order: 1 }] };
  supplier.answer = { kind: "vended", providerReference: "P-1", fulfilment, evidence: "[redacted]" };
  expect(await app.services.requery("first", `${id}-1`, { source: "callback", providerReference: null })).toBe(
    "contradiction",
  );
  const [reply] = (await run("review", "answers", id, "--json")).lines as { answer: string }[];
  expect(JSON.parse(reply?.answer ?? "null")).toEqual(fulfilment);
});
