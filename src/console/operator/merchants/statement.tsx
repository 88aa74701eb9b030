import {
  entryCountOf,
  openStatement,
  type StatementLine,
  statementCsvHeading,
  streamStatementLines,
  writeStatementCsv,
} from "../../../domain/history/statement/wallet-statement.ts";
import type { PersonId } from "../../../domain/identity/people/person.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { type WalletKey, walletName } from "../../../kernel/ids.ts";
import { byteOrderMark } from "../../../platform/csv.ts";
import { pacedPieces } from "../../../platform/pacing.ts";
import { csvAnswer } from "../../kit/answer.tsx";
import { listPage, periodFilters, readList, refuseUnread } from "../../kit/list-page.tsx";
import { openOneFile } from "../../kit/one-file.ts";
import { Figures } from "../../kit/parts/data.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { grouped, Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantCrumbs, merchantPath } from "./found-merchant.ts";

const shownMax = 100;

/** Every entry of a merchant's live wallet in a time: to look at, and as a file. */
export function statementPages(routes: StaffRoutes, services: OperatorServices): void {
  const path = "/operator/merchants/:id/statement";
  routes.page(path, {
    capability: "see_money",
    show: async (visit) => statementPage(services, visit, await merchantAt(services, visit)),
  });

  const oneFile = openOneFile<PersonId>(
    "Your last download is still running. Wait until it’s complete, then ask again.",
  );
  routes.file(`${path}.csv`, {
    capability: "see_money",
    async show(visit) {
      const merchant = await merchantAt(services, visit);
      const { query, range: requested } = readRange(services, visit, merchant);
      refuseUnread(query);
      const wallet = walletOf(merchant);
      const content = await oneFile(visit.session.person.id, async () =>
        pacedPieces(csvPieces(services, wallet, await openStatement(services.reads, wallet, requested))),
      );
      return csvAnswer(`statement-${walletName(wallet)}.csv`, content);
    },
  });
}

function walletOf({ id }: MerchantRow): WalletKey {
  return { merchantId: id, mode: "live" };
}

async function* csvPieces(
  services: OperatorServices,
  wallet: WalletKey,
  range: Awaited<ReturnType<typeof openStatement>>,
): AsyncGenerator<string> {
  yield byteOrderMark;
  yield statementCsvHeading;
  for await (const lines of streamStatementLines(services.reads, wallet, range))
    yield writeStatementCsv(lines, wallet, services);
}

function readRange({ wallTime, people }: OperatorServices, visit: StaffVisit, merchant: MerchantRow) {
  const filters = periodFilters({ wallTime, clock: people.clock }, (instant) => instant);
  const query = readList(visit, `${merchantPath(merchant.id)}/statement`, filters);
  const { days, to } = query.values;
  const from = query.values.from ?? days;
  return { query, range: { from, before: from !== null && to !== null && to <= from ? null : to } };
}

async function statementPage(services: OperatorServices, visit: StaffVisit, merchant: MerchantRow) {
  const { query, range: requested } = readRange(services, visit, merchant);
  const wallet = walletOf(merchant);
  const range = await openStatement(services.reads, wallet, requested);
  const rows = await firstLines(services, wallet, range);
  const count = entryCountOf(range);
  return listPage(query, {
    title: "Statement",
    crumbs: merchantCrumbs(merchant),
    note:
      count > rows.length
        ? `The first ${rows.length} of ${grouped(count)}. The CSV has all.`
        : `${merchant.name}, live wallet`,
    csv: { path: `${merchantPath(merchant.id)}/statement.csv`, count },
    caption: "Entries, the oldest first",
    rows,
    columns: [
      { title: "Entry", cell: ({ description }: StatementLine) => description, place: "lead" },
      { title: "Time", cell: ({ at }) => <Moment at={at} />, place: "sub" },
      { title: "Reference", cell: ({ reference }) => reference, place: "sub", isExtra: true },
      { title: "Balance", cell: ({ balanceAfter }) => <Money amount={balanceAfter} />, align: "end" },
      { title: "Amount", cell: ({ amount }) => <Money amount={amount} isSigned />, place: "amount" },
    ],
    empty: <Empty title="No entries yet">Credits, sales and refunds appear here.</Empty>,
    noneFits: { title: "No entries in this time", text: "Choose other days." },
    above: (
      <Figures
        figures={[
          { label: "Opening balance", value: <Money amount={range.openingBalance} /> },
          { label: "Closing balance", value: <Money amount={range.closingBalance} /> },
          { label: "Entries", value: grouped(Number(count)) },
        ]}
      />
    ),
  });
}

async function firstLines(
  { reads }: OperatorServices,
  wallet: WalletKey,
  range: Awaited<ReturnType<typeof openStatement>>,
): Promise<StatementLine[]> {
  for await (const lines of streamStatementLines(reads, wallet, range)) return lines.slice(0, shownMax);
  return [];
}
