import { expect, test } from "vitest";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { operate as run } from "../support/operate.ts";
import { walletKey } from "../support/wallet.ts";
import { enqueueEvent, logAttempt } from "../support/webhooks.ts";

const fresh = closing(await freshDatabase());

const operate = (...words: string[]) => run(["webhooks", "recover", ...words], { DATABASE_URL: fresh.url });

test("what was never delivered to a merchant is sent again, in both modes or one; others' and what arrived are not", async () => {
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 2, applicationName: "test", plans: "ordinary" });
  const database = openDatabase(pool);
  const { rows } = await fresh.pool.query(
    "insert into merchants (name, email) select 'm', 'm@example.com' from generate_series(1, 2) returning id",
  );
  const [id, other] = rows.map((row) => row.id as number) as [number, number];
  for (const merchant of [id, other]) {
    await setEndpoint(database, walletKey(merchant), "https://example.com/");
    for (const mode of ["live", "test"] as const) {
      const wallet = walletKey(merchant, mode);
      for (const successful of [true, false, false]) {
        const delivery = await enqueueEvent(database, wallet);
        await logAttempt(database, wallet, delivery, { successful, httpStatus: successful ? 200 : 500 });
      }
    }
  }
  await database.close();
  await fresh.pool.query("delete from webhook_outbox");

  const merchant = `mer_${id}`;
  expect((await operate(merchant, "--since", "2020-01-01", "--mode", "live", "--json")).lines).toEqual([
    { merchant_id: merchant, mode: "live", recovered: 2 },
  ]);
  const both = await operate(merchant, "--since", "2020-01-01T00:00:00Z", "--json");
  expect(both.lines.map(({ mode, recovered }) => [mode, recovered])).toEqual([
    ["live", 0],
    ["test", 2],
  ]);
  expect(
    (await fresh.pool.query("select abs(wallet_id) as merchant_id from webhook_outbox where due_at <= now()")).rows,
  ).toEqual(Array.from({ length: 4 }, () => ({ merchant_id: id })));
  for (const [words, complaint] of [
    [[merchant, "--since", "yesterday"], /date/],
    [["mer_999999", "--since", "2020-01-01"], /no merchant/],
    [[merchant], /--since/],
  ] as const) {
    const refused = await operate(...words);
    expect([refused.code, refused.error]).toEqual([1, expect.stringMatching(complaint)]);
  }
});

test("a refused recovery is not in the audit log, one that was made is", async () => {
  const { rows } = await fresh.pool.query(
    "insert into merchants (name, email) values ('m', 'a@b.example') returning id",
  );
  const id = rows[0].id as number;
  const entries = async () =>
    Number((await fresh.pool.query("select count(*) from audit_log where details like $1", [`%${id}%`])).rows[0].count);
  const before = await entries();
  const refused = await operate(`mer_${id}`, "--since", "2020-01-01");
  expect([refused.code, refused.error]).toEqual([1, expect.stringMatching(/No webhook is set/)]);
  expect(await entries()).toBe(before);
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "ordinary" });
  const database = openDatabase(pool);
  await setEndpoint(database, walletKey(id), "https://example.com/");
  await database.close();
  expect((await operate(`mer_${id}`, "--since", "2020-01-01")).code).toBe(0);
  expect(await entries()).toBe(before + 1);
});
