import type { Clock, WallTime } from "../../kernel/clock.ts";
import { firstPurchaseIdAt } from "../../kernel/ids.ts";
import { formatHundredths } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { listClosedDays, listSoldNames } from "../history/closed-days/queries.ts";
import { countPendingBefore } from "../resolution/requery/pending-queries.ts";
import { listSupplierBalances } from "../suppliers/balance-queries.ts";
import { isBalanceLow } from "../suppliers/balances.ts";
import { listStoredBreakers } from "../suppliers/routing/breaker.ts";
import { listLevels } from "../suppliers/vouchers/level-queries.ts";
import { levelsOn } from "../suppliers/vouchers/stock.ts";
import { type Condition, listSigns } from "./alert-queries.ts";

export interface ConditionServices {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

const hourMs = 3_600_000;
/** A process looks at its clock once a minute. */
const signSeconds = 150;

/** All that is wrong at this moment and that a person should act upon. */
export async function findConditions(services: ConditionServices): Promise<Condition[]> {
  const found = await Promise.all(
    [openBreakers, lateAndInReview, lowBalances, lowStock, brokenBooks].map((look) => look(services)),
  );
  return [...found.flat(), ...(await listSigns(services.database, signSeconds))];
}

async function openBreakers({ database }: ConditionServices): Promise<Condition[]> {
  return (await listStoredBreakers(database)).map(({ supplier, category }) => ({
    name: `breaker ${supplier} ${category}`,
    sentence: `${supplier} is failing: its breaker for ${category} is open, and sales go to other suppliers.`,
  }));
}

async function lateAndInReview({ database, clock }: ConditionServices): Promise<Condition[]> {
  const counts = await countPendingBefore(database, firstPurchaseIdAt(clock.now() - hourMs));
  const late = counts.filter(({ step }) => step !== "review").reduce((sum, count) => sum + count.late, 0);
  const review = counts.find(({ step }) => step === "review")?.all ?? 0;
  return [
    ...(late === 0 ? [] : [{ name: "pending", sentence: `${sales(late)} pending for over an hour.` }]),
    ...(review === 0 ? [] : [{ name: "review", sentence: `${sales(review)} in review: a person has to decide.` }]),
  ];
}

function sales(count: number): string {
  return count === 1 ? "1 sale is" : `${count} sales are`;
}

async function lowBalances({ database }: ConditionServices): Promise<Condition[]> {
  return (await listSupplierBalances(database))
    .filter(isBalanceLow)
    .map(({ supplier, currency, balance, alarmBelow }) => ({
      name: `balance ${supplier}`,
      sentence: `Our balance at ${supplier} is ${currency} ${formatHundredths(balance ?? 0n)}, below the alarm at ${formatHundredths(alarmBelow ?? 0n)}.`,
    }));
}

async function lowStock({ database, clock, wallTime }: ConditionServices): Promise<Condition[]> {
  const levels = await listLevels(database, levelsOn(wallTime.dayOf(clock.now()).date));
  const low = levels.filter(({ left, lowAt }) => left <= lowAt);
  if (low.length === 0) return [];
  const names = await listSoldNames(
    database,
    "product",
    low.map(({ productId }) => String(productId)),
  );
  return low.map(({ productId, left }) => ({
    name: `stock ${productId}`,
    sentence: `${left === 0 ? "No vouchers" : `${left} vouchers`} left of ${names.get(String(productId)) ?? productId}.`,
  }));
}

/** The last day that was closed; a later one that is sound ends it. */
async function brokenBooks({ database, clock, wallTime }: ConditionServices): Promise<Condition[]> {
  const now = clock.now();
  const [last] = await listClosedDays(database, {
    from: wallTime.dayOf(now - 7 * 24 * hourMs).date,
    to: wallTime.dayOf(now).date,
  });
  if (last === undefined || last.brokenInvariants.length === 0) return [];
  return [{ name: "books", sentence: `The books of ${last.day} don’t balance: ${last.brokenInvariants.join("; ")}.` }];
}
