import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// A token is one meter's. Where another sale's is handed over, by whatever way, a person decides, and no customer has it.

const supplier = openFakeSupplier("first");
const { folder } = closing(await makeScratchDirectory());
const app = closing(await startApp({ suppliers: [supplier], workers: true }));
const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });

const wishes = {
  "/electricity/purchase": {
    biller: "ikeja-electric",
    meter_type: "prepaid",
    meter_number: "45012345678",
    amount: "5000.00",
  },
  "/education/purchase": { product_id: 5001 },
};
type Path = keyof typeof wishes;

function buy(reference: string, below: Path = "/electricity/purchase") {
  return app.call(app.merchant.liveKey, below, { body: { reference, phone: "08031234567", ...wishes[below] } });
}
const present = async (reference: string) => (await app.call(app.merchant.liveKey, `/transactions/${reference}`)).body;
const rows = async (text: string, values: unknown[] = []) => (await app.fresh.pool.query(text, values)).rows;

/** What its supplier says from now on: the same goods, whoever asks. */
function handsOver(fulfilment: JsonObject): void {
  supplier.answer = { kind: "vended", providerReference: "SUP-2", fulfilment };
}

async function expectDoubt(reference: string, first: string): Promise<void> {
  const waiting = async () =>
    rows(
      `select f.step, f.last_answer as said from inflight f join purchases p on p.id = f.purchase_id where p.reference = $1`,
      [reference],
    );
  await expect
    .poll(waiting)
    .toEqual([
      { step: "review", said: expect.stringContaining(`Its token, PIN or code was sold before, with ${first}`) },
    ]);
  expect(await present(reference)).toMatchObject({ status: "pending", delivery: null });
}

test.each<Path>(["/electricity/purchase", "/education/purchase"])(
  "what a supplier answers to a second sale of %s that it sold before goes to a person, and to no customer",
  async (below) => {
    const name = below.split("/")[1];
    supplier.answer = vended;
    const first = (await buy(`${name}-1`, below)).body;
    handsOver(first.delivery);
    const second = await buy(`${name}-2`, below);
    expect([second.status, second.body.status]).toEqual([202, "pending"]);
    expect(JSON.stringify(second.body)).not.toContain(first.token ?? first.delivery.pins[0].pin);
    await expectDoubt(`${name}-2`, first.transaction_id);
    // Its own answer again is none.
    expect((await buy(`${name}-1`, below)).body.delivery).toEqual(first.delivery);
    // What the supplier answered is kept for the person.
    const [answer] = (await run("review", "answers", second.body.transaction_id, "--json")).lines;
    expect(JSON.parse(answer.answer)).toEqual(first.delivery);
    expect((await checkLedger(app.services.database)).filter(({ broken }) => broken.length > 0)).toEqual([]);
  },
);

test("a question about a pending sale that is answered by another sale's token leaves it to a person", async () => {
  supplier.answer = vended;
  const first = (await buy("asked-1")).body;
  supplier.answer = silent;
  await buy("asked-2");
  handsOver(first.delivery);
  await rows("update inflight set due_at = now()");
  await expectDoubt("asked-2", first.transaction_id);
});

test("of two sales that are handed one token at one moment one gets it", async () => {
  supplier.answer = vended;
  const { delivery } = (await buy("pattern")).body;
  const token = "11112222333344445555";
  handsOver({
    ...delivery,
    token,
    token_formatted: "1111-2222-3333-4444-5555",
    tokens: [{ ...delivery.tokens[0], value: token }],
  });
  const both = await Promise.all(["at-once-1", "at-once-2"].map((reference) => buy(reference)));
  expect(both.map(({ body }) => body.status).sort()).toEqual(["pending", "successful"]);
});

test("tokens that change a meter's key are told with each of its purchases", async () => {
  supplier.answer = vended;
  const { delivery } = (await buy("keys-1")).body;
  const keyed = (value: string) => ({
    ...delivery,
    tokens: [
      { type: "kct1", value: "77778888999900001111", order: 1 },
      { type: "kct2", value: "77778888999900002222", order: 2 },
      { type: "main", value, order: 3 },
    ],
  });
  for (const [reference, value] of [
    ["keys-2", "12121212343434345656"],
    ["keys-3", "12121212343434345757"],
  ] as const) {
    handsOver(keyed(value));
    expect((await buy(reference)).body.status).toBe("successful");
  }
});

test("a person can't hand over another sale's token by command, and a statement can't either", async () => {
  supplier.answer = vended;
  const first = (await buy("hand-1")).body;
  supplier.answer = { kind: "unknown", evidence: "no word", askNobody: true };
  const { transaction_id: id } = (await buy("hand-2")).body;
  const by = ["--by", "ada", "--evidence", "their statement of today, line 12"];
  const [template] = JSON.parse(`[${(await run("review", "resolve", id, "vended", "--template")).out}]`);
  const file = path.join(folder, "goods.json");
  const { token, token_formatted, tokens } = first.delivery;
  writeFileSync(
    file,
    JSON.stringify({ ...template, ...{ token, token_formatted, tokens, units: "22.20", receipt_number: "1" } }),
  );
  const given = await run("review", "resolve", id, "vended", ...by, "--fulfilment", file, "--yes");
  expect([given.code, given.error]).toEqual([1, expect.stringContaining(`sold before, with ${first.transaction_id}`)]);
  const statement = path.join(folder, "statement.csv");
  writeFileSync(statement, `reference,state,token,units,receipt_number\n${id}-1,delivered,${token},22.20,1`);
  const options = ["--from-statement", statement, "--supplier", "first", ...by, "--yes"];
  const judged = await run("review", "resolve", ...options);
  expect(judged.out).toContain(`sold before, with ${first.transaction_id}`);
  expect(await present("hand-2")).toMatchObject({ status: "pending", delivery: null });
});
