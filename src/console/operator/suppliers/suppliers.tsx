import { staffDatabase } from "../../../domain/staff/approvals.ts";
import { setSupplierState } from "../../../domain/suppliers/administration.ts";
import { listSupplierBalances, type SupplierBalance } from "../../../domain/suppliers/balance-queries.ts";
import { isBalanceLow } from "../../../domain/suppliers/balances.ts";
import type { SupplierLimits } from "../../../domain/suppliers/routing/limits.ts";
import { openRouteCounts } from "../../../domain/suppliers/routing/route-counts.ts";
import { readRouteTable } from "../../../domain/suppliers/routing/route-table.ts";
import { formatHundredths, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { grouped, MomentOrNever, Money, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/suppliers";

export const supplierStop: TwoPeople = {
  kind: "stop supplier",
  roles: ["admin", "catalogue"],
  async carryOut(_services, database, payload) {
    const name = String(payload.supplier);
    await setSupplierState(database, name, "disabled");
    return stopped(name);
  },
};

/** Suppliers: money left there, what today's sales took, stop and start. */
export function supplierPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => suppliersPage(services, visit, typed);
  routes.page(here, { capability: "see_suppliers", show });

  routes.form(`${here}/change`, {
    capability: "change_suppliers",
    doneAt: () => here,
    show,
    async send(visit, form) {
      const supplier = form.text("supplier");
      const requested = form.text("do");
      const rows = await readSuppliers(services);
      const row = rows.find(({ name }) => name === supplier);
      if (row === undefined) throw refuse("NOT_FOUND", { message: "There is no such supplier." });
      if (requested !== "start" && requested !== "stop") {
        throw refuse("VALIDATION_ERROR", { message: "Choose to stop or start it." });
      }
      if (requested === "stop" && isLargeShare(row.purchases, rows)) {
        return askForTwo(services, visit, supplierStop, {
          summary: `Stop ${supplier}`,
          payload: { supplier },
          doneAt: here,
        });
      }
      const by = { by: visit.session.person, command: `console supplier ${requested}`, details: { supplier } };
      const state = requested === "start" ? "enabled" : "disabled";
      await setSupplierState(staffDatabase(services.database, by), supplier, state);
      return goTo(here, requested === "start" ? `${supplier} gets new sales by its routes.` : stopped(supplier));
    },
  });
}

function stopped(name: string): string {
  return `${name} is stopped. It gets no new sale; we still ask about what it was sent.`;
}

/** Over a third of today's sales. Before the first of them nobody knows, so a second person looks too. */
function isLargeShare(own: number, rows: readonly SupplierRow[]): boolean {
  const all = rows.reduce((sum, { purchases }) => sum + purchases, 0);
  return all === 0 || own * 3 > all;
}

interface SupplierRow {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly balance: SupplierBalance | null;
  readonly limits: SupplierLimits | null;
  readonly cost: Kobo;
  readonly purchases: number;
}

async function readSuppliers({ database, people, wallTime }: OperatorServices): Promise<SupplierRow[]> {
  const counts = openRouteCounts({ database, clock: people.clock, wallTime, costOf: () => zeroKobo });
  const [table, balances] = await Promise.all([readRouteTable(database), listSupplierBalances(database)]);
  await counts.flush();
  return table.suppliers.map(({ name, state }) => ({
    ...counts.standingOf(name),
    name,
    isEnabled: state === "enabled",
    balance: balances.find(({ supplier }) => supplier === name) ?? null,
    limits: table.limitsOf(name),
  }));
}

async function suppliersPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const rows = await readSuppliers(services);
  const change = {
    title: "Stop or start",
    isTitleHidden: true,
    cell: ({ name, isEnabled }: SupplierRow) => (
      <Form
        action={`${here}/change`}
        submit={isEnabled ? "Stop" : "Start"}
        kind="plain"
        hidden={{ supplier: name, do: isEnabled ? "stop" : "start" }}
        isInline
      />
    ),
    place: "act",
  } as const;
  return page(
    { title: "Suppliers", note: "Who sells to us", problem: typed.whole, status: typed.status },
    <Sheet title="Suppliers" isPadded={false}>
      <Table
        caption="Suppliers"
        rows={rows}
        columns={[
          { title: "Supplier", cell: ({ name }) => name, place: "lead" },
          {
            title: "State",
            cell: ({ isEnabled }) => (isEnabled ? "on" : <Status kind="stop">stopped</Status>),
            place: "state",
          },
          { title: "Balance", cell: BalanceCell, place: "amount" },
          { title: "Reported", cell: ({ balance }) => <MomentOrNever at={balance?.reportedAt ?? null} /> },
          { title: "Floor", cell: ({ limits, balance }) => inCurrency(limits?.balanceFloor ?? null, balance) },
          { title: "Sales today", cell: ({ purchases }) => grouped(purchases) },
          { title: "Cost today", cell: ({ cost }) => <Money amount={cost} /> },
          { title: "Left of the day", cell: LeftCell },
          ...(visit.may("change_suppliers") ? [change] : []),
        ]}
        empty={<Empty title="No suppliers yet">Add the first with the command supplier add.</Empty>}
      />
    </Sheet>,
  );
}

function BalanceCell({ balance }: SupplierRow) {
  const text = inCurrency(balance?.balance ?? null, balance);
  return balance !== null && isBalanceLow(balance) ? <Status kind="bad">{`${text}, low`}</Status> : text;
}

function inCurrency(amount: bigint | null, balance: SupplierBalance | null): string {
  return amount === null ? "–" : `${formatHundredths(amount)} ${balance?.currency ?? "NGN"}`;
}

/** What its cap leaves of today, in money and in sales. */
function LeftCell({ limits, cost, purchases }: SupplierRow) {
  const { dayCost = null, dayPurchases = null } = limits ?? {};
  if (dayCost === null && dayPurchases === null) return <>no cap</>;
  return (
    <>
      {dayCost === null ? null : <Money amount={cost > dayCost ? 0n : dayCost - cost} />}
      {dayPurchases === null ? null : ` ${grouped(Math.max(0, dayPurchases - purchases))} sales`}
    </>
  );
}
