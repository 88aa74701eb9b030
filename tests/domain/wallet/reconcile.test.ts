import { expect, test } from "vitest";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { type Database, openDatabase, openPool, type Tx } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { fundedWallet, walletKey } from "../../support/wallet.ts";

const fresh = closing(await freshDatabase());
const options = { connectionString: fresh.url, connectionsMax: 1, applicationName: "books" };
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));
await fundedWallet(database, walletKey(1), 1_000_000n);

/** The same database, but that `look` is called between two statements of a transaction. */
function watched(look: () => Promise<unknown>): Database {
  const transaction: Database["transaction"] = (work) =>
    database.transaction((tx) => {
      const query: Tx["query"] = async (statement, values) => {
        await look();
        return tx.query(statement, values);
      };
      return work({ ...tx, query });
    });
  return { ...database, transaction };
}

test("the books are proved without keeping old rows from being cleared away between two invariants", async () => {
  let looks = 0;
  const checks = await checkLedger(
    watched(async () => {
      looks += 1;
      const { rows } = await fresh.pool.query(
        "select backend_xmin, backend_xid from pg_stat_activity where application_name = 'books'",
      );
      expect(rows).toEqual([{ backend_xmin: null, backend_xid: null }]);
    }),
  );
  expect(looks).toBeGreaterThan(checks.length);
  expect(checks.flatMap(({ broken }) => broken)).toEqual([]);
});
