import { systemClock as clock } from "../../../../rigs/base/merchants.ts";
import { toppedUp as topup } from "../../../../src/categories/fulfilment/fulfilment-fields.ts";
import { type EventsRange, listEvents } from "../../../../src/domain/history/events/list.ts";
import { openAccept } from "../../../../src/domain/purchases/accept.ts";
import type { Purchase } from "../../../../src/domain/purchases/purchase.ts";
import { openSettle } from "../../../../src/domain/purchases/settle.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import type { ProductId, WalletKey } from "../../../../src/kernel/ids.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import type { FreshDatabase } from "../../../support/database.ts";
import { testTransactionIds as transactionIds } from "../../../support/transaction-ids.ts";
import { newPurchase, noAnnouncements } from "../../../support/wallet.ts";
import { testSecretBox } from "../../../support/webhooks.ts";
import { startProcess } from "../../catalogue/open.ts";

const zone = wallTime("Africa/Lagos");

export interface Page {
  readonly ids: readonly string[];
  readonly references: readonly string[];
  readonly hasMore: boolean;
}

/** A process of a deployment: it sells, ends what any of them sold, and lists events. Its commits take as long as told. */
export function startSeller(fresh: FreshDatabase, commitMs: () => number = () => 0) {
  const { database, catalogue, close } = startProcess(fresh);
  const slow = slowly(database, commitMs);
  const accept = openAccept({ database: slow, clock, wallTime: zone });
  const announced = { announcements: noAnnouncements, secretBox: testSecretBox, transactionIds };
  const settle = openSettle({ database: slow, clock, ...announced });
  const services = { database, catalogue, clock, wallTime: zone, transactionIds };

  return {
    database,
    close,
    async buy(wallet: WalletKey, reference: string): Promise<Purchase> {
      const accepted = await accept(newPurchase(wallet, reference, { productId: 1002 as ProductId }));
      if (accepted.kind !== "accepted") throw new Error(`not accepted: ${accepted.kind}`);
      return accepted.purchase;
    },
    async end(purchase: Purchase, status: "successful" | "failed" = "successful"): Promise<void> {
      const said = { providerReference: "4400112233" };
      const outcome =
        status === "failed"
          ? ({ status, errorCode: "PROVIDER_DECLINED" } as const)
          : ({ status, ...said, fulfilment: topup } as const);
      await settle(purchase, outcome, { epoch: 0, evidence: null });
    },
    async list(wallet: WalletKey, needed: Partial<EventsRange> = {}): Promise<Page> {
      const { events, hasMore } = await listEvents(services, wallet, {
        after: null,
        event: null,
        limit: 20,
        ...needed,
      });
      const read = events.map((text) => JSON.parse(text) as { id: string; payload: { data: { reference: string } } });
      return { ids: read.map(({ id }) => id), references: read.map(({ payload }) => payload.data.reference), hasMore };
    },
  };
}

export type Seller = ReturnType<typeof startSeller>;

/** All that a client reads that goes on until there is no more. Fails when that takes more pages than `pagesMax`. */
export async function readAll(seller: Seller, wallet: WalletKey, needed: Partial<EventsRange> = {}, pagesMax = 1_000) {
  const references: string[] = [];
  let after = needed.after ?? null;
  for (let page = 0; page < pagesMax; page++) {
    const { ids, references: more, hasMore } = await seller.list(wallet, { ...needed, after });
    references.push(...more);
    after = ids.at(-1) ?? after;
    if (!hasMore) return { references, after, pages: page + 1 };
  }
  throw new Error(`more than ${pagesMax} pages`);
}

/** Holds each statement's commit back for a while, as a busy disk or a distant standby does. */
function slowly(database: Database, commitMs: () => number): Database {
  return {
    ...database,
    query: (sql, values) =>
      database.transaction(async (tx) => {
        const rows = await tx.query(sql, values);
        await new Promise((resolve) => setTimeout(resolve, commitMs()));
        return rows as never;
      }),
  };
}
