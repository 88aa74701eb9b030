import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { statementCsvHeading, writeStatementCsv } from "../../../domain/wallet/statement-lines.ts";
import {
  addedUpMax,
  entryCountOf,
  findFlow,
  openStatement,
  streamStatementLines,
} from "../../../domain/wallet/wallet-statement.ts";
import { parseInstant, type WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { type Answer, type PageAnswer, page } from "../../kit/answer.ts";
import type { GateServices } from "../../kit/gate.ts";
import { ButtonLink, Buttons, PageHead } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/list.tsx";
import { momentFormat, momentText } from "../../kit/parts/text.tsx";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { openExport } from "../exports.ts";
import { writeStatementPdf } from "./statement-pdf.ts";

interface StatementServices extends GateServices {
  readonly database: Database;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  readonly timeZone: string;
}

/** The entries of the address's range as files, oldest first: for spreadsheets, and for paper. */
export function statementFiles(routes: Routes<ModeVisit>, services: StatementServices): void {
  const database = forReaders(services.database);
  const exportCsv = openExport(services);
  const exportPdf = openExport(services);

  routes.page("/wallet/statement.csv", {
    capability: "see_money",
    async show(visit) {
      const { wallet } = visit;
      const range = await openStatement(database, wallet, rangeOf(visit, services.wallTime));
      async function* pieces() {
        yield statementCsvHeading;
        for await (const lines of streamStatementLines(database, wallet, range))
          yield writeStatementCsv(lines, wallet, services);
      }
      return exportCsv(visit, { what: "statement", format: "csv", pieces });
    },
  });

  const readers = { ...services, database };
  routes.page("/wallet/statement.pdf", {
    capability: "see_money",
    async show(visit): Promise<Answer> {
      const statement = await readStatement(readers, visit);
      if (statement === null) return tooLongPage(visit);
      return exportPdf(visit, { what: "statement", format: "pdf", pieces: () => writeStatementPdf(statement) });
    },
  });
}

/** The range in the address: bare dates, both included. */
export function rangeOf(visit: ModeVisit, zone: WallTime) {
  const bound = (name: "from" | "to") =>
    parseInstant(visit.query.get(name) ?? "", zone, name === "from" ? "start" : "end");
  const from = bound("from");
  const before = bound("to");
  return { from, before: from !== null && before !== null && before <= from ? null : before };
}

/** What a statement on paper says; null where it has too many lines for one. */
async function readStatement({ database, wallTime, timeZone, people }: StatementServices, visit: ModeVisit) {
  const { wallet, member, mode } = visit;
  const asked = rangeOf(visit, wallTime);
  const range = await openStatement(database, wallet, asked);
  const [flow, company] = await Promise.all([findFlow(database, wallet, range), people.company()]);
  if (flow === null) return null;
  const format = momentFormat(timeZone);
  const madeAt = new Date(people.clock.now());
  const bound = (name: "from" | "to", at: number | null) => {
    if (at === null) return name === "from" ? "the beginning" : "now";
    // A day that is named includes its end, which is the next one's beginning.
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(visit.query.get(name) ?? "");
    return momentText({ at: isDay && name === "to" ? at - 1 : at, format, style: isDay ? "day" : "full" });
  };
  return {
    ...{ company, mode, madeAt, format, range, flow },
    merchant: { name: member.name, id: formatMerchantId(member.merchantId) },
    span: `From ${bound("from", asked.from)} to ${bound("to", asked.before)}`,
    count: entryCountOf(range),
    lines: streamStatementLines(database, wallet, range),
  };
}

function tooLongPage(visit: ModeVisit): PageAnswer {
  const query = new URLSearchParams([...visit.query]);
  const here = modePath(visit, "wallet");
  return page(
    "Too long for a PDF",
    <>
      <PageHead title="Too long for a PDF">
        A PDF has at most {grouped(addedUpMax)} lines. Choose fewer days, or take all of them as CSV.
      </PageHead>
      <Buttons>
        <ButtonLink href={`${here}?${query}`}>Choose other days</ButtonLink>
        <ButtonLink href={`${here}/statement.csv?${query}`} isDownload kind="main">
          Download as CSV
        </ButtonLink>
      </Buttons>
    </>,
    { status: 400 },
  );
}
