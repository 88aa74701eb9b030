import { deliveredOf } from "../../../domain/history/suppliers/supplier-health.ts";
import { readSupplierDays, type SupplierPace } from "../../../domain/history/today/supplier-days.ts";
import { listStoredBreakers } from "../../../domain/suppliers/routing/breaker.ts";
import type { SupplierLimits } from "../../../domain/suppliers/routing/limits.ts";
import { readStandings } from "../../../domain/suppliers/routing/route-counts.ts";
import { readLimits } from "../../../domain/suppliers/routing/route-table.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { currencyText, grouped, Money, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { hoursText } from "../today/risks.tsx";
import { AddSupplier } from "./account.tsx";
import { supplierPath, suppliersPath } from "./found-supplier.ts";
import { categoryName, percentText } from "./health-tables.tsx";

/** Suppliers: who sells, whose money is low, what today's sales took. Each leads to its own page. */
export function supplierListPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(suppliersPath, { capability: "see_suppliers", show: (visit) => suppliersPage(services, visit) });
}

interface SupplierRow extends SupplierPace {
  /** Categories that its breaker keeps away from it. */
  readonly open: readonly string[];
  readonly limits: SupplierLimits | null;
  readonly costToday: Kobo;
  readonly salesToday: number;
}

async function readSuppliers({ reads, people, wallTime }: OperatorServices): Promise<SupplierRow[]> {
  const services = { database: reads, clock: people.clock, wallTime };
  const [limits, days, standingOf, breakers] = await Promise.all([
    readLimits(reads),
    readSupplierDays(services),
    readStandings(services),
    listStoredBreakers(reads),
  ]);
  return days.map((day) => {
    const { cost: costToday, purchases: salesToday } = standingOf(day.supplier);
    const open = breakers.filter(({ supplier }) => supplier === day.supplier).map(({ category }) => category);
    return { ...day, open, costToday, salesToday, limits: limits.get(day.supplier) ?? null };
  });
}

async function suppliersPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const rows = await readSuppliers(services);
  return page(
    { title: "Suppliers", note: "Who sells to us, and how it went in the last 24 hours" },
    <>
      <TableSheet
        caption="Suppliers"
        rows={rows}
        href={({ supplier }) => supplierPath(supplier)}
        columns={[
          { title: "Supplier", cell: ({ supplier }) => supplier, place: "lead" },
          { title: "State", cell: StateCell, place: "state" },
          { title: "Delivered", cell: (row) => percentText(deliveredOf(row)), align: "end" },
          { title: "Balance", cell: BalanceCell, place: "amount" },
          { title: "Lasts", cell: ({ hoursLeft: hours }) => (hours === null ? "–" : hoursText(hours)), align: "end" },
          { title: "Sales today", cell: ({ salesToday }) => grouped(salesToday), align: "end", isExtra: true },
          { title: "Cost today", cell: ({ costToday }) => <Money amount={costToday} />, align: "end" },
          { title: "Left of the day", cell: LeftCell, align: "end", isExtra: true },
        ]}
        empty={<Empty title="No suppliers yet">Add the first, then the routes that lead to it.</Empty>}
      />
      {visit.may("change_suppliers") ? <AddSupplier /> : null}
    </>,
  );
}

function StateCell({ state, open }: SupplierRow) {
  if (state === "disabled") return <Status kind="stop">Stopped</Status>;
  if (open.length === 0) return <Status kind="good">On</Status>;
  return <Status kind="bad">{`Breaker: ${open.map(categoryName).join(", ")}`}</Status>;
}

function BalanceCell({ balance, currency, isLow }: SupplierRow) {
  if (balance === null) return "–";
  const text = currencyText(balance, currency);
  return isLow ? <Status kind="bad">{`${text}, low`}</Status> : text;
}

/** What its cap leaves of today, in money and in sales. */
function LeftCell({ limits, costToday, salesToday }: SupplierRow) {
  const { dayCost = null, dayPurchases = null } = limits ?? {};
  if (dayCost === null && dayPurchases === null) return <>no cap</>;
  return (
    <>
      {dayCost === null ? null : <Money amount={costToday > dayCost ? 0n : dayCost - costToday} />}
      {dayPurchases === null ? null : ` ${grouped(Math.max(0, dayPurchases - salesToday))} sales`}
    </>
  );
}
