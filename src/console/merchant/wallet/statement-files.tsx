import {
  addedUpMax,
  entryCountOf,
  findFlow,
  openStatement,
  rangeIn,
  streamStatementLines,
} from "../../../domain/history/statement/wallet-statement.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { refuseUnread } from "../../kit/list.tsx";
import { periodFilters, readList } from "../../kit/list-page.tsx";
import { ButtonLink, Buttons } from "../../kit/parts/layout.tsx";
import { grouped, momentText } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { writeStatementPdf } from "./statement-pdf.ts";

/** The entries of the address's range on paper, oldest first. */
export function statementPdf(routes: ModeRoutes, services: MerchantServices): void {
  routes.file("/wallet/statement.pdf", {
    capability: "see_money",
    async show(visit) {
      const query = readStatementQuery(visit, services);
      refuseUnread(query);
      const statement = await readStatement(services, visit);
      if (statement === null) return tooLongPage(visit, query);
      return services.exportFile(visit, {
        what: "statement",
        format: "pdf",
        pieces: () => writeStatementPdf(statement),
      });
    },
  });
}

type StatementQuery = ReturnType<typeof readStatementQuery>;

function readStatementQuery(visit: ModeVisit, services: Pick<MerchantServices, "wallTime" | "clock">) {
  return readList(
    visit,
    visit.to("wallet"),
    periodFilters(services, (instant) => instant),
  );
}

/** What a statement on paper says; null where it has too many lines for one. */
async function readStatement(services: MerchantServices, visit: ModeVisit) {
  const { reads, format, people } = services;
  const { wallet, member, mode } = visit;
  const query = readStatementQuery(visit, services);
  const requested = rangeIn(query.values);
  const range = await openStatement(reads, wallet, requested);
  const [flow, company] = await Promise.all([findFlow(reads, wallet, range), people.company()]);
  if (flow === null) return null;
  const madeAt = new Date(people.clock.now());
  const bound = (name: "from" | "to", at: number | null) => {
    if (at === null) return name === "from" ? "the beginning" : "now";
    // A day that is named includes its end, which is the next one's beginning.
    const isDay = query.texts.has("days") || /^\d{4}-\d{2}-\d{2}$/.test(query.texts.get(name) ?? "");
    return momentText(format, isDay && name === "to" ? at - 1 : at, isDay ? "day" : "full");
  };
  return {
    ...{ company, mode, madeAt, format, range, flow },
    merchant: { name: member.name, id: formatMerchantId(member.merchantId) },
    span: `From ${bound("from", requested.from)} to ${bound("to", requested.before)}`,
    count: entryCountOf(range),
    lines: streamStatementLines(reads, wallet, range),
  };
}

function tooLongPage(visit: ModeVisit, { href }: Pick<StatementQuery, "href">): PageAnswer {
  const note = `A PDF holds up to ${grouped(addedUpMax)} entries. Choose fewer days, or download the CSV.`;
  return page(
    { title: "Too many entries for a PDF", note, status: 400, crumbs: [["Wallet", visit.to("wallet")]] },
    <Buttons>
      <ButtonLink href={href()}>Choose other days</ButtonLink>
      <ButtonLink href={href({}, visit.to("wallet/statement.csv"))} isDownload kind="main">
        Download CSV
      </ButtonLink>
    </Buttons>,
  );
}
