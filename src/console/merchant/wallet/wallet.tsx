import type { FundingAccount } from "../../../domain/funding/account-queries.ts";
import {
  addedUpMax,
  entryCountOf,
  findFlow,
  openStatement,
  rangeIn,
  readStatementLines,
  statementCsvPieces,
} from "../../../domain/history/statement/wallet-statement.ts";
import type {
  EntryFlow,
  EntryKind,
  StatementRange,
} from "../../../domain/history/statement/wallet-statement-queries.ts";
import { findWallet, updateLowBalanceThreshold } from "../../../domain/wallet/queries.ts";
import { formatNaira, type Kobo, notAnAmount, readAmount, subtract, zeroKobo } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { type AnyQuery, CsvLink, periodFilters } from "../../kit/list-page.tsx";
import { CodeBlock, type Figure, Figures } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { countText, grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { changing } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";
import { ReceivingAccounts, receivingAccountForm } from "./receiving-accounts.tsx";
import { SentMoney } from "./sent-transfers.tsx";
import { statementPdf } from "./statement-files.tsx";

const notes = { live: undefined, test: "Sandbox money: nothing here is real." } as const;

/** Opening, in, out, closing; and the old and the new balance of each line. The file has the oldest first. */
export function walletPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads, people } = services;
  const show = list(routes, {
    at: "/wallet",
    may: "see_money",
    title: "Wallet",
    filters: periodFilters(services, (instant) => instant),
    perPage: 100,
    async read({ visit, query, values, typed, skip: shown, limit }) {
      const range = await openStatement(reads, visit.wallet, rangeIn(values));
      const total = entryCountOf(range);
      // Newest first: the last page of the statement is the first one here.
      const end = Math.max(0, total - shown);
      const skip = Math.max(0, end - limit);
      const [lines, flow, wallet, company, accounts] = await Promise.all([
        readStatementLines(reads, visit.wallet, range, { skip, limit: end - skip }),
        findFlow(reads, visit.wallet, range),
        findWallet(reads, visit.wallet),
        people.company(),
        services.fundingAccounts.list(visit.wallet.merchantId),
      ]);
      const balance = { label: "Balance", value: <Money amount={wallet?.balance ?? zeroKobo} />, note: "now" };
      const { bankDetails, name } = company;
      const isReal = notes[visit.mode] === undefined;
      const addMoney = <AddMoney {...{ bankDetails, name, accounts, typed }} />;
      return {
        rows: lines.toReversed(),
        total,
        note: notes[visit.mode],
        actions: <Files query={query} hasPdf={flow !== null} count={total} />,
        over: (
          <>
            <Debt amount={wallet?.debt ?? zeroKobo} />
            <Figures figures={[balance, ...figuresOf(range, { flow, total, isWhole: !query.isFiltered })]} />
            {isReal ? addMoney : null}
          </>
        ),
        below: (
          <Columns kind="even">
            <LowBalance typed={typed} threshold={wallet?.lowBalanceThreshold ?? null} />
            {isReal ? null : addMoney}
          </Columns>
        ),
      };
    },
    href: ({ reference }, { visit }) => (reference === null ? null : purchasePath(visit, reference)),
    csv: {
      ...{ from: services, may: "see_money", at: "/wallet/statement.csv", what: "statement", isLinked: false },
      async pieces({ visit: { wallet }, values }) {
        return statementCsvPieces(reads, wallet, await openStatement(reads, wallet, rangeIn(values)), services);
      },
    },
    caption: "Wallet entries, newest first",
    columns: ({ when, lead, extra, end }) => [
      when("Time", ({ at }) => at),
      lead("What", ({ description, kind }) => (description === "" ? kindNames[kind] : description)),
      extra("Kind", kindOf),
      { title: "Amount", cell: ({ amount }) => <Money amount={amount} isSigned />, place: "amount" },
      end("Balance", ({ amount, balanceAfter }) => (
        <span>
          <Money amount={subtract(balanceAfter, amount)} /> → <Money amount={balanceAfter} />
        </span>
      )),
    ],
    empty: (
      <Empty title="No entries yet" icon="wallet">
        Every sale, refund and transfer appears here, with the balance after it.
      </Empty>
    ),
    noneFits: { title: "No entries in this period", text: "Choose more days." },
  });
  statementPdf(routes, services);
  thresholdForm(routes, services, show);
  receivingAccountForm(routes, services, show);
}

function thresholdForm(
  routes: ModeRoutes,
  services: MerchantServices,
  show: (visit: ModeVisit, typed: Typed) => Promise<Answer | null>,
): void {
  routes.form("/wallet/threshold", {
    capability: "see_money",
    doneAt: (visit) => visit.to("wallet"),
    show,
    async send(visit, form) {
      const text = form.text("threshold");
      const threshold = text === "" ? null : readAmount(text);
      if (text !== "" && threshold === null) throw refuseField("VALIDATION_ERROR", "threshold", notAnAmount(text));
      refuseStale(
        form,
        thresholdText((await findWallet(services.database, visit.wallet))?.lowBalanceThreshold ?? null),
      );
      const details = { mode: visit.mode, threshold: threshold === null ? null : formatNaira(threshold) };
      const database = changing(services, visit, { command: "console low balance", details });
      await database.transaction((tx) => updateLowBalanceThreshold(tx, visit.wallet, threshold));
      const done =
        threshold === null ? "Low-balance alert is off." : `Low-balance alert is on, below ${moneyText(threshold)}.`;
      return goTo(visit.to("wallet"), done);
    },
  });
}

function Files({ query, hasPdf, count }: { query: AnyQuery; hasPdf: boolean; count: number }) {
  const visit = useVisit();
  return (
    <>
      {hasPdf ? (
        <ButtonLink href={query.href({}, visit.to("wallet/statement.pdf"))} icon="download" isDownload>
          Download PDF
        </ButtonLink>
      ) : null}
      <CsvLink query={query} path={visit.to("wallet/statement.csv")} count={count} />
    </>
  );
}

const kindNames: Readonly<Record<EntryKind, string>> = {
  purchase: "Sale",
  refund: "Refund",
  reversal: "Refunded later",
  top_up: "Money added",
  adjustment: "Correction",
  sandbox_reset: "Sandbox reset",
};

/** Money that was added, and taken back by the sender's bank, is of one kind in the books. */
function kindOf({ kind, amount }: { readonly kind: EntryKind; readonly amount: Kobo }): string {
  return kind === "top_up" && amount < zeroKobo ? "Money taken back" : kindNames[kind];
}

/** What came in and what went out, between the balances where the period is not all there is; of a range that is too long
 * to be added up at once, the difference alone. */
function figuresOf(
  { openingBalance, closingBalance }: StatementRange,
  { flow, total, isWhole }: { readonly flow: EntryFlow | null; readonly total: number; readonly isWhole: boolean },
): Figure[] {
  const entries = countText(total, "entry", "entries");
  const note = `PDF, in and out up to ${grouped(addedUpMax)} entries`;
  const moved: Figure[] =
    flow === null
      ? [{ label: "Change", value: <Money amount={subtract(closingBalance, openingBalance)} isSigned />, note }]
      : [
          { label: "In", value: <Money amount={flow.in} />, note: "added and refunded" },
          { label: "Out", value: <Money amount={flow.out} />, note: isWhole ? `sales; ${entries}` : "sales" },
        ];
  if (isWhole) return moved;
  return [
    { label: "Opening", value: <Money amount={openingBalance} />, note: "before this period" },
    ...moved,
    { label: "Closing", value: <Money amount={closingBalance} />, note: entries },
  ];
}

function thresholdText(threshold: Kobo | null): string {
  return threshold === null ? "" : formatNaira(threshold);
}

function LowBalance({ typed, threshold }: { readonly typed: Typed; readonly threshold: Kobo | null }) {
  const stored = thresholdText(threshold);
  return (
    <Sheet title="Low-balance alert" id="threshold">
      <Form action={useVisit().to("wallet/threshold")} submit="Save alert" kind="plain" hidden={seen(stored)}>
        <TextField
          {...typed.field("threshold", stored)}
          label="Alert me below"
          unit="₦"
          hint={
            <>
              We email you and send <code>wallet.low_balance</code>. Leave empty for no alert.
            </>
          }
          keys="decimal"
          isRequired={false}
        />
      </Form>
    </Sheet>
  );
}

/** Why sales stopped, and how they go on. */
function Debt({ amount }: { readonly amount: Kobo }) {
  return amount === zeroKobo ? null : (
    <Flash kind="bad">
      You owe <Money amount={amount} /> of a transfer that was taken back, so sales are stopped. The next money in pays
      it first.
    </Flash>
  );
}

interface AddMoneyProps {
  readonly bankDetails: string | null;
  readonly name: string;
  readonly accounts: readonly FundingAccount[];
  readonly typed: Typed;
}

function AddMoney({ bankDetails, name, accounts, typed }: AddMoneyProps) {
  const visit = useVisit();
  return (
    <Sheet title="Add money" id="add-money">
      {/* In the sandbox nobody adds money. */}
      {notes[visit.mode] === undefined ? null : (
        <p>
          The sandbox has play money
          {visit.may("develop")
            ? [
                ", which you can ",
                <a key="" href="/test/sandbox">
                  reset
                </a>,
              ]
            : null}
          . To add money to your live wallet:
        </p>
      )}
      <ReceivingAccounts {...{ accounts, typed }} mayRequest={notes[visit.mode] === undefined} />
      {bankDetails === null && accounts.length === 0 ? <p>Ask {name} how to add money.</p> : null}
      {bankDetails === null ? null : (
        <>
          <p>
            {accounts.length === 0 ? "Transfer to this account." : "You can also transfer to this account."} {name} adds
            it to your wallet when it arrives.
          </p>
          <CodeBlock code={bankDetails} label="Bank details" />
          <SentMoney />
        </>
      )}
    </Sheet>
  );
}
