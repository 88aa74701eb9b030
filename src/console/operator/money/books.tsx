import { listNewestEntries } from "../../../domain/audit/audit-queries.ts";
import { sumFloat } from "../../../domain/history/reports/queries.ts";
import { invariants } from "../../../domain/wallet/invariants.ts";
import { checkLedger } from "../../../domain/wallet/reconcile.ts";
import { goBack, goTo, page } from "../../kit/answer.tsx";
import { Flash, Form, Live } from "../../kit/parts/form.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { detailsText, personName } from "../audit/audit-words.ts";
import { enter } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "../suppliers/found-supplier.ts";

const [ledger, command] = ["/operator/ledger", "console ledger check"];
/** Of those that break a promise, which the audit log keeps. */
const brokenShown = 3;

/** Where the money is, and whether the books agree. */
export function bookPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page("/operator/float", { capability: "see_reports", show: () => floatPage(services) });

  // It reads the whole ledger, for minutes: one at a time in this process.
  let step: string | null = null;
  async function check(visit: StaffVisit): Promise<void> {
    let count = 0;
    try {
      const checks = await checkLedger(services.database, (promise) => {
        count += 1;
        step = `${count} of ${invariants.length}: ${promise}`;
      });
      const broken = checks.filter((each) => each.broken.length > 0);
      const rows = broken.map((each) => [each.invariant, each.broken.slice(0, brokenShown)]);
      await enter(services, visit, command, { checked: checks.length, broken: Object.fromEntries(rows) });
    } catch (error) {
      services.log.error({ event: "ledger.check_failed", error });
      await enter(services, visit, command, { failed: step }).catch(() => {});
    } finally {
      step = null;
    }
  }
  const show = (visit: StaffVisit) => ledgerPage(services, visit, step);
  routes.page(ledger, { capability: "see_reports", show });
  routes.form(ledger, {
    ...{ capability: "reconcile", doneAt: () => ledger, show },
    send(visit) {
      if (step !== null) return goBack(ledger, "A check is running.");
      step = "the first promise";
      void check(visit);
      return goTo(ledger);
    },
  });
}

async function floatPage({ reads }: OperatorServices) {
  const { at, wallets, inFlight, suppliers, moneyIn } = await sumFloat(reads, "live");
  const due = inFlight.reduce((sum, { amount }) => sum + amount, BigInt(wallets.amount));
  const atSuppliers = suppliers.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n);
  const none = { supplier: null, count: null, at: null };
  const { suspense, debts } = moneyIn;
  const unmatched = { ...none, what: "Unmatched payments", count: suspense.payments, amount: suspense.amount };
  const debt = { ...none, what: "Owed by merchants", count: debts.wallets, amount: debts.amount };
  const rows = [
    { ...none, what: "Merchants’ wallets", count: wallets.count, amount: wallets.amount },
    ...inFlight.map(({ purchases: count, ...row }) => ({ ...none, ...row, count, what: "Pending sales" })),
    { ...none, what: "Owed to merchants", amount: due },
    ...suppliers.map(({ supplier, balance: amount, reportedAt }) => {
      return { ...none, supplier, amount, at: reportedAt, what: "Held by supplier" };
    }),
    { ...none, what: "Held by all suppliers", amount: atSuppliers },
    ...moneyIn.providers.flatMap(({ provider, holding, last }) => [
      { ...none, what: `${holding < 0n ? "Difference with" : "Held by"} ${provider}`, amount: holding },
      ...(last === null ? [] : [{ ...none, ...last, what: `Last settlement of ${provider}` }]),
    ]),
    ...(moneyIn.providers.length === 0 ? [] : [unmatched, debt]),
  ];
  return page(
    { title: "Float", note: <Moment at={at} style="full" /> },
    <TableSheet
      caption="Where the money is"
      rows={rows}
      href={({ supplier }) => (supplier === null ? null : supplierPath(supplier))}
      columns={[
        { title: "Money", cell: ({ what }) => what, place: "lead" },
        { title: "Supplier", cell: ({ supplier }) => supplier, place: "sub" },
        { title: "Number", cell: ({ count }) => (count === null ? null : grouped(Number(count))), align: "end" },
        { title: "Reported", cell: (row) => (row.at === null ? null : <Moment at={row.at} />), isExtra: true },
        { title: "Amount", cell: ({ amount }) => <Amount amount={amount} />, place: "amount" },
      ]}
    />,
  );
}

function Amount({ amount }: { readonly amount: bigint | null }) {
  return amount === null ? <>not reported</> : <Money amount={amount} />;
}

/** `step`: null while no check is running. What came of each is kept in the audit log. */
async function ledgerPage({ reads }: OperatorServices, visit: StaffVisit, step: string | null) {
  const rows = await listNewestEntries(reads, { who: null, text: command, before: null, limit: 20 });
  return page(
    {
      title: "Ledger check",
      note: `Proves the ${invariants.length} promises of the books, in minutes`,
      actions: (
        <Live tableId="checks" everySeconds={2} isOn={step !== null}>
          {visit.may("reconcile") ? <Form action={ledger} submit="Check ledger" isInline /> : null}
        </Live>
      ),
    },
    <div id="checks">
      {step === null ? null : <Flash kind="waiting">{`Checking ${step}`}</Flash>}
      <TableSheet
        caption="Checks, the newest first"
        rows={rows}
        columns={[
          { title: "When", cell: ({ at }) => <Moment at={at} />, place: "lead" },
          { title: "By", cell: ({ who }) => personName(who), place: "sub" },
          {
            title: "Result",
            cell: ({ details }) => detailsText(details).replace("broken: {}", "all hold"),
            place: "sub",
          },
        ]}
        empty={<Empty title="No check yet">Closing a day checks the books too.</Empty>}
      />
    </div>,
  );
}
