import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Tx } from "../../../platform/database/database.ts";
import {
  balanceLow,
  keyEnding,
  keyUnused,
  moneyAdded,
  moneyTakenBack,
  webhookFailing,
  webhookOff,
} from "../../identity/emails/chosen-texts.ts";
import { choicesLine, consoleLink, momentWords, moneyWords } from "../../identity/emails/email-words.ts";
import { type PeopleServices, sendNotice } from "../../identity/people/send-notice.ts";
import { countOne, fundedThrottle, quietThrottle } from "../../identity/people/throttle.ts";
import { formatApiKeyId } from "../../merchants/merchant.ts";
import { findExistingMerchant } from "../../merchants/queries.ts";
import type { EmailReader } from "../email-choice-queries.ts";
import { listReaders, writeOnce, writeToReaders } from "../email-choices.ts";
import {
  type FailingWebhook,
  type KeyToNotice,
  listEndingKeys,
  listFailingWebhooks,
  listTurnedOffWebhooks,
  listUnusedKeys,
} from "./queries.ts";

export type NoticeServices = Pick<
  PeopleServices,
  "database" | "clock" | "wallTime" | "secretBox" | "company" | "publicUrl"
>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A server that is restarted, or has a bad ten minutes, is no news. */
const failingAfterMs = hourMs;
/** What happened longer ago is no news either: a release that brings this is installed without a flood of emails. */
const newsMs = 2 * dayMs;
const endsSoonMs = dayMs;
export const unusedDays = 90;
/** A balance that hovers about the alert is told once in so long. */
const balanceQuietMs = 4 * hourMs;
/** A merchant that is sent more transfers than that in a day follows them by the webhook and the statement. */
export const fundedEmailsMax = 20;

/** Writes what is due about webhooks and keys, some of each. Safe to repeat, and beside others that do. @returns how many */
export async function writeTeamNotices(services: NoticeServices, limit: number): Promise<number> {
  const { database, clock } = services;
  const now = clock.now();
  const due = [
    ...(await listFailingWebhooks(database, now - failingAfterMs, limit)).map((each) => writeFailing(services, each)),
    ...(await listTurnedOffWebhooks(database, now - newsMs, limit)).map((each) => writeTurnedOff(services, each)),
    ...(await listEndingKeys(database, { after: now, until: now + endsSoonMs, usedSince: now - dayMs, limit })).map(
      (each) => writeEnding(services, each),
    ),
    ...(await listUnusedKeys(database, now - unusedDays * dayMs, limit)).map((each) => writeUnused(services, each)),
  ];
  return (await Promise.all(due)).filter(Boolean).length;
}

function writeFailing(services: NoticeServices, webhook: FailingWebhook): Promise<boolean> {
  const { merchantId, merchant, url, at, subject } = webhook;
  const about = { merchant, endpoint: new URL(url).host, since: momentWords(services.wallTime, at) };
  return services.database.transaction((tx) =>
    writeOnce(tx, services, { merchantId, kind: "webhook_failing", subject }, (frame) =>
      webhookFailing(frame, { ...about, ...linksOf(services, "/live/webhooks", "Webhooks") }),
    ),
  );
}

function writeTurnedOff(services: NoticeServices, webhook: FailingWebhook): Promise<boolean> {
  const { merchantId, merchant, url, at, subject } = webhook;
  const about = { merchant, endpoint: new URL(url).host, at: momentWords(services.wallTime, at) };
  return services.database.transaction((tx) =>
    writeOnce(tx, services, { merchantId, kind: "webhook_failing", subject }, (frame) =>
      webhookOff(frame, { ...about, ...linksOf(services, "/live/webhooks", "Webhooks") }),
    ),
  );
}

function writeEnding(services: NoticeServices, key: KeyToNotice): Promise<boolean> {
  const { merchantId, merchant, usedAt, expiresAt, subject } = key;
  const words = (at: Instant) => momentWords(services.wallTime, at);
  const about = { merchant, key: nameOf(key), end: words(expiresAt ?? usedAt), used: words(usedAt) };
  return services.database.transaction((tx) =>
    writeOnce(tx, services, { merchantId, kind: "key_ending", subject }, (frame) =>
      keyEnding(frame, { ...about, ...linksOf(services, "/live/keys", "API keys") }),
    ),
  );
}

function writeUnused(services: NoticeServices, key: KeyToNotice): Promise<boolean> {
  const { merchantId, merchant, usedAt, subject } = key;
  const days = Math.floor((services.clock.now() - usedAt) / dayMs);
  return services.database.transaction((tx) =>
    writeOnce(tx, services, { merchantId, kind: "key_ending", subject }, (frame) =>
      keyUnused(frame, { merchant, key: nameOf(key), days, ...linksOf(services, "/live/keys", "API keys") }),
    ),
  );
}

/** Nothing of a label that could be taken for a link: emails go out under our name. */
function nameOf({ id, label, firstCharacters }: KeyToNotice): string {
  const isPlain = label !== "" && /^[\p{L}\p{N} ’'-]+$/u.test(label);
  return isPlain ? `“${label}”` : `${formatApiKeyId(id)} (${firstCharacters}…)`;
}

/** The last lines of an email that people choose: where to look, and where to choose. */
export function linksOf({ publicUrl }: Pick<NoticeServices, "publicUrl">, path: string, place: string) {
  return { link: consoleLink(publicUrl, path, place), choices: choicesLine(publicUrl) };
}

/** Writes of a live wallet that fell below its alert, in the transaction that marks the fall as announced. */
export async function writeLowBalance(
  tx: Tx,
  services: NoticeServices,
  fallen: { readonly merchantId: MerchantId; readonly balance: Kobo; readonly threshold: Kobo },
): Promise<void> {
  const { merchantId } = fallen;
  const isNews = await countOne(tx, services.clock, quietThrottle("low balance", merchantId, balanceQuietMs));
  if (isNews === null) return;
  const { name: merchant } = await findExistingMerchant(tx, merchantId);
  const about = { merchant, balance: moneyWords(fallen.balance), threshold: moneyWords(fallen.threshold) };
  await writeToReaders(tx, services, { merchantId, kind: "low_balance" }, (frame) =>
    balanceLow(frame, { ...about, ...linksOf(services, "/live/wallet", "Wallet") }),
  );
}

/** Money that came into a live wallet, or was taken back of it; `reason` as the statement has it. */
interface MoneyMoved {
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly reason: string;
}

/** Writes of money that was added, in the transaction that marks it as announced. */
export async function writeMoneyAdded(tx: Tx, services: NoticeServices, added: readonly MoneyAdded[]): Promise<void> {
  const merchants = new Set(added.map(({ merchantId }) => merchantId));
  const readers = await listReaders(tx, [...merchants], "money_added");
  for (const each of added) {
    const ofMerchant = readers.filter(({ merchantId }) => merchantId === each.merchantId);
    if (ofMerchant.length > 0) await writeAdded(tx, services, each, ofMerchant);
  }
}

type MoneyAdded = MoneyMoved & { readonly fee: Kobo; readonly balance: Kobo };

async function writeAdded(
  tx: Tx,
  services: NoticeServices,
  { merchantId, amount, reason, fee, balance }: MoneyAdded,
  readers: readonly EmailReader[],
): Promise<void> {
  if ((await countOne(tx, services.clock, fundedThrottle(merchantId, fundedEmailsMax))) === null) return;
  const { name: merchant } = await findExistingMerchant(tx, merchantId);
  const borne = fee === zeroKobo ? null : moneyWords(fee);
  const about = {
    merchant,
    amount: moneyWords(amount),
    reason: plainWords(reason),
    fee: borne,
    balance: moneyWords(balance),
  };
  for (const reader of readers) {
    await sendNotice(tx, services, reader, (frame) =>
      moneyAdded(frame, { ...about, ...linksOf(services, "/live/wallet", "Wallet") }),
    );
  }
}

/** Writes of money that was taken back, in the transaction that books it. */
export async function writeMoneyTakenBack(
  tx: Tx,
  services: NoticeServices,
  { merchantId, amount, reason, ...left }: MoneyMoved & { readonly debt: Kobo },
): Promise<void> {
  const { name: merchant } = await findExistingMerchant(tx, merchantId);
  const debt = left.debt === zeroKobo ? null : moneyWords(left.debt);
  const about = { merchant, amount: moneyWords(amount), reason: plainWords(reason), debt };
  await writeToReaders(tx, services, { merchantId, kind: "money_taken_back" }, (frame) =>
    moneyTakenBack(frame, { ...about, ...linksOf(services, "/live/wallet", "Wallet") }),
  );
}

/** Words of strangers that could not be taken for a link: emails go out under our name. */
function plainWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}₦ ,·&()’'-]+/gu, " ").trim();
}
