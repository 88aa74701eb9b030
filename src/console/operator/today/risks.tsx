import { type MoneyAtRisk, type SupplierToday, stuckBefore } from "../../../domain/history/today/money-at-risk.ts";
import type { WhatWaits } from "../../../domain/history/today/what-waits.ts";
import type { StockLevel } from "../../../domain/suppliers/vouchers/level-queries.ts";
import { hourMs, minuteMs } from "../../../kernel/clock.ts";
import { add } from "../../../kernel/money.ts";
import { Icon } from "../../kit/parts/icon.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { countText, currencyText, dayText, Money, Status, type StatusKind, spanText } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import { supplierPath } from "../suppliers/found-supplier.ts";
import { paymentRisks } from "./payment-risks.ts";
import { namedMax, type Risk, unservedRisks, waitingRisks } from "./waiting-risks.ts";

/** Money that lasts for less is to be sent today. */
const balanceHours = 8;
const stockDays = 2;
const pendingPath = "/operator/sales?status=pending";

/** What waits, in number and money; nothing where nothing does. */
export function riskNote({ pending, review }: MoneyAtRisk) {
  const count = pending.count + review.count;
  if (count === 0) return "No sales pending or in review";
  return (
    <>
      <Money amount={add(pending.total, review.total)} /> in <a href={pendingPath}>{countText(count, "sale")}</a>
    </>
  );
}

interface RiskProps {
  readonly risk: MoneyAtRisk;
  readonly waits: WhatWaits;
  readonly commitBlock: string | null;
  readonly now: number;
  readonly visit: StaffVisit;
}

export function MoneyAtRiskSheet(props: RiskProps) {
  const risks = risksOf(props);
  return (
    <Sheet isPadded={false} actions={<Quiet {...props} />}>
      <Table
        caption="Money at risk, worst first"
        rows={risks}
        href={({ href }) => href}
        columns={[
          {
            title: "What",
            place: "lead",
            cell: ({ icon, title, detail, act: [, kind] }) => (
              <span class="with-net">
                <Icon name={icon} class={inks[kind] ?? ""} />
                <span>
                  {title}
                  <small>{detail}</small>
                </span>
              </span>
            ),
          },
          { title: "Oldest", place: "sub", cell: ({ since }) => (since == null ? "" : spanText(props.now - since)) },
          { title: "Money", place: "amount", cell: ({ amount }) => amount !== undefined && <Money amount={amount} /> },
          { title: "Act", place: "state", cell: ({ act: [word, kind] }) => <Status kind={kind}>{word}</Status> },
        ]}
        empty={<p class="inside">No sale is stuck, no supplier is stopped, and money and stock last.</p>}
      />
    </Sheet>
  );
}

const inks: Partial<Record<StatusKind, string>> = { bad: "ink-bad", stop: "ink-bad", waiting: "ink-wait" };

function risksOf({ risk, waits, commitBlock, now, visit }: RiskProps): readonly Risk[] {
  const { suppliers, stock } = risk;
  const risks = [
    commitBlockRisk(commitBlock),
    ...unservedRisks(waits, visit),
    reviewRisk(risk, now, visit),
    ...suppliers.map(stoppedRisk),
    ...pendingRisks(risk, now),
    ...suppliers.map(balanceRisk),
    ...stock.map(stockRisk),
    ...paymentRisks(waits, now, visit),
    ...waitingRisks(waits, visit),
    differencesRisk(risk),
    failingRisk(risk),
  ];
  return risks.filter((each) => each !== null);
}

function commitBlockRisk(commitBlock: string | null): Risk | null {
  if (commitBlock === null) return null;
  const detail = commitBlockTexts[commitBlock] ?? commitBlock;
  return { icon: "alert", title: "The database takes no commits", detail, href: null, act: ["Now", "stop"] };
}

function reviewRisk({ review }: MoneyAtRisk, now: number, visit: StaffVisit): Risk | null {
  if (review.count === 0) return null;
  return {
    icon: "clock",
    title: `${countText(review.count, "sale")} in review`,
    detail: "Charged, and we don’t know whether they were delivered",
    href: visit.may("see_review") ? "/operator/review" : `${pendingPath}&waits=person`,
    since: review.oldestAt,
    amount: review.total,
    act: now - (review.oldestAt ?? now) > hourMs ? ["Overdue", "stop"] : ["Resolve", "waiting"],
  };
}

const commitBlockTexts: Readonly<Record<string, string>> = {
  read_only: "It is read-only: a standby, or a disk that is full",
  commits_wait: "Commits wait for a standby that doesn’t answer",
};

function stoppedRisk(supplier: SupplierToday): Risk | null {
  const { stopped, pending } = supplier;
  if (stopped.length === 0) return null;
  return {
    icon: "cross",
    title: `${supplier.supplier} is stopped`,
    detail: `Its breaker is open for ${stopped.join(", ")}. ${countText(pending.count, "sale")} pending there`,
    href:
      pending.count === 0
        ? supplierPath(supplier.supplier)
        : `${pendingPath}&waits=supplier&supplier=${encodeURIComponent(supplier.supplier)}`,
    since: pending.oldestAt,
    ...(pending.count === 0 ? {} : { amount: pending.total }),
    act: ["Now", "bad"],
  };
}

function differencesRisk({ differences: { count, since, between } }: MoneyAtRisk): Risk | null {
  if (count === 0) return null;
  return {
    icon: "repeat",
    title: `${countText(count, "difference")} open`,
    detail: "Between suppliers’ statements and our books",
    href: "/operator/reconciliation/differences",
    since,
    amount: between,
    act: ["Settle", "waiting"],
  };
}

/** Most that is pending ends by itself within a minute; what doesn't within an hour is a row of its own. */
function pendingRisks({ pending, stuck }: MoneyAtRisk, now: number): Risk[] {
  const since = pending.oldestAt ?? now;
  if (pending.count === 0 || now - since < minuteMs) return [];
  const path = `${pendingPath}&waits=supplier`;
  const until = new Date(stuckBefore(now)).toISOString();
  const stuckRow: Risk = {
    icon: "clock",
    title: `${countText(stuck, "sale")} pending for over an hour`,
    detail: "Their suppliers don’t say what became of them",
    href: `${path}&to=${encodeURIComponent(until)}`,
    since,
    act: ["Look", "waiting"],
  };
  const row: Risk = {
    icon: "clock",
    title: `${countText(pending.count, "sale")} pending`,
    detail: "We’re asking their suppliers",
    href: path,
    since,
    amount: pending.total,
    act: ["Watch", "quiet"],
  };
  return stuck === 0 ? [row] : [stuckRow, row];
}

function balanceRisk({ supplier, state, isLow, hoursLeft, balance, currency }: SupplierToday): Risk | null {
  const isShort = hoursLeft !== null && hoursLeft < balanceHours;
  if (state !== "enabled" || balance === null || !(isLow || isShort)) return null;
  return {
    icon: "wallet",
    title: hoursLeft === null ? `${supplier}’s balance is low` : `${supplier}’s balance lasts ${hoursText(hoursLeft)}`,
    detail: `${currencyText(balance, currency)} left${isLow ? ", below its alarm" : ""}`,
    href: supplierPath(supplier),
    act: hoursLeft !== null && hoursLeft < 1 ? ["Now", "bad"] : ["Send money", "waiting"],
  };
}

/** In days of sales of the last one: what sells well is short long before its threshold. */
function stockRisk({ productId, product, left, lowAt, sold }: StockLevel): Risk | null {
  const days = sold === 0 ? null : left / sold;
  if (left > lowAt && (days === null || days >= stockDays)) return null;
  const lasts = days === null ? "" : `; ${sold} sold in 24 hours, so they last ${hoursText(days * 24)}`;
  return {
    icon: "box",
    title: left === 0 ? `${product}: none left` : `${product}: ${left} left`,
    detail: `Low at ${lowAt}${lasts}`,
    href: `/operator/vouchers/products/${productId}`,
    act: left === 0 ? ["Now", "bad"] : ["Import", "waiting"],
  };
}

function failingRisk({ failing }: MoneyAtRisk): Risk | null {
  const names = failing.slice(0, namedMax).map(({ name }) => name);
  const more = failing.length > namedMax ? ` and ${failing.length - namedMax} more` : "";
  const [first] = failing;
  if (first === undefined) return null;
  return {
    icon: "hook",
    title: `Webhooks of ${countText(failing.length, "merchant")} are failing`,
    detail: `${names.join(", ")}${more}`,
    href: failing.length === 1 ? merchantPath(first.merchantId) : "/operator/merchants?webhooks=failing",
    since: first.failingSince,
    act: ["Merchants emailed", "quiet"],
  };
}

/** What is well, in one line under what isn't. */
function Quiet({ risk: { books }, commitBlock, visit }: RiskProps) {
  const { format } = useSurroundings();
  const broken = books?.brokenInvariants.length ?? 0;
  const isBroken = broken > 0;
  const words = isBroken ? `Books don’t balance: ${countText(broken, "rule")} broken` : "Books balance to the kobo";
  const state = <Status kind={isBroken ? "bad" : "good"}>{words}</Status>;
  return (
    <>
      {books === null ? (
        <Status kind="quiet">No day closed yet</Status>
      ) : (
        <>
          {visit.may("see_reports") ? <a href="/operator/closed-days">{state}</a> : state}
          <span class="quiet">closed {dayText(format, books.day)}</span>
        </>
      )}
      {commitBlock === null ? <Status kind="good">Commits normal</Status> : null}
    </>
  );
}

/** `3.2 h`, `12 days`. */
export function hoursText(hours: number): string {
  return spanText(hours * hourMs);
}
