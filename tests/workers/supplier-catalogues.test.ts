import { beforeEach, expect, test } from "vitest";
import type { ProductId } from "../../src/kernel/ids.ts";
import type { CatalogueAnswer, Connector } from "../../src/providers/contract.ts";
import { catalogueAsking, catalogueWatch } from "../../src/workers/watch/watch-catalogues.ts";
import { closing } from "../support/closing.ts";
import { lineOf, naira, openListedRoutes } from "../support/price-list/listed-routes.ts";
import { listedCategories, listedOf, type SentProduct } from "../support/price-list/price-list-kind.ts";
import { sent } from "../support/price-list/price-list-server.ts";
import { startWatch } from "../support/watch.ts";

const own = closing(await openListedRoutes());

interface Line {
  readonly level: string;
  readonly event: string;
}
let lines: Line[] = [];
const write = (level: string) => (line: object) => lines.push({ level, ...line } as Line);
const log = { info: write("info"), warn: write("warn"), error: write("error") } as never;

let calls = 0;
let answer: CatalogueAnswer;
const lister: Connector = {
  name: "lister",
  vend: () => Promise.reject(new Error("nobody buys here")),
  requery: () => Promise.reject(new Error("nobody buys here")),
  async catalogue() {
    calls += 1;
    // Long enough for the other process to look as well.
    await new Promise((resolve) => setTimeout(resolve, 30));
    return answer;
  },
};
const { catalogue: _hasNone, ...other } = { ...lister, name: "other" };

function reply(...products: SentProduct[]): CatalogueAnswer {
  return { kind: "told", categories: listedCategories, products: products.map(listedOf) };
}

beforeEach(async () => {
  lines = [];
  calls = 0;
  answer = reply();
  await own.empty();
});

const ask = (connectors: readonly Connector[] = [lister, other]) =>
  startWatch(catalogueAsking, { database: own.database, routing: { connectors: async () => connectors }, log });
/** The turn comes so much nearer. */
const pass = (time: string) => own.fresh.pool.query("update turns set free_at = free_at - $1::interval", [time]);

const stored = async () =>
  (await own.fresh.pool.query("select supplier, reported_at, new_products, loses_money from supplier_catalogues")).rows;

/** Lets it ask until it was asked so often, and is through. */
async function requestedTimes(times: number): Promise<void> {
  const loop = ask();
  await expect.poll(() => calls).toBeGreaterThanOrEqual(times);
  await loop.stop();
}

test("two processes ask a supplier once a day, and only those that have a list", async () => {
  const loops = [ask(), ask()];
  await expect.poll(stored).toMatchObject([{ supplier: "lister", reported_at: expect.any(Date) }]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.all(loops.map((loop) => loop.stop()));
  expect([calls, lines]).toEqual([1, []]);
  await pass("23 hours");
  const early = ask();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await early.stop();
  expect(calls).toBe(1);
  await pass("1 hour");
  await requestedTimes(2);
  expect(calls).toBe(2);
});

test("a list that was not told is logged with what was said, asked for again in an hour, and leaves what was found", async () => {
  answer = reply(sent("data", "a", ["NGN", 100]));
  await requestedTimes(1);
  const before = await stored();
  answer = { kind: "failed", evidence: "data, page 2: it said no" };
  lines = [];
  await pass("1 day");
  await requestedTimes(2);
  expect(lines).toEqual([
    { level: "warn", event: "supplier.catalogue_untold", supplier: "lister", evidence: "data, page 2: it said no" },
  ]);
  expect(await stored()).toEqual(before);
  await pass("59 minutes");
  const early = ask();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await early.stop();
  expect(calls).toBe(2);
  await pass("1 minute");
  await requestedTimes(3);
});

test("a cost that passed a price is an error in the log for each product, with what differs before it", async () => {
  await own.routed(1002, "lost", naira(500));
  await own.routed(1003, "gone", naira(500));
  await own.routed(1004, "kept", naira(500));
  answer = reply(
    sent("data", "lost", ["NGN", 64_001]),
    sent("data", "kept", ["NGN", 50_000]),
    sent("data", "more", null),
  );
  await requestedTimes(1);
  expect(lines).toEqual([
    {
      level: "warn",
      event: "supplier.catalogue_differs",
      supplier: "lister",
      listed: 3,
      losesMoney: 1,
      valueChanged: 0,
      gone: 1,
      costChanged: 0,
      newProducts: 1,
      unclear: 0,
    },
    {
      level: "error",
      event: "supplier.cost_above_price",
      supplier: "lister",
      productId: 1002,
      quantity: 1,
      cost: "640.01",
      price: "640.00",
    },
  ]);
});

test("that a supplier has more than we sell is no warning, and an agreeing list is no line", async () => {
  await own.routed(1004, "kept", naira(500));
  answer = reply(sent("data", "kept", ["NGN", 50_000]), sent("data", "more", null));
  await requestedTimes(1);
  expect(lines).toMatchObject([{ level: "info", event: "supplier.catalogue_differs", newProducts: 1 }]);
});

test("of many losses twenty are named, and all of them counted", async () => {
  const { rows } = await own.fresh.pool.query(
    "select id from products p where biller_slug like '%-data' order by id limit 25",
  );
  for (const { id } of rows) await own.routed(id, `p${id}`, naira(1));
  answer = reply(...rows.map(({ id }) => sent("data", `p${id}`, ["NGN", 900_000_000])));
  await requestedTimes(1);
  expect(lines.filter(({ event }) => event === "supplier.cost_above_price")).toHaveLength(20);
  expect(lines[0]).toMatchObject({ losesMoney: 25 });
});

test("no transaction is open while a supplier is waited for", async () => {
  const open: number[] = [];
  const looking: Connector = {
    ...lister,
    async catalogue() {
      const { rows } = await own.fresh.pool.query(
        "select count(*)::int as open from pg_stat_activity where datname = current_database() and application_name = 'listed routes' and state like 'idle in%'",
      );
      open.push(rows[0].open);
      return reply();
    },
  };
  const loop = ask([looking]);
  for (const times of [1, 2, 3]) {
    await expect.poll(() => open.length).toBe(times);
    const again = "update turns set free_at = now() where free_at > now() + interval '2 hours'";
    await expect.poll(async () => (await own.fresh.pool.query(again)).rowCount).toBe(1);
  }
  await loop.stop();
  expect(new Set(open)).toEqual(new Set([0]));
});

test("every process has the figures, none of a supplier that is disabled, and what was accepted is asked anew", async () => {
  await own.routed(1002, "lost", naira(500));
  const list = [sent("data", "lost", ["NGN", 64_001])];
  answer = reply(...list);
  await requestedTimes(1);
  const { metrics, stop } = startWatch(catalogueWatch, { database: own.database, log });
  const losing = (count: number) =>
    expect
      .poll(() => metrics.text())
      .toContain(`dispense_supplier_catalogue_differences{supplier="lister",change="loses_money"} ${count}\n`);
  await losing(1);
  expect(await metrics.text()).toMatch(/catalogue_age_seconds\{supplier="lister"\} \d/);
  await own.fresh.pool.query("update suppliers set state = 'disabled'");
  await losing(0);
  await own.fresh.pool.query("update suppliers set state = 'enabled'");
  await losing(1);
  const { differences } = await own.compareWith(list);
  await own.accept(differences.map((each) => lineOf(each, 2, 1002 as ProductId)));
  await requestedTimes(2);
  await losing(0);
  await stop();
});
