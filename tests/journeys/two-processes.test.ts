import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Received } from "../../rigs/base/client.ts";
import { putSupplier, setRoute } from "../../src/domain/suppliers/administration.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { type Kobo, kobo } from "../../src/kernel/money.ts";
import { secretBox } from "../../src/platform/sealing/secret-box.ts";
import { closing } from "../support/closing.ts";
import { startDeployment } from "../support/deployment.ts";
import { type SamplePurchase, sampleOf } from "../support/sample-purchases.ts";

// Two services, each a process with a database of its own: the middle sells what the upstream's sandbox vends, over HTTP,
// and the upstream's webhooks call the middle back. Both are killed with purchases under way.

const encryptionKey = Buffer.alloc(32, 5);
const samples = (["airtime", "data", "electricity", "recharge_pin"] as const).map(sampleOf);
/** How a purchase ends, by the customer's number. */
const ends = { "0001": "successful", "0002": "failed", "0003": "successful", "0004": "failed" } as const;
type Suffix = keyof typeof ends;
const suffixes = Object.keys(ends) as Suffix[];

const balanceAtFirst = kobo(500_000_000n);

const ENCRYPTION_KEY = encryptionKey.toString("base64");
const upstream = closing(await startDeployment({ ENCRYPTION_KEY, SANDBOX_PENDING_SECONDS: "1" }));
const middle = closing(await startDeployment({ ENCRYPTION_KEY, SUPPLIER_ORIGINS: upstream.url }));
/** The middle, as the upstream's customer. */
const account = await upstream.createMerchant({ test: kobo(10_000_000_000n) });
/** The middle's customer. */
const customerKey = (await middle.createMerchant({ live: balanceAtFirst })).liveKey!;
const webhook = { url: `${middle.url}/supplier-callbacks/upstream` };
const saved = await upstream.call(account.testKey, "/webhook", webhook, "PUT");
await putSupplier(
  { database: middle.database, secretBox: secretBox([encryptionKey]) },
  {
    name: "upstream",
    connector: "dispense",
    settings: { base_url: `${upstream.url}/api/v1/merchant` },
    credentials: { api_key: account.testKey, webhook_secret: saved?.body.secret },
  },
);
await enterRoutes();

/** The cost of each product is what the upstream charges another of its customers for it. */
async function enterRoutes(): Promise<void> {
  const { id, testKey } = await upstream.createMerchant({ test: kobo(100_000_000n) });
  for (const { category, path, body, numbered } of samples) {
    await upstream.call(testKey, path, { reference: `price-${category}`, ...body, ...numbered("0001") });
  }
  const prices = await upstream.database.query<{ productId: ProductId; cost: Kobo }>({
    name: "list_test_prices",
    text: `select p.product_id as "productId", p.total / p.quantity as cost from purchases p where abs(p.wallet_id) = ${id}`,
  });
  expect(prices).toHaveLength(samples.length);
  for (const { productId, cost } of prices) {
    const route = { productId, supplier: "upstream", supplierCode: String(productId), priority: 1, enabled: true };
    await setRoute(middle.database, { ...route, cost: { kind: "fixed", kobo: cost } });
  }
}

const references: string[] = [];

/** Buys, and asks again under the same reference until it is told something. */
async function buy(reference: string, sample: SamplePurchase, suffix: Suffix): Promise<Received> {
  references.push(reference);
  const body = { reference, ...sample.body, ...sample.numbered(suffix) };
  for (let attempt = 0; attempt < 300; attempt++) {
    const said = await middle.call(customerKey, sample.path, body);
    if (said !== null && said.status !== 503) return said;
    await delay(100);
  }
  throw new Error(`${reference} was never answered`);
}

/** One after the other at once: every sample with every end. */
function buyEverything(prefix: string): Promise<{ readonly suffix: Suffix; readonly said: Received }[]> {
  const wishes = samples.flatMap((sample) => suffixes.map((suffix) => ({ sample, suffix })));
  return Promise.all(
    wishes.map(async ({ sample, suffix }) => {
      const said = await buy(`${prefix}-${sample.category}-${suffix}`, sample, suffix);
      return { suffix, said };
    }),
  );
}

/** Time passes on both sides until nothing is pending. */
async function letAllEnd(): Promise<void> {
  const sql = { name: "update_test_due", text: "update inflight set due_at = least(due_at, now()) returning 1" };
  for (let look = 1; look <= 200; look++) {
    const left = [...(await upstream.database.query(sql)), ...(await middle.database.query(sql))];
    if (left.length === 0) return;
    if (look % 10 === 0) for (const deployment of [upstream, middle]) await deployment.passTime();
    await delay(200);
  }
  throw new Error("something stayed pending");
}

async function statusOf(reference: string): Promise<string> {
  return (await middle.call(customerKey, `/transactions/${reference}`))?.body.status;
}

/** Requests that the upstream has and answers not: it is stopped, not dead. */
async function purchasesUnderWay(prefix: string): Promise<Promise<Received>[]> {
  upstream.stop();
  const bought = samples.map((sample) => buy(`${prefix}-${sample.category}`, sample, "0001"));
  const sql = { name: "count_test_inflight", text: "select 1 from inflight where step = 'dispatch'" };
  await expect.poll(async () => (await middle.database.query(sql)).length).toBe(samples.length);
  await expect.poll(() => upstream.unread()).toBeGreaterThanOrEqual(samples.length); // what is recorded is sent
  return bought;
}

test("success, failure and both kinds of pending come through, the last ones by the upstream's callbacks", async () => {
  for (const { suffix, said } of await buyEverything("calm")) {
    const atOnce = { "0001": 201, "0002": 422, "0003": 202, "0004": 202 }[suffix];
    expect([suffix, said.status]).toEqual([suffix, atOnce]);
  }
  for (const reference of references) {
    const end = ends[reference.slice(-4) as Suffix];
    await expect.poll(() => statusOf(reference), { interval: 100 }).toBe(end);
  }
  const called = await middle.database.query<{ status: string; calls: bigint }>({
    name: "list_test_callbacks",
    text: "select status, count(*) as calls from supplier_callbacks group by status order by status",
  });
  expect(called).toEqual([
    { status: "failed", calls: BigInt(samples.length) },
    { status: "successful", calls: BigInt(samples.length) },
  ]);
});

test("an upstream that is killed with requests under way makes nothing but pending purchases, which end when it is back", async () => {
  const underWay = await purchasesUnderWay("upstream-killed");
  await upstream.kill();
  for (const bought of underWay) expect(await bought).toMatchObject({ status: 202, body: { status: "pending" } });
  // No process listens: the bytes of this one never left.
  expect(await buy("upstream-away", samples[0]!, "0001")).toMatchObject({ status: 422, body: { status: "failed" } });
  await upstream.start();
  await buyEverything("upstream-back");
  await letAllEnd();
  for (const { category } of samples) expect(await statusOf(`upstream-killed-${category}`)).toBe("failed");
});

test("a middle that is killed with requests under way is told after its restart what became of them", async () => {
  const underWay = await purchasesUnderWay("middle-killed");
  await middle.kill();
  upstream.resume();
  await middle.start();
  // Its customers ask again under the same references, and find what they bought.
  for (const bought of underWay) expect([200, 201, 202]).toContain((await bought).status);
  await buyEverything("middle-back");
  await letAllEnd();
});

test("both killed at once under a load lose nothing", async () => {
  const load = buyEverything("both-killed");
  await delay(150);
  await Promise.all([upstream.kill(), middle.kill()]);
  await Promise.all([upstream.start(), middle.start()]);
  await load;
  await letAllEnd();
});

interface Line {
  readonly reference: string;
  readonly amount: bigint;
}

test("each customer's reference was bought once, both ledgers hold, and the books agree to the kobo", async () => {
  const bought = await middle.database.query<{ reference: string; status: string; total: bigint }>({
    name: "list_test_bought",
    text: "select reference, status, total from purchases where channel = 'api' and wallet_id > 0",
  });
  expect(bought.map(({ reference }) => reference).sort()).toEqual([...references].sort());
  expect(bought.filter(({ status }) => status === "pending")).toEqual([]);

  const charged = await upstream.database.query<Line>({
    name: "list_test_charged",
    text: `select p.reference, -sum(e.delta) as amount
             from ledger_entries e
             join purchases p on p.id = e.purchase_id and p.wallet_id = e.wallet_id
            where e.wallet_id = -${account.id} and e.kind in ('purchase', 'refund')
            group by p.reference
           having sum(e.delta) <> 0
            order by p.reference`,
  });
  const costs = await middle.database.query<Line>({
    name: "list_test_costs",
    text: `select a.supplier_reference as reference, p.cost as amount
             from purchases p
             join vend_attempts a on a.purchase_id = p.id and a.verdict = 'vended'
            where p.status = 'successful' and p.supplier = 'upstream'
            order by a.supplier_reference`,
  });
  expect(costs.map(({ reference, amount }) => [reference, BigInt(amount)])).toEqual(
    charged.map(({ reference, amount }) => [reference, BigInt(amount)]),
  );
  expect(costs.length).toBeGreaterThan(samples.length * 6);

  const spent = bought.filter(({ status }) => status === "successful").reduce((sum, { total }) => sum + total, 0n);
  const said = await middle.call(customerKey, "/wallet/balance");
  expect(BigInt(said?.body.balance.replace(".", ""))).toBe(balanceAtFirst - spent);
  expect(await upstream.brokenInvariants()).toEqual([]);
  expect(await middle.brokenInvariants()).toEqual([]);
});
