import type { ConsoleAnswer, StaffClient, TestConsole } from "../support/console.ts";

/** Data plans at a fixed price without a face value, at ₦640.00; the first two cost ₦500.00 and ₦600.00. */
export const [plan, other, third] = [1002, 1003, 1004];
export const here = "/operator/prices";

export interface PriceDesk {
  /** Sets the base prices of all three to ₦640.00 and takes tiers' own away. */
  reset(): Promise<void>;
  /** In kobo, of everyone or a tier; null where the tier has none. */
  priceOf(id: number, tier?: number | null): Promise<number | null>;
  /** The marks of changes that no merchant got an event of yet. */
  marks(): Promise<unknown[]>;
}

/** Enters a supplier that serves two of the three products. */
export async function openPrices({ app }: TestConsole): Promise<PriceDesk> {
  const { pool } = app.fresh;
  await pool.query("insert into suppliers (name, connector, settings) values ('cheap', 'manual', '{}')");
  await pool.query(
    `insert into supplier_routes (product_id, supplier, supplier_code, cost)
     values ($1, 'cheap', 'p1', 50000), ($2, 'cheap', 'p2', 60000)`,
    [plan, other],
  );
  const desk: PriceDesk = {
    async reset() {
      await pool.query("delete from tier_prices");
      await pool.query("update products set price = 64000, fee = null where id = any ($1)", [[plan, other, third]]);
      await pool.query("delete from catalogue_changes");
      await app.feel("routes");
      await app.feel("catalogue");
    },
    async priceOf(id, tier = null) {
      const { rows } =
        tier === null
          ? await pool.query("select price from products where id = $1", [id])
          : await pool.query("select price from tier_prices where product_id = $1 and tier = $2", [id, tier]);
      return rows.length === 0 ? null : Number(rows[0].price);
    },
    async marks() {
      const { rows } = await pool.query("select kind, product_id, tier from catalogue_changes order by id");
      return rows;
    },
  };
  await desk.reset();
  return desk;
}

/** Types prices over in the table, each under the name that says what it showed. @returns where the preview is */
export async function type(client: StaffClient, typed: readonly (readonly [string, string])[]): Promise<string> {
  const answer = await client.send(`${here}/preview`, { do: "edit", ...Object.fromEntries(typed) });
  if (answer.location === null) throw new Error(answer.text);
  return answer.location;
}

export function base(id: number, shown = "640.00"): string {
  return `price ${id} base ${shown}`;
}

export function decide(client: StaffClient, path: string, fields: Record<string, string> = {}): Promise<ConsoleAnswer> {
  return client.send(path, { reason: "Market moved", below_cost_shown: "0", ...fields });
}
