import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import { streamPurchases } from "../../domain/transaction-lists/list.ts";
import { purchaseCsvHeading, writePurchaseCsv } from "../../domain/transaction-lists/purchase-csv.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import { type Database, forReaders } from "../../platform/database/database.ts";
import type { FileAnswer } from "../kit/answer.ts";
import type { ModeVisit } from "../kit/visit.ts";
import { openExport } from "./exports.ts";
import { readListQuery } from "./transaction-query.ts";

interface ExportServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly transactionIds: TransactionIds;
  readonly wallTime: WallTime;
}

/** Gives out every transaction that the list's address asks for, as a file. */
export function openTransactionExport(services: ExportServices): (visit: ModeVisit) => Promise<FileAnswer> {
  const exportList = openExport(services);
  const database = forReaders(services.database);
  return async (visit) => {
    const products = await services.catalogue.current();
    const { filter } = await readListQuery(visit, { ...services, database, products });
    async function* pieces() {
      yield purchaseCsvHeading;
      for await (const purchases of streamPurchases(database, visit.wallet, filter))
        yield writePurchaseCsv(purchases, { ...services, products });
    }
    return exportList(visit, { what: "transactions", format: "csv", pieces });
  };
}
