import { listPendingGroups } from "../../../domain/history/search/search-queries.ts";
import { readDeclines } from "../../../domain/history/suppliers/declines.ts";
import { readSupplierHealth } from "../../../domain/history/suppliers/supplier-health.ts";
import { readSupplierDays, shareOfSales } from "../../../domain/history/today/supplier-days.ts";
import { addressOf } from "../../../domain/suppliers/asking.ts";
import { listBreakersOf } from "../../../domain/suppliers/routing/breaker.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { readStandings } from "../../../domain/suppliers/routing/route-counts.ts";
import { readSettings } from "../../../domain/suppliers/settings.ts";
import { dayMs } from "../../../kernel/clock.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import type { Typed } from "../../kit/form.ts";
import { Figures } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { countText } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { checkNow } from "./check.tsx";
import { figuresOf, Notices } from "./figures.tsx";
import { supplierOf, supplierPath, suppliersPath } from "./found-supplier.ts";
import { Health } from "./health.tsx";
import { Breakers, DeclineTable } from "./health-tables.tsx";
import { limits } from "./limits.tsx";
import { stopOrStart } from "./stop.tsx";

/** One supplier: is it selling, how long does its money last, what does it decline, and why is it stopped? */
export function supplierPages(routes: StaffRoutes, services: OperatorServices): void {
  const change = "change_suppliers";
  const show = detail(routes, {
    at: `${suppliersPath}/:supplier`,
    may: "see_suppliers",
    find: (visit) => supplierOf(services, visit),
    show: (visit, supplier, typed) => supplierPage(services, visit, { supplier, typed }),
    actions: {
      check: [change, (_, supplier) => checkNow(services, supplier), { isHarmless: true }],
      state: [change, (visit, supplier, form) => stopOrStart(services, visit, supplier, form.text("do"))],
    },
  });
  limits.addTo(routes, services, show);
}

const supplierStates = states({ enabled: ["On", "good"], disabled: ["Stopped", "stop"] });

async function supplierPage(
  services: OperatorServices,
  visit: StaffVisit,
  { supplier, typed }: { readonly supplier: Supplier; readonly typed: Typed },
): Promise<PageAnswer> {
  const { name } = supplier;
  const seen = await readSupplier(services, name);
  const at = supplierPath(name);
  return page(
    {
      title: name,
      state: supplierStates.status(supplier.state),
      crumbs: [["Suppliers", suppliersPath]],
      note: noteOf(supplier, seen),
      actions: <Actions {...{ supplier, visit, at }} />,
    },
    <>
      <Notices supplier={supplier} breakers={seen.breakers} />
      <Figures figures={figuresOf(seen)} />
      <Health health={seen.health} />
      <Columns kind="equal">
        <Breakers breakers={seen.breakers} />
        <DeclineTable declines={seen.declines} />
      </Columns>
      {visit.may("change_suppliers") ? (
        <Sheet title="Limits and alarm" note="Empty: none">
          {limits.draw(visit, typed, { supplier, settings: seen.settings, currency: seen.pace?.currency ?? "NGN" })}
        </Sheet>
      ) : null}
    </>,
  );
}

type Seen = Awaited<ReturnType<typeof readSupplier>>;

async function readSupplier(services: OperatorServices, name: string) {
  const { reads: database, people, wallTime } = services;
  const read = { database, wallTime, clock: people.clock };
  const [health, days, standingOf, settings, breakers, declines, pending] = await Promise.all([
    readSupplierHealth(read, name),
    readSupplierDays(read),
    readStandings(read),
    readSettings(database, name),
    listBreakersOf(database, name),
    readDeclines(database, name, people.clock.now() - dayMs),
    listPendingGroups(database, { mode: "live", supplier: name, merchantId: null }),
  ]);
  return {
    ...{ health, settings, breakers, declines },
    share: shareOfSales(days, name),
    pace: days.find(({ supplier }) => supplier === name) ?? null,
    standing: standingOf(name),
    pending: pending.reduce((sum, { purchases }) => sum + purchases, 0),
  };
}

function noteOf({ connector }: Supplier, { share, pending }: Seen): string {
  const parts = [
    `Connector: ${connector}`,
    share === null ? "no sales in 24 hours" : `${Math.round(share * 100)}% of the sales of the last 24 hours`,
    ...(pending === 0 ? [] : [`${countText(pending, "sale")} pending there`]),
  ];
  return parts.join(" · ");
}

function Actions({ supplier, visit, at }: { supplier: Supplier; visit: StaffVisit; at: string }) {
  const { name, state } = supplier;
  const isOn = state === "enabled";
  return (
    <>
      <ButtonLink href={`${at}/prices`}>Price list</ButtonLink>
      {visit.may("change_suppliers") ? (
        <>
          {addressOf(supplier.settings) === null ? null : <ButtonLink href={`${at}/account`}>Account</ButtonLink>}
          <Form action={`${at}/check`} submit="Check now" kind="plain" isInline />
          <Form
            action={`${at}/state`}
            submit={`${isOn ? "Stop" : "Start"} ${name}`}
            kind={isOn ? "danger" : "main"}
            hidden={{ do: isOn ? "stop" : "start" }}
            isInline
          />
        </>
      ) : null}
    </>
  );
}
