import { announcing } from "./announce.ts";
import { debtPaying, paymentAnnouncing, paymentListing } from "./ask-about-payments.ts";
import { changeCarrying, changeExpiring, draftPurge } from "./carry-out-changes.ts";
import { dayClosing } from "./close-days.ts";
import { byDatabaseTime, withCare } from "./database-time.ts";
import { forAll } from "./figures-for-all.ts";
import { accountRequesting } from "./open-accounts.ts";
import { failingEndpoints, logMonths, peoplePurge, purchaseCounting, sandboxPurge, sealedPurge } from "./purges.ts";
import {
  commandWatch,
  keyUsesWriter,
  processNumberWatch,
  requestLogWriter,
  securitySummary,
} from "./watch/keep-records.ts";
import { archiveWatch } from "./watch/measure-archive.ts";
import { dueWorkWatch } from "./watch/measure-due-work.ts";
import { webhookFigures } from "./watch/measure-webhooks.ts";
import { balanceAsking, balanceWatch } from "./watch/watch-balances.ts";
import { catalogueAsking, catalogueWatch } from "./watch/watch-catalogues.ts";
import { clockWatch, commitWatch } from "./watch/watch-commits.ts";
import { pendingWatch, refundsWatch } from "./watch/watch-pending.ts";
import { routeCountsWatch, routesWatch } from "./watch/watch-routes.ts";
import { shelvesWatch, stockWatch } from "./watch/watch-stock.ts";
import { alertPosting, alertWatch, hangWatch } from "./watch-alerts.ts";
import { teamNotices } from "./write-notices.ts";

/** What every process looks at: it logs and measures what a person should know. */
export const watches = [
  refundsWatch,
  forAll(pendingWatch),
  shelvesWatch,
  forAll(stockWatch),
  forAll(balanceWatch),
  routesWatch,
  routeCountsWatch,
  forAll(catalogueWatch),
  clockWatch,
  commitWatch,
  securitySummary,
  commandWatch,
  processNumberWatch,
  keyUsesWriter,
  requestLogWriter,
  forAll(webhookFigures),
  forAll(dueWorkWatch),
  forAll(archiveWatch),
] as const;

/** What processes with workers do besides: any number of them may. */
export const chores = [
  announcing,
  paymentAnnouncing,
  paymentListing,
  debtPaying,
  accountRequesting,
  purchaseCounting,
  balanceAsking,
  catalogueAsking,
  withCare(peoplePurge),
  withCare(logMonths),
  withCare(sandboxPurge),
  withCare(failingEndpoints),
  withCare(sealedPurge),
  withCare(dayClosing),
  changeCarrying,
  withCare(changeExpiring),
  withCare(draftPurge),
  withCare(teamNotices),
  byDatabaseTime(alertWatch),
  byDatabaseTime(alertPosting),
  hangWatch,
] as const;
