import type { Catalogue } from "../../../src/domain/catalogue/catalogue.ts";
import { openCatalogue } from "../../../src/domain/catalogue/catalogue.ts";
import type { Buyer, CatalogueSnapshot } from "../../../src/domain/catalogue/snapshot.ts";
import type { MerchantId, ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { openDatabase, openPool } from "../../../src/platform/database/database.ts";
import type { RevisionWatch } from "../../../src/platform/revisions.ts";
import { watchRevisions } from "../../../src/platform/revisions.ts";
import { refused } from "../../categories/ask.ts";
import type { FreshDatabase } from "../../support/database.ts";

/** What one process of a deployment holds: its own connections, its own watch, its own memory. */
export interface CatalogueProcess {
  readonly database: Database;
  readonly watch: RevisionWatch;
  readonly catalogue: Catalogue;
  /** The catalogue as of now, without waiting for the watch's next question. */
  present(): Promise<CatalogueSnapshot>;
  close(): Promise<void>;
}

export function startProcess(fresh: FreshDatabase): CatalogueProcess {
  const database = openDatabase(
    openPool({ connectionString: fresh.url, connectionsMax: 4, applicationName: "test", plans: "ordinary" }),
  );
  const watch = watchRevisions({ database, monotonicMs: () => performance.now() });
  const catalogue = openCatalogue({ database, watch });
  return {
    database,
    watch,
    catalogue,
    async present() {
      await watch.refreshAnew();
      return catalogue.current();
    },
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

export const amount = (value: bigint) => ({ kind: "fixed", kobo: kobo(value) }) as const;
export const share = (value: bigint) => ({ kind: "percent", basisPoints: basisPoints(value) }) as const;

/** Products of the starting catalogue that stand for a kind. */
export const samples = {
  /** Variable, 96.8 %. */
  airtime: 2001 as ProductId,
  /** Fixed, no face value, ₦640. */
  resellerPlan: 1002 as ProductId,
  /** Fixed, face value ₦1,500, 98 %. */
  retailPlan: 1062 as ProductId,
  otherPlan: 1063 as ProductId,
  jamb: 5051 as ProductId,
};

export const nobody = 2_000_000_000 as MerchantId;

/** What `refused` says of something that takes a while. */
export async function refusedLater(act: Promise<unknown>): Promise<string> {
  const outcome = await act.then(
    () => null,
    (error: unknown) => error,
  );
  return refused(() => {
    if (outcome !== null) throw outcome;
  });
}
