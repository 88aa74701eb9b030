import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";

const fresh = closing(await freshDatabase());

const migrate = () => operate(["migrate"], { DATABASE_URL: fresh.ownerUrl });

test("migrate brings a database up to date without a start, says so in one line, and refuses one of another text", async () => {
  await fresh.pool.query("update applied_migrations set hash = 'old' where name like 'functions/purchase_day%'");
  expect(await migrate()).toMatchObject({ code: 0, out: "The database is up to date: 1 files applied.\n", error: "" });
  expect(await migrate()).toMatchObject({ code: 0, out: "The database was up to date.\n" });
  await fresh.pool.query("update applied_migrations set hash = 'edited' where name not like 'functions/%'");
  const refused = await migrate();
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.error).toMatch(/^This database was set up by another text of 0001_.*\n$/);
});

test("a migration that the database refuses is named in one line, without a stack", async () => {
  const other = closing(await freshDatabase());
  await other.pool.query(
    `drop function purchase_day cascade;
     create function purchase_day(p_id bigint) returns text language sql return '';
     update applied_migrations set hash = 'old' where name like 'functions/purchase_day%'`,
  );
  const refused = await operate(["migrate"], { DATABASE_URL: other.ownerUrl });
  const sentence = "Migration functions/purchase_day.sql failed: cannot change return type of existing function\n";
  expect(refused).toMatchObject({ code: 1, out: "", error: sentence });
});
