import { afterEach, beforeEach, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { copyOf, type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// A backup that is restored while the original sells on, at the same supplier. Both have one clock that stands still and
// the same count of processes, so that they make the same purchase ids.

const undo: (() => Promise<unknown>)[] = [];
const supplier = openFakeSupplier("first");
let original: FreshDatabase;
let time: number;

beforeEach(async () => {
  original = await stockedDatabase();
  undo.push(() => original.drop());
  time = Date.now();
  supplier.answer = vended;
  supplier.calls.length = 0;
});

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(database: FreshDatabase): Promise<TestApp> {
  const app = await startApp({ suppliers: [supplier], database, clock: { now: () => time } });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await app.close();
    isOpen = false;
  };
  undo.push(close);
  return { ...app, close };
}

async function copied(): Promise<FreshDatabase> {
  const copy = await copyOf(original);
  undo.push(() => copy.drop());
  return copy;
}

const run = (database: FreshDatabase, ...words: string[]) =>
  operate(words, { DATABASE_URL: database.url, ENCRYPTION_KEY: testEncryptionKey });

/** What merchants and the supplier are told of `count` purchases. */
async function sell(app: TestApp, name: string, count = 5) {
  const references = Array.from({ length: count }, (_, i) => `${name}-${i}`);
  const sent = references.flatMap((reference) =>
    [app.merchant.liveKey, app.merchant.testKey].map((key) =>
      app.call(key, "/data/purchase", { body: { reference, product_id: 1002, phone: "08031234567" } }),
    ),
  );
  return (await Promise.all(sent)).map(({ body }) => body.transaction_id as string);
}

const requestedFor = () => supplier.calls.map(({ request }) => request.supplierReference);

/** Everything that an application tells of what it sold: by reference, by id, in the list, and as a bulk order. */
async function reply(app: TestApp, key: string | null, references: readonly string[]) {
  const lists = await app.call(key, "/transactions?per_page=100");
  const listed = lists.body.transactions.map(({ transaction_id }: { transaction_id: string }) => transaction_id);
  for (const reference of references) {
    const named = (await app.call(key, `/transactions/${reference}`)).body;
    const byId = await app.call(key, `/transactions/${named.transaction_id}`);
    expect(byId).toMatchObject({ status: 200, body: { reference } });
    const filtered = await app.call(key, `/transactions?transaction_id=${named.transaction_id}`);
    expect(filtered.body.meta.total).toBe(1);
    expect(listed).toContain(named.transaction_id);
  }
  return { listed, bulk: (await app.call(key, "/bulk/order")).body };
}

const past = ["before-0", "before-4", "order-1"];

test("a copy beside its original sells under names that the original does not give", async () => {
  const first = await open(original);
  const body = { reference: "order", product_id: 1002, phones: ["08031234567", "08061234567"] };
  await first.call(first.merchant.testKey, "/data/bulk", { body });
  supplier.answer = silent;
  await sell(first, "before");
  const before = await reply(first, first.merchant.testKey, past);
  await first.close();
  const copy = await copied();
  const restored = await run(copy, "after-restore");
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("it may sell beside the original") });
  time += 1_000;

  const [there, here] = [await open(original), await open(copy)];
  for (const app of [there, here]) expect(await reply(app, first.merchant.testKey, past)).toEqual(before);
  supplier.answer = vended;
  supplier.calls.length = 0;
  const names = [...(await sell(there, "since")), ...(await sell(here, "since"))];
  expect(new Set(names).size).toBe(20);
  expect(new Set(requestedFor()).size).toBe(10);
  const since = await reply(here, here.merchant.testKey, ["since-0", "since-4"]);
  expect(since.listed.some((name: string) => names.slice(0, 10).includes(name))).toBe(false);
});

test("what was pending at the backup is asked about by the reference under which it was sent", async () => {
  const first = await open(original);
  supplier.answer = silent;
  await sell(first, "pending", 1);
  const [sent] = requestedFor();
  await first.close();
  const copy = await copied();
  await run(copy, "after-restore");
  supplier.answer = vended;
  supplier.calls.length = 0;
  const here = await open(copy);
  const occasion = { source: "test", providerReference: null };
  expect(await here.services.requery("first", sent!, occasion)).toBe("asked");
  expect(requestedFor()).toEqual([sent]);
  expect((await here.call(first.merchant.liveKey, "/transactions/pending-0")).body.status).toBe("successful");
});

test("a copy in its original's place keeps the number where it is told to, and else may have one of its own", async () => {
  const first = await open(original);
  await sell(first, "before", 1);
  await first.close();
  const numbers = async () =>
    (await original.pool.query("select from_purchase_id, number from deployment_numbers order by 1")).rows;
  const [one] = await numbers();
  expect(one).toMatchObject({ from_purchase_id: "0", number: expect.stringMatching(/^[0-9]{1,10}$/) });
  const kept = await run(original, "after-restore", "--keep-number");
  expect(kept).toMatchObject({ code: 0, out: expect.stringContaining("must never sell again") });
  expect(await numbers()).toEqual([one]);
  await run(original, "after-restore");
  await run(original, "after-restore");
  const [, unnumbered, ...none] = await numbers();
  expect([unnumbered.number, none]).toEqual([null, []]);
  await (await open(original)).close();
  const [old, since] = await numbers();
  expect([old, since.from_purchase_id]).toEqual([one, unnumbered.from_purchase_id]);
  expect(since.number).not.toBe(one.number);
});

test("copies of a database that nobody has started draw a number each, and its processes share it", async () => {
  const copy = await copied();
  const apps = [await open(original), await open(original), await open(copy), await open(copy)];
  const [one, again, other, otherAgain] = apps.map(({ services }) =>
    services.transactionIds.format(7n as never, "live"),
  );
  expect([again, otherAgain]).toEqual([one, other]);
  expect(other).not.toBe(one);
});
