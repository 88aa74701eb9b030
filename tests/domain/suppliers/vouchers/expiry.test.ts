import { expect, test } from "vitest";
import { listLevels } from "../../../../src/domain/suppliers/vouchers/level-queries.ts";
import { claimStock } from "../../../../src/domain/suppliers/vouchers/queries.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { stockedDatabase } from "../../../support/database.ts";
import { rowsRead } from "../../../support/rows-read.ts";

const fresh = closing(await stockedDatabase());
const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "batched" });
const database = closing(openDatabase(pool));
const { rows } = await fresh.pool.query("select id from products order by id limit 2");
const products = rows.map(({ id }) => id);

/** Puts so many codes on the shelf that nobody can open. */
async function putSealed(productId: number, count: number, expiresOn: string | null): Promise<void> {
  await fresh.pool.query(
    `insert into vouchers (product_id, number, fingerprint, sealed, expires_on, batch)
     select $1, last.number + n, sha256(format('%s %s', $1, last.number + n)::bytea), 'sealed', $3::date, 'file.csv'
       from generate_series(1, $2::integer) n
      cross join (select coalesce(max(number), 0) as number from vouchers where product_id = $1) last`,
    [productId, count, expiresOn],
  );
}

test("what expires first is sold first, and what never does comes last", async () => {
  const productId = products[0]!;
  for (const expiresOn of [null, "2027-01-31", "2026-11-19", "2026-12-31", "2027-01-31"]) {
    await putSealed(productId, 1, expiresOn);
  }
  const sold = async (attempt: string) => {
    await claimStock(database, { attempt, productId, quantity: 1, day: "2026-11-20" });
    const { rows } = await fresh.pool.query("select number::integer from vouchers where sold_to = $1", [attempt]);
    return rows[0]?.number ?? null;
  };
  const order: (number | null)[] = [];
  for (let nth = 1; nth <= 5; nth++) order.push(await sold(`nth-${nth}`));
  expect(order).toEqual([4, 2, 5, 1, null]);
});

test("a claim, and a look at what is left, read none of a thousand vouchers that have expired", async () => {
  const productId = products[1]!;
  await fresh.pool.query("insert into suppliers (name, connector, state) values ('shelf', 'voucher-stock', 'enabled')");
  await fresh.pool.query(
    "insert into supplier_routes (product_id, supplier, supplier_code, cost) values ($1, 'shelf', 'S', 1)",
    [productId],
  );
  await fresh.pool.query("analyze");
  await putSealed(productId, 1_000, "2026-11-19");
  await putSealed(productId, 50, "2026-12-31");
  await putSealed(productId, 50, null);
  for (const plans of ["batched", "ordinary"] as const) {
    const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "alone", plans });
    const alone = openDatabase(pool);
    const claim = (quantity: number, outcome: string) => async () => {
      const wish = { attempt: `${plans} ${quantity}`, productId, quantity, day: "2026-11-20" };
      expect(await claimStock(alone, wish)).toBe(outcome);
    };
    const look = async () => {
      const levels = await listLevels(alone, { day: "2026-11-20", usualThreshold: 5, soldSince: null, times: 0 });
      expect(levels).toMatchObject([{ productId, left: 6, lowAt: 5, isMore: true }]);
    };
    expect(await rowsRead(alone, "vouchers", claim(2, "sold"))).toBeLessThan(20);
    expect(await rowsRead(alone, "vouchers", claim(200, "out_of_stock"))).toBeLessThan(500);
    expect(await rowsRead(alone, "vouchers", look)).toBeLessThan(20);
    await fresh.pool.query("analyze");
    await alone.close();
  }
});
