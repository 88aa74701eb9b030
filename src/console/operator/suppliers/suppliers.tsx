import { listSupplierBalances, type SupplierBalance } from "../../../domain/suppliers/balance-queries.ts";
import { isBalanceLow } from "../../../domain/suppliers/balances.ts";
import type { SupplierLimits } from "../../../domain/suppliers/routing/limits.ts";
import { readStandings } from "../../../domain/suppliers/routing/route-counts.ts";
import { readRouteTable } from "../../../domain/suppliers/routing/route-table.ts";
import { formatHundredths, type Kobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { grouped, MomentOrNever, Money, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath, suppliersPath } from "./found-supplier.ts";

/** Suppliers: money left there, what today's sales took. Each leads to its own page. */
export function supplierListPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(suppliersPath, { capability: "see_suppliers", show: () => suppliersPage(services) });
}

interface SupplierRow {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly balance: SupplierBalance | null;
  readonly limits: SupplierLimits | null;
  readonly cost: Kobo;
  readonly purchases: number;
}

async function readSuppliers({ reads, people, wallTime }: OperatorServices): Promise<SupplierRow[]> {
  const [table, balances, standingOf] = await Promise.all([
    readRouteTable(reads),
    listSupplierBalances(reads),
    readStandings({ database: reads, clock: people.clock, wallTime }),
  ]);
  return table.suppliers.map(({ name, state }) => ({
    ...standingOf(name),
    name,
    isEnabled: state === "enabled",
    balance: balances.find(({ supplier }) => supplier === name) ?? null,
    limits: table.limitsOf(name),
  }));
}

async function suppliersPage(services: OperatorServices): Promise<PageAnswer> {
  const rows = await readSuppliers(services);
  return page(
    { title: "Suppliers", note: "Who sells to us" },
    <Sheet title="Suppliers" isPadded={false}>
      <Table
        caption="Suppliers"
        rows={rows}
        href={({ name }) => supplierPath(name)}
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
