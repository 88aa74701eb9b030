import { describe, expect, onTestFinished, test } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { checkSessions } from "../../src/platform/database/check-sessions.ts";
import type { Plans } from "../../src/platform/database/connection-config.ts";
import { type Database, openDatabase, openPool, statement } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());

function open(plans: Plans): Database {
  const given = { connectionString: fresh.url, connectionsMax: 1, applicationName: "test" };
  const database = openDatabase(openPool({ ...given, plans }));
  onTestFinished(() => database.close());
  return database;
}

/** What a start would say; undefined where it goes on. Real poolers: tests/main/poolers.test.ts. */
async function complaint(ordinary: Database, batched: Database): Promise<unknown> {
  return checkSessions({ connectionString: fresh.url, ordinary, batched }).catch((error: unknown) => error);
}

const sentence = (what: string) =>
  new StartError(
    `${fresh.url.replace(/^[^@]*@/, "").replace(/\?.*/, "")} ${what}: let DATABASE_URL name PostgreSQL itself, or a pooler ` +
      "in session mode (PgBouncer: pool_mode = session).",
  );

describe("what the program relies on is read back on its own connections", () => {
  test("and on PostgreSQL's own it holds", async () => {
    expect(await complaint(open("ordinary"), open("batched"))).toBeUndefined();
  });

  test.each([
    ["synchronous_commit", "off", "on"],
    ["synchronous_commit", "local", "on"],
    ["synchronous_commit", "remote_write", "on"],
    ["timezone", "Africa/Lagos", "UTC"],
    ["default_transaction_isolation", "serializable", "read committed"],
  ])("a session that goes by %s = %s is refused", async (name, value, reply) => {
    const ordinary = open("ordinary");
    await ordinary.query(statement("change", `set ${name} = '${value}'`));
    const said = sentence(`goes by ${name} = ${value}, although its session was told ${name} = ${reply}`);
    expect(await complaint(ordinary, open("batched"))).toEqual(said);
  });

  test("so are statements that are planned otherwise", async () => {
    const batched = open("batched");
    await batched.query(statement("change", "set plan_cache_mode = auto"));
    const said = sentence(
      "goes by plan_cache_mode = auto, although its session was told plan_cache_mode = force_generic_plan",
    );
    expect(await complaint(open("ordinary"), batched)).toEqual(said);
  });
});
