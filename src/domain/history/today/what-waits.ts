import { dayMs, hourMs, type Instant, minuteMs } from "../../../kernel/clock.ts";
import { listShortChanges, type PriceChange } from "../../catalogue/price-changes/price-change-queries.ts";
import {
  findPaymentRisks,
  listSilentProviders,
  type PaymentRisks,
  type SilentProvider,
} from "../../funding/payment-risk-queries.ts";
import { type LiveAccessRequest, listLiveAccessRequests } from "../../members/live-access-queries.ts";
import { listWaitingChanges } from "../../staff/change-list-queries.ts";
import type { Change } from "../../staff/change-queries.ts";
import { listUnservedProducts, type UnservedProduct } from "../../suppliers/routing/unserved-queries.ts";
import { findReversals, type Reversals } from "./risk-queries.ts";
import type { PresentServices } from "./supplier-days.ts";

/** A product that was refused within this time still is. */
const unservedMs = 10 * 60_000;
const approvalsMax = 100;
const changesMax = 20;

/** What costs sales or waits for a person of the company, beside money at risk. */
export interface WhatWaits {
  /** Refused in the last minutes for want of a supplier, counted over this hour and the one before. */
  readonly unserved: readonly UnservedProduct[];
  /** Merchants that asked for live access, the first one first. */
  readonly merchants: readonly LiveAccessRequest[];
  /** The oldest first. */
  readonly approvals: readonly Change[];
  /** What suppliers took back in the last 24 hours after they had delivered it. */
  readonly reversals: Reversals;
  /** Scheduled price changes of the last 24 hours that left prices out, or all of them. */
  readonly shortChanges: readonly PriceChange[];
  /** Merchants' transfers that need a person. */
  readonly payments: PaymentRisks;
  /** Payment providers that tell of no transfer for longer than they usually do. */
  readonly silent: readonly SilentProvider[];
}

/** What was heard of before and is not verified is late: a whole minute, so that a list by it has what was counted. */
export function unverifiedBefore(now: Instant): Instant {
  return Math.floor((now - hourMs) / minuteMs) * minuteMs;
}

/** A few rows each, by their indexes. */
export async function readWhatWaits({ database, clock }: PresentServices): Promise<WhatWaits> {
  const now = clock.now();
  const [unserved, merchants, approvals, reversals, shortChanges, payments, silent] = await Promise.all([
    listUnservedProducts(database, { from: hourBefore(now), lastSince: now - unservedMs }),
    listLiveAccessRequests(database, { all: false }),
    listWaitingChanges(database, now, approvalsMax),
    findReversals(database, now - dayMs),
    listShortChanges(database, now - dayMs, changesMax),
    findPaymentRisks(database, unverifiedBefore(now)),
    listSilentProviders(database, now),
  ]);
  return { unserved, merchants, reversals, approvals, shortChanges, payments, silent };
}

function hourBefore(now: Instant): Instant {
  return now - (now % hourMs) - hourMs;
}

/** Of what was requested, in whole percent: 100 where none was sold. */
export function unservedPercent({ refused, sent }: UnservedProduct): number {
  return Math.ceil((refused * 100) / (refused + sent));
}
