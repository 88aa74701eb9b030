import { dayMs, hourMs } from "../../kernel/clock.ts";
import { firstPurchaseIdAt } from "../../kernel/ids.ts";
import { formatHundredths, groupedNaira, type Kobo } from "../../kernel/money.ts";
import type { ReportServices } from "../history/closed-days/close-day.ts";
import { listClosedDays, listSoldNames } from "../history/closed-days/queries.ts";
import { listPendingGroups } from "../history/search/search-queries.ts";
import { sumOfGroups } from "../history/today/money-at-risk.ts";
import { readWhatWaits, unservedPercent, type WhatWaits } from "../history/today/what-waits.ts";
import { countPendingBefore } from "../resolution/requery/pending-queries.ts";
import { listSupplierBalances } from "../suppliers/balance-queries.ts";
import { isBalanceLow } from "../suppliers/balances.ts";
import { listStoredBreakers } from "../suppliers/routing/breaker.ts";
import { listLevels } from "../suppliers/vouchers/level-queries.ts";
import { levelsOn } from "../suppliers/vouchers/stock.ts";
import { type Condition, listProcessAlerts } from "./alert-queries.ts";

/** A process looks at its clock once a minute. */
const signSeconds = 150;

/** Each with what it looks for. */
const looks = {
  openBreakers: [openBreakers, "suppliers that fail"],
  lateAndInReview: [lateAndInReview, "sales that hang"],
  lowBalances: [lowBalances, "low balances"],
  lowStock: [lowStock, "low stock"],
  brokenBooks: [brokenBooks, "broken books"],
  waiting: [waiting, "refused sales, transfers and what waits for people"],
  signs: [signs, "what single processes see"],
} as const;

/** All that is wrong at this moment and that a person should act upon. One look that fails hides no other. */
export async function findConditions(services: ReportServices): Promise<Condition[]> {
  const found = Object.entries(looks).map(([name, [look, words]]) =>
    look(services).catch((error): Condition[] => [
      { name: `look ${name}`, sentence: `Alerts can’t look for ${words}: ${String(error)}.` },
    ]),
  );
  return (await Promise.all(found)).flat();
}

function where(count: number, condition: Condition): Condition[] {
  return count === 0 ? [] : [condition];
}

function signs({ database }: ReportServices): Promise<Condition[]> {
  return listProcessAlerts(database, signSeconds);
}

async function openBreakers({ database }: ReportServices): Promise<Condition[]> {
  return (await listStoredBreakers(database)).map(({ supplier, category }) => ({
    name: `breaker ${supplier} ${category}`,
    path: `/operator/suppliers/${encodeURIComponent(supplier)}`,
    sentence: `${supplier} is failing: its breaker for ${category} is open, and sales go to other suppliers.`,
  }));
}

async function lateAndInReview({ database, clock }: ReportServices): Promise<Condition[]> {
  const counts = await countPendingBefore(database, firstPurchaseIdAt(clock.now() - hourMs));
  const late = counts.filter(({ step }) => step !== "review").reduce((sum, count) => sum + count.late, 0);
  const groups = await listPendingGroups(database, { mode: "live", supplier: null, merchantId: null });
  const { count, total: amount } = sumOfGroups(groups.filter(({ step }) => step === "review"));
  return [
    ...where(late, {
      ...{ name: "pending", path: "/operator/sales?status=pending", count: late },
      sentence: `${sales(late)} pending for over an hour.`,
    }),
    ...where(count, {
      ...{ name: "review", path: "/operator/review", count, amount },
      sentence: `${sales(count)} in review (${naira(amount)}): a person has to decide.`,
    }),
  ];
}

function sales(count: number): string {
  return count === 1 ? "1 sale is" : `${count} sales are`;
}

const naira = (amount: Kobo) => `₦${groupedNaira(amount)}`;

async function waiting(services: ReportServices): Promise<Condition[]> {
  const waits = await readWhatWaits(services);
  const { unserved, merchants, approvals, reversals, shortChanges } = waits;
  return [
    ...paymentConditions(waits),
    ...unserved.map((product) => ({
      ...{ name: `unserved ${product.productId}`, path: `/operator/routes/${product.productId}` },
      ...{ count: product.refused, amount: product.amount },
      sentence: `No supplier for ${product.product}: ${product.refused} refused (${naira(product.amount)}) in two hours, ${unservedPercent(product)}% of what was asked for.`,
    })),
    ...where(merchants.length, {
      ...{ name: "merchants", path: "/operator/merchants?state=waiting", count: merchants.length },
      sentence: `${merchants.length} waiting for live access, first ${merchants[0]?.name}.`,
    }),
    ...where(approvals.length, {
      ...{ name: "approvals", path: "/operator/approvals", count: approvals.length },
      sentence: `${approvals.length} waiting for a second person: ${approvals[0]?.summary}.`,
    }),
    ...where(reversals.count, {
      ...{ name: "reversals", path: "/operator/reports?days=2", count: reversals.count, amount: reversals.total },
      sentence: `Suppliers took back ${reversals.count} delivered (${naira(reversals.total)}) within 24 hours: their merchants were refunded.`,
    }),
    ...shortChanges.map(({ id, outcome }) => ({
      ...{ name: `price change ${id}`, path: `/operator/prices/changes/${id}` },
      sentence: `Scheduled price change ${id} left prices out. ${outcome}`,
    })),
  ];
}

function paymentConditions({ payments, silent }: WhatWaits): Condition[] {
  const { unmatched, unverified, debts, contradicted } = payments;
  const at = "/operator/payments";
  return [
    ...where(unmatched.count, {
      ...{ name: "unmatched payments", path: `${at}?state=unmatched`, count: unmatched.count, amount: unmatched.total },
      sentence: `${transfers(unmatched.count)} nobody’s (${naira(unmatched.total)}): a person has to match.`,
    }),
    ...where(unverified.count, {
      ...{ name: "unverified payments", path: `${at}?state=heard`, count: unverified.count },
      sentence: `${transfers(unverified.count)} not verified for over an hour: the provider doesn’t say whether it was paid.`,
    }),
    ...where(contradicted, {
      ...{ name: "contradicted payments", path: `${at}?state=contradicted`, count: contradicted },
      sentence: `${transfers(contradicted)} booked, and the provider says something else now: a person has to look.`,
    }),
    ...where(debts.merchants, {
      ...{ name: "debts", path: `${at}?state=owed`, count: debts.payments, amount: debts.total },
      sentence: `Merchants owe ${naira(debts.total)} of transfers that were taken back after the money was spent.`,
    }),
    ...silent.map(({ provider }) => ({
      ...{ name: `silent ${provider}`, path: `/operator/payment-providers/${encodeURIComponent(provider)}` },
      sentence: `${provider} tells of no transfers any more: check its webhook and its keys.`,
    })),
  ];
}

function transfers(count: number): string {
  return count === 1 ? "1 transfer is" : `${count} transfers are`;
}

async function lowBalances({ database }: ReportServices): Promise<Condition[]> {
  return (await listSupplierBalances(database))
    .filter(isBalanceLow)
    .map(({ supplier, currency, balance, alarmBelow }) => ({
      name: `balance ${supplier}`,
      path: `/operator/suppliers/${encodeURIComponent(supplier)}`,
      sentence: `Our balance at ${supplier} is ${currency} ${formatHundredths(balance ?? 0n)}, below the alarm at ${formatHundredths(alarmBelow ?? 0n)}.`,
    }));
}

async function lowStock({ database, clock, wallTime }: ReportServices): Promise<Condition[]> {
  const levels = await listLevels(database, levelsOn(wallTime.dayOf(clock.now()).date));
  const low = levels.filter(({ left, lowAt }) => left <= lowAt);
  if (low.length === 0) return [];
  const ids = low.map(({ productId }) => String(productId));
  const names = await listSoldNames(database, "product", ids);
  return low.map(({ productId, left }) => ({
    // A shelf that is empty is news, also where it was low before.
    name: `${left === 0 ? "no stock" : "stock"} ${productId}`,
    path: `/operator/vouchers/products/${productId}`,
    sentence: `${left === 0 ? "No vouchers" : `${left} vouchers`} left of ${names.get(String(productId)) ?? productId}.`,
  }));
}

/** The last day that was closed; a later one that is sound ends it. */
async function brokenBooks({ database, clock, wallTime }: ReportServices): Promise<Condition[]> {
  const now = clock.now();
  const days = { from: wallTime.dayOf(now - 7 * dayMs).date, to: wallTime.dayOf(now).date };
  const [last] = await listClosedDays(database, days);
  if (last === undefined || last.brokenInvariants.length === 0) return [];
  return [
    {
      name: "books",
      path: `/operator/closed-days/${last.day}`,
      sentence: `The books of ${last.day} don’t balance: ${last.brokenInvariants.join("; ")}.`,
    },
  ];
}
