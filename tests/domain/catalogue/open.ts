import type { Catalogue } from "../../../src/domain/catalogue/catalogue.ts";
import { openCatalogue } from "../../../src/domain/catalogue/catalogue.ts";
import type { Buyer } from "../../../src/domain/catalogue/snapshot.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import type { Database } from "../../../src/platform/database.ts";
import { openDatabase, openPool } from "../../../src/platform/database.ts";
import type { RevisionWatch } from "../../../src/platform/revisions.ts";
import { watchRevisions } from "../../../src/platform/revisions.ts";
import type { FreshDatabase } from "../../support/database.ts";

/** What one process of a deployment holds: its own connections, its own watch, its own memory. */
export interface CatalogueProcess {
  readonly database: Database;
  readonly watch: RevisionWatch;
  readonly catalogue: Catalogue;
  close(): Promise<void>;
}

export function startProcess(fresh: FreshDatabase): CatalogueProcess {
  const database = openDatabase(
    openPool({ connectionString: fresh.url, connectionsMax: 4, applicationName: "test", plans: "ordinary" }),
  );
  const watch = watchRevisions({ database, monotonicMs: () => performance.now() });
  return {
    database,
    watch,
    catalogue: openCatalogue({ database, watch }),
    async close() {
      watch.stop();
      await database.close();
    },
  };
}

/** A merchant that exists, as far as prices go. */
export async function newBuyer(fresh: FreshDatabase, priceTier = 1): Promise<Buyer> {
  const { rows } = await fresh.pool.query(
    "insert into merchants (name, email, price_tier) values ('Test', 'test@example.com', $1) returning id",
    [priceTier],
  );
  return { merchantId: rows[0].id as MerchantId, priceTier };
}
