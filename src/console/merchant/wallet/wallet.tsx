import {
  addedUpMax,
  entryCountOf,
  findFlow,
  openStatement,
  readStatementLines,
  statementCsvHeading,
  streamStatementLines,
  writeStatementCsv,
} from "../../../domain/history/statement/wallet-statement.ts";
import type { EntryFlow, StatementRange } from "../../../domain/history/statement/wallet-statement-queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findWallet, updateLowBalanceThreshold } from "../../../domain/wallet/queries.ts";
import { formatNaira, type Kobo, notAnAmount, readAmount, subtract, zeroKobo } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { CsvLink, listPage, periodFilters, readList, refuseUnread } from "../../kit/list-page.tsx";
import { CodeBlock, Figures } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Moment, Money, momentText, moneyText } from "../../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { changing } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";
import { writeStatementPdf } from "./statement-pdf.ts";

const rowsPerPage = 100;

/** Opening, in, out, closing; and the old and the new balance of each line. */
export function walletPages(routes: ModeRoutes, services: MerchantServices): void {
  const show = (visit: ModeVisit, typed: Typed) => walletPage(services, visit, typed);

  routes.page("/wallet", { capability: "see_money", show });
  statementFiles(routes, services);

  routes.form("/wallet/threshold", {
    capability: "see_money",
    doneAt: (visit) => visit.to("wallet"),
    show,
    async send(visit, form) {
      const text = form.text("threshold");
      const threshold = text === "" ? null : readAmount(text);
      if (text !== "" && threshold === null) throw refuseField("VALIDATION_ERROR", "threshold", notAnAmount(text));
      const details = { mode: visit.mode, threshold: threshold === null ? null : formatNaira(threshold) };
      const database = changing(services, visit, { command: "console low balance", details });
      await database.transaction((tx) => updateLowBalanceThreshold(tx, visit.wallet, threshold));
      const done = threshold === null ? "Nobody is told of a low balance." : "You are told below that balance.";
      return goTo(visit.to("wallet"), done);
    },
  });
}

async function walletPage(services: MerchantServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const { reads, people } = services;
  const requested = readStatementQuery(visit, services);
  const range = await openStatement(reads, visit.wallet, requested.range);
  const total = entryCountOf(range);
  const lastPage = Math.max(1, Math.ceil(total / rowsPerPage));
  const query = { ...requested.query, page: Math.min(lastPage, requested.query.page) };
  // Newest first: the last page of the statement is the first one here.
  const end = total - (query.page - 1) * rowsPerPage;
  const skip = Math.max(0, end - rowsPerPage);
  const [lines, flow, wallet, company] = await Promise.all([
    readStatementLines(reads, visit.wallet, range, { skip, limit: end - skip }),
    findFlow(reads, visit.wallet, range),
    findWallet(reads, visit.wallet),
    people.company(),
  ]);
  const files = (
    <>
      {flow === null ? null : (
        <ButtonLink href={query.href({}, visit.to("wallet/statement.pdf"))} isDownload>
          Download as PDF
        </ButtonLink>
      )}
      <CsvLink query={query} path={visit.to("wallet/statement.csv")} count={total} />
    </>
  );
  return listPage(query, {
    title: "Wallet",
    note: `The ${walletNames[visit.mode]} wallet`,
    actions: files,
    status: typed.status,
    over: (
      <Figures
        figures={[
          { label: "Balance now", value: moneyText(wallet?.balance ?? zeroKobo), note: "of this mode's wallet" },
          { label: "Opening", value: moneyText(range.openingBalance), note: "before the first entry shown" },
          ...changeOf(range, flow),
          { label: "Closing", value: moneyText(range.closingBalance), note: `${grouped(total)} entries` },
        ]}
      />
    ),
    caption: "Entries of the wallet, newest first",
    rows: lines.toReversed(),
    href: ({ reference }) => (reference === null ? null : purchasePath(visit, reference)),
    columns: [
      { title: "Time", cell: ({ at }) => <Moment at={at} style="second" /> },
      { title: "What", cell: ({ description }) => description, place: "lead" },
      { title: "Kind", cell: ({ kind }) => kind.replaceAll("_", " "), place: "sub" },
      { title: "Amount", cell: ({ amount }) => <Money amount={amount} isSigned />, align: "end", place: "amount" },
      {
        title: "Balance",
        cell: ({ amount, balanceAfter }) => `${moneyText(subtract(balanceAfter, amount))} → ${moneyText(balanceAfter)}`,
        align: "end",
      },
    ],
    empty: <Empty title="No entries in this range">Every purchase, refund and transfer is an entry here.</Empty>,
    pages: { perPage: rowsPerPage, total },
    below: (
      <Columns>
        <TopUp bankDetails={company.bankDetails} name={company.name} />
        <LowBalance typed={typed} threshold={wallet?.lowBalanceThreshold ?? null} />
      </Columns>
    ),
  });
}

/** What came in and what went out; of a range that is too long to be added up at once, the difference alone. */
function changeOf({ openingBalance, closingBalance }: StatementRange, flow: EntryFlow | null) {
  if (flow === null) {
    const note = `in this range; a PDF, and what came in and went out, up to ${grouped(addedUpMax)} entries`;
    return [{ label: "Change", value: <Money amount={subtract(closingBalance, openingBalance)} isSigned />, note }];
  }
  return [
    { label: "In", value: moneyText(flow.in), note: "top-ups and refunds" },
    { label: "Out", value: moneyText(flow.out), note: "purchases and corrections" },
  ];
}

function LowBalance({ typed, threshold }: { readonly typed: Typed; readonly threshold: Kobo | null }) {
  const stored = threshold === null ? "" : formatNaira(threshold);
  return (
    <Sheet title="Low balance" id="threshold">
      <Form action={useVisit().to("wallet/threshold")} submit="Save" kind="plain">
        <TextField
          {...typed.field("threshold", stored)}
          label="Tell me below"
          unit="₦"
          hint="By the event wallet.low_balance and on the overview. Empty: never."
          keys="decimal"
          isRequired={false}
        />
      </Form>
    </Sheet>
  );
}

const walletNames = { live: "live", test: "sandbox" } as const;
const moneyOf = {
  live: "What you sell is charged to this wallet.",
  test: "The sandbox has play money, which the page Sandbox resets to ₦100,000.00. The live wallet is topped up so:",
} as const;

function TopUp({ bankDetails, name }: { readonly bankDetails: string | null; readonly name: string }) {
  const visit = useVisit();
  return (
    <Sheet title="Top up" id="top-up">
      <p>{moneyOf[visit.mode]}</p>
      {bankDetails === null ? (
        <p>Ask {name} how to pay in: it has not said so here yet.</p>
      ) : (
        <>
          <p>Transfer to this account. {name} books it on your wallet when it has arrived.</p>
          <CodeBlock code={bankDetails} label="Bank details" />
        </>
      )}
      <p>
        Write <code>{formatMerchantId(visit.member.merchantId)}</code> into the transfer's text.
      </p>
    </Sheet>
  );
}

/** The entries of the address's range as files, oldest first: for spreadsheets, and for paper. */
function statementFiles(routes: ModeRoutes, services: MerchantServices): void {
  const { reads } = services;

  routes.page("/wallet/statement.csv", {
    capability: "see_money",
    async show(visit) {
      const { wallet } = visit;
      const requested = readStatementQuery(visit, services);
      refuseUnread(requested.query);
      const range = await openStatement(reads, wallet, requested.range);
      async function* pieces() {
        yield statementCsvHeading;
        for await (const lines of streamStatementLines(reads, wallet, range))
          yield writeStatementCsv(lines, wallet, services);
      }
      return services.exportFile(visit, { what: "statement", format: "csv", pieces });
    },
  });

  routes.page("/wallet/statement.pdf", {
    capability: "see_money",
    async show(visit) {
      const { query } = readStatementQuery(visit, services);
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

/** What the address asks for, and its range: bare dates, both included. */
function readStatementQuery(visit: ModeVisit, services: Pick<MerchantServices, "wallTime" | "clock">) {
  const query = readList(
    visit,
    visit.to("wallet"),
    periodFilters(services, (instant) => instant),
  );
  const { days, to } = query.values;
  const from = query.values.from ?? days;
  return { query, range: { from, before: from !== null && to !== null && to <= from ? null : to } };
}

/** What a statement on paper says; null where it has too many lines for one. */
async function readStatement(services: MerchantServices, visit: ModeVisit) {
  const { reads, format, people } = services;
  const { wallet, member, mode } = visit;
  const { range: requested, query } = readStatementQuery(visit, services);
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

function tooLongPage(visit: ModeVisit, { href }: Pick<StatementQuery["query"], "href">): PageAnswer {
  const note = `A PDF has at most ${grouped(addedUpMax)} lines. Choose fewer days, or take all of them as CSV.`;
  return page(
    { title: "Too long for a PDF", note, status: 400 },
    <Buttons>
      <ButtonLink href={href()}>Choose other days</ButtonLink>
      <ButtonLink href={href({}, visit.to("wallet/statement.csv"))} isDownload kind="main">
        Download as CSV
      </ButtonLink>
    </Buttons>,
  );
}
