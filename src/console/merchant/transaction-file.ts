import { Readable } from "node:stream";
import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import { streamPurchases } from "../../domain/transaction-lists/list.ts";
import { purchaseCsvHeading, writePurchaseCsv } from "../../domain/transaction-lists/purchase-csv.ts";
import type { WallTime } from "../../kernel/clock.ts";
import { type MerchantId, type TransactionIds, walletName } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database/database.ts";
import type { FileAnswer } from "../answer.ts";
import type { ModeVisit } from "../visit.ts";
import { readListQuery } from "./transaction-query.ts";

/** Seconds after which somebody may ask again while an export is under way. */
const retrySeconds = 30;

interface ExportServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly transactionIds: TransactionIds;
  readonly wallTime: WallTime;
}

/** Every transaction that the list's address asks for, as a file that is written while it is read. */
export type ExportTransactions = (services: ExportServices, visit: ModeVisit) => Promise<FileAnswer>;

/** One export at a time for each merchant in this process: a long one reads the database for minutes. */
export function openTransactionExport(): ExportTransactions {
  const underWay = new Set<MerchantId>();
  return async (services, visit) => {
    const { merchantId } = visit.member;
    const products = await services.catalogue.current();
    const { filter } = readListQuery(visit, { ...services, products });
    if (underWay.has(merchantId)) {
      const message = "An export of this business is being written already. Wait until it is complete, then ask again.";
      throw refuse("RATE_LIMITED", { message, meta: { limit: "exports" }, retryAfterSeconds: retrySeconds });
    }
    underWay.add(merchantId);
    async function* lines() {
      yield purchaseCsvHeading;
      for await (const purchases of streamPurchases(services.database, visit.wallet, filter))
        yield writePurchaseCsv(purchases, { ...services, products });
    }
    const content = Readable.from(lines());
    // Also where nobody reads to the end, or at all.
    content.once("close", () => underWay.delete(merchantId));
    const name = `transactions-${walletName(visit.wallet)}.csv`;
    return { kind: "file", name, type: "text/csv; charset=utf-8", content };
  };
}
