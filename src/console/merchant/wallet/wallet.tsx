import { memberDatabase } from "../../../domain/memberships/owners.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findWallet, updateLowBalanceThreshold } from "../../../domain/wallet/queries.ts";
import {
  addedUpMax,
  entryCountOf,
  findFlow,
  openStatement,
  readStatementLines,
  type StatementLine,
} from "../../../domain/wallet/wallet-statement.ts";
import type { EntryFlow, StatementRange } from "../../../domain/wallet/wallet-statement-queries.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { formatNaira, type Kobo, notAnAmount, readAmount, subtract } from "../../../kernel/money.ts";
import { type Refusal, refuseField } from "../../../kernel/problems.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import { CodeBlock, Figures } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { ButtonLink, Buttons, Columns, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Filters, grouped, Pager, Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, Money, momentFormat, moneyText } from "../../kit/parts/text.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { rangeOf, statementFiles } from "./statement-files.tsx";

export type WalletPageServices = GateServices & {
  readonly database: Database;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  readonly timeZone: string;
};

const rowsPerPage = 100;
const here = (visit: ModeVisit) => modePath(visit, "wallet");

/** Opening, in, out, closing; and the old and the new balance of each line. */
export function walletPages(routes: Routes<ModeVisit>, services: WalletPageServices): void {
  const format = momentFormat(services.timeZone);
  const show = (visit: ModeVisit, form: Form, refusal: Refusal | null) =>
    walletPage(services, visit, { form, refusal, format });

  routes.page("/wallet", { capability: "see_money", show: (visit) => show(visit, emptyForm, null) });

  statementFiles(routes, services);

  routes.form("/wallet/threshold", {
    capability: "see_money",
    doneAt: here,
    refused: show,
    async send(visit, form) {
      const text = form.text("threshold");
      const threshold = text === "" ? null : readAmount(text);
      if (text !== "" && threshold === null) throw refuseField("VALIDATION_ERROR", "threshold", notAnAmount(text));
      const { merchantId } = visit.member;
      const details = { mode: visit.mode, threshold: threshold === null ? null : formatNaira(threshold) };
      const change = { by: visit.session.person, merchantId, command: "console low balance", details };
      const database = memberDatabase({ ...services.people, database: services.database }, change);
      await database.transaction((tx) => updateLowBalanceThreshold(tx, visit.wallet, threshold));
      return goTo(
        here(visit),
        threshold === null ? "Nobody is told of a low balance." : "You are told below that balance.",
      );
    },
  });
}

interface Shown {
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
}

async function walletPage(services: WalletPageServices, visit: ModeVisit, shown: Shown): Promise<PageAnswer> {
  const database = forReaders(services.database);
  const range = await openStatement(database, visit.wallet, rangeOf(visit, services.wallTime));
  const total = entryCountOf(range);
  const lastPage = Math.max(1, Math.ceil(total / rowsPerPage));
  // Newest first: the last page of the statement is the first one here.
  const number = Math.min(lastPage, Math.max(1, Math.floor(Number(visit.query.get("page") ?? 1)) || 1));
  const end = total - (number - 1) * rowsPerPage;
  const skip = Math.max(0, end - rowsPerPage);
  const [lines, flow, wallet, company] = await Promise.all([
    readStatementLines(database, visit.wallet, range, { skip, limit: end - skip }),
    findFlow(database, visit.wallet, range),
    findWallet(database, visit.wallet),
    services.people.company(),
  ]);
  const address = addressOf(visit);
  const { format, form, refusal } = shown;
  const written = form.has("threshold") ? form.text("threshold") : thresholdText(wallet?.lowBalanceThreshold ?? null);
  return page(
    "Wallet",
    <>
      <PageHead
        title="Wallet"
        actions={
          <Buttons>
            {flow === null ? null : (
              <ButtonLink href={address({}, "/statement.pdf")} isDownload>
                Download as PDF
              </ButtonLink>
            )}
            <ButtonLink href={address({}, "/statement.csv")} isDownload>
              Download {total.toLocaleString("en-NG")} as CSV
            </ButtonLink>
          </Buttons>
        }
      >
        The {walletNames[visit.mode]} wallet
      </PageHead>
      <Figures
        figures={[
          { label: "Balance now", value: moneyText(wallet?.balance ?? (0n as Kobo)), note: "of this mode's wallet" },
          { label: "Opening", value: moneyText(range.openingBalance), note: "before the first entry shown" },
          ...changeOf(range, flow),
          {
            label: "Closing",
            value: moneyText(range.closingBalance),
            note: `${total.toLocaleString("en-NG")} entries`,
          },
        ]}
      />
      <Filters
        action={here(visit)}
        filters={[
          { kind: "date", name: "from", label: "From", value: visit.query.get("from") ?? "" },
          { kind: "date", name: "to", label: "To", value: visit.query.get("to") ?? "" },
        ]}
      />
      <Entries {...{ visit, lines: lines.toReversed(), format }} />
      <Pager
        previousHref={number > 1 ? address({ page: String(number - 1) }) : null}
        nextHref={number < lastPage ? address({ page: String(number + 1) }) : null}
        from={total === 0 ? null : total - end + 1}
        to={total - skip}
        total={total}
      />
      <Columns>
        <TopUp visit={visit} bankDetails={company.bankDetails} name={company.name} />
        <Sheet title="Low balance" id="threshold">
          <VisitForm visit={visit} action={`${here(visit)}/threshold`} submit="Save" kind="plain">
            <TextField
              name="threshold"
              label="Tell me below"
              unit="₦"
              hint="By the event wallet.low_balance and on the overview. Empty: never."
              value={written}
              error={refusal?.detail.errors?.threshold?.join(" ")}
              keys="decimal"
              isRequired={false}
            />
          </VisitForm>
        </Sheet>
      </Columns>
    </>,
    { status: statusOf(refusal) },
  );
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

function thresholdText(threshold: Kobo | null): string {
  return threshold === null ? "" : formatNaira(threshold);
}

/** The page's own address with other parameters. */
function addressOf(visit: ModeVisit) {
  const kept = ["from", "to"].flatMap((name) => {
    const value = visit.query.get(name) ?? "";
    return value === "" ? [] : [[name, value] as [string, string]];
  });
  return (more: Readonly<Record<string, string>>, path = "") =>
    `${here(visit)}${path}?${new URLSearchParams([...kept, ...Object.entries(more)])}`;
}

function Entries(props: { visit: ModeVisit; lines: readonly StatementLine[]; format: MomentFormat }) {
  const { visit, lines, format } = props;
  return (
    <Sheet isPadded={false}>
      <Table
        caption="Entries of the wallet, newest first"
        rows={lines}
        href={({ reference }) =>
          reference === null ? null : `${modePath(visit, "transactions")}/${encodeURIComponent(reference)}`
        }
        columns={[
          { title: "Time", cell: ({ at }) => <Moment at={at} format={format} style="second" />, isQuiet: true },
          { title: "What", cell: ({ description }) => description, place: "lead" },
          { title: "Kind", cell: ({ kind }) => kind.replaceAll("_", " "), place: "under" },
          { title: "Amount", cell: ({ amount }) => <Money amount={amount} isSigned />, align: "end", place: "amount" },
          {
            title: "Balance",
            cell: ({ amount, balanceAfter }) =>
              `${moneyText(subtract(balanceAfter, amount))} → ${moneyText(balanceAfter)}`,
            align: "end",
          },
        ]}
        empty={<Empty title="No entries in this range">Every purchase, refund and transfer is an entry here.</Empty>}
      />
    </Sheet>
  );
}

const walletNames = { live: "live", test: "sandbox" } as const;
const moneyOf = {
  live: "What you sell is charged to this wallet.",
  test: "The sandbox has play money, which the page Sandbox resets to ₦100,000.00. The live wallet is topped up so:",
} as const;

function TopUp({ visit, bankDetails, name }: { visit: ModeVisit; bankDetails: string | null; name: string }) {
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
