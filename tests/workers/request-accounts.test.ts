import { expect, test } from "vitest";
import type { OpenedProvider } from "../../src/domain/funding/providers.ts";
import { openDatabase } from "../../src/platform/database/database.ts";
import { accountRequesting } from "../../src/workers/open-accounts.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());

test("accounts are requested for who was approved lately, and for all with a change of providers and now and then", async () => {
  const { pool } = fresh;
  let enabled = [{} as OpenedProvider];
  const look = accountRequesting.open({ database: openDatabase(pool), providers: { enabled: async () => enabled } });
  const approve = async (name: string, ago: string) => {
    const text =
      "insert into merchants (name, email, api_approved_at) values ($1, 'a@example.com', now() - $2::interval)";
    await pool.query(text, [name, ago]);
  };
  const requested = async () => {
    const text =
      "select m.name from funding_accounts a join merchants m on m.id = a.merchant_id order by a.provider, m.id";
    return (await pool.query<{ name: string }>(text)).rows.map(({ name }) => name);
  };
  await pool.query("insert into payment_providers (name, connector) values ('bank', 'paystack')");
  await approve("old", "2 days");
  await look();
  expect(await requested()).toEqual(["old"]);
  // As if its commit had been under way for days.
  await approve("forgotten", "2 days");
  await approve("new", "1 minute");
  await look();
  expect(await requested()).toEqual(["old", "new"]);
  for (let looks = 0; looks < 60; looks += 1) await look();
  expect(await requested()).toEqual(["old", "forgotten", "new"]);
  await pool.query("insert into payment_providers (name, connector) values ('other', 'paystack')");
  await look();
  expect(await requested()).toEqual(["old", "forgotten", "new", "new"]);
  enabled = [{} as OpenedProvider];
  await look();
  expect(await requested()).toEqual(["old", "forgotten", "new", "old", "forgotten", "new"]);
});
