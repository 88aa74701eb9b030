import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStatements } from "../../scripts/generate/named-statements.ts";
import { readTouching } from "../../scripts/generate/statements-doc.ts";
import { openDatabase } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { listFiles, projectRoot } from "./source-text.ts";

// What is kept by wallet could one day lie in several cells (docs/scale.md). Which statements would be asked of each of them
// docs/statements.md says: it is generated, and compared as all such files are.

const database = openDatabase(closing(await freshDatabase()).pool);

test.each([
  ["one", "select p.total from purchases p where p.wallet_id = $1 and p.id > $2"],
  [
    "one",
    "select p.total from inflight f join purchases p on p.wallet_id = f.wallet_id and p.id = f.purchase_id where f.wallet_id = $1",
  ],
  ["one", "select count(*) from request_log where wallet_id = $1 and at > $2"],
  ["one", "update webhook_failing_endpoints set noticed_at = now() where merchant_id = $1"],
  ["one", "select list_new_ends($1, $2, $3)"],
  ["several", "select w.balance from wallets w where w.wallet_id = any ($1)"],
  [
    "several",
    "select p.total from unnest($1::integer[], $2::bigint[]) as i (wallet_id, id) join purchases p on p.wallet_id = i.wallet_id and p.id = i.id",
  ],
  [
    "several",
    "insert into guarded_purchases (wallet_id, fingerprint, reference, guarded_until) select i, $2, $3, $4 from unnest($1::integer[]) as i",
  ],
  ["several", "select ordinal from reroute_purchases($1)"],
  ["all", "select p.total from purchases p where p.wallet_id > 0 and p.id = any ($1)"],
  ["all", "select p.total from purchases p where ($1::integer is null or p.wallet_id = $1)"],
  ["all", "select p.total from inflight f join purchases p on p.wallet_id = f.wallet_id and p.id = f.purchase_id"],
  ["all", "select w.balance from merchants m join wallets w on w.wallet_id = m.id"],
  ["all", "select c.epoch from claim_due_purchases($1, $2, $3, $4) c"],
  [null, "select m.name from merchants m where m.id = $1"],
] as const)("the plan tells that %s of the wallets are read: %s", async (whose, text) => {
  const statements = [{ name: "planted", text, file: "planted.ts" }];
  const [touching] = await database.transaction((tx) => readTouching(tx, statements));
  expect(touching?.whose).toBe(whose);
});

test("tables outside that a statement reads beside wallets' are named", async () => {
  const text = "select w.balance from merchants m join wallets w on w.wallet_id = m.id where m.id = $1";
  const [touching] = await database.transaction((tx) =>
    readTouching(tx, [{ name: "planted", text, file: "planted.ts" }]),
  );
  expect(touching).toEqual({ whose: "one", outside: ["merchants"] });
});

test("every statement that the source names is looked at", async () => {
  const read = new Set((await readStatements()).map(({ name }) => name));
  const code = listFiles(["src"], [".ts", ".tsx"]).map((file) => readFileSync(join(projectRoot, file), "utf8"));
  const named = code.flatMap((text) =>
    [...text.matchAll(/^[^*\n]*\bstatement\(\s*"(\w+)"|: Statement = \{\s*(?:secondsMax,\s*)?name: "(\w+)"/gm)].map(
      ([, short, long]) => short ?? long ?? "",
    ),
  );
  expect(named.length).toBeGreaterThan(300);
  // Made at run time of the list of a product's columns, and of nothing else.
  const ofProducts = ["list_products", "insert_products"];
  expect(named.filter((name) => !read.has(name))).toEqual(ofProducts);
});
