import {
  entryCountOf,
  openStatement,
  rangeIn,
  readStatementLines,
  statementCsvPieces,
} from "../../../domain/history/statement/wallet-statement.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { type WalletKey, walletName } from "../../../kernel/ids.ts";
import { list } from "../../kit/list.tsx";
import { periodFilters } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { grouped, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantCrumbs } from "./found-merchant.ts";

const shownMax = 100;

/** Every entry of a merchant's live wallet in a time: to look at, and as a file. */
export function statementPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads, wallTime, people } = services;
  list(routes, {
    at: "/operator/merchants/:id/statement",
    may: "see_money",
    title: "Statement",
    filters: periodFilters({ wallTime, clock: people.clock }, (instant) => instant),
    async read({ visit, values }) {
      const merchant = await merchantAt(services, visit);
      const range = await openStatement(reads, walletOf(merchant), rangeIn(values));
      const rows = await readStatementLines(reads, walletOf(merchant), range, { skip: 0, limit: shownMax });
      const lines = entryCountOf(range);
      return {
        ...{ rows, lines, crumbs: merchantCrumbs(merchant) },
        note:
          lines > rows.length
            ? `The first ${rows.length} of ${grouped(lines)}. The CSV has all.`
            : `${merchant.name}, live wallet`,
        above: (
          <Figures
            figures={[
              { label: "Opening balance", value: <Money amount={range.openingBalance} /> },
              { label: "Closing balance", value: <Money amount={range.closingBalance} /> },
              { label: "Entries", value: grouped(lines) },
            ]}
          />
        ),
      };
    },
    csv: {
      ...{ from: services, may: "see_money" },
      what: async ({ visit }) => `statement-${walletName(walletOf(await merchantAt(services, visit)))}`,
      async pieces({ visit, values }) {
        const wallet = walletOf(await merchantAt(services, visit));
        return statementCsvPieces(reads, wallet, await openStatement(reads, wallet, rangeIn(values)), services);
      },
    },
    caption: "Entries, the oldest first",
    columns: ({ lead, when, extra, naira }) => [
      lead("Entry", ({ description }) => description),
      when("Time", ({ at }) => at, { style: "minute" }),
      extra("Reference", ({ reference }) => reference),
      naira("Balance", ({ balanceAfter }) => balanceAfter),
      { title: "Amount", cell: ({ amount }) => <Money amount={amount} isSigned />, place: "amount" },
    ],
    empty: <Empty title="No entries yet">Credits, sales and refunds appear here.</Empty>,
    noneFits: { title: "No entries in this time", text: "Choose other days." },
  });
}

function walletOf({ id }: MerchantRow): WalletKey {
  return { merchantId: id, mode: "live" };
}
