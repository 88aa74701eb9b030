import type { WalletKey } from "../../../kernel/ids.ts";
import { formatNaira, type Kobo } from "../../../kernel/money.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { deleteChanges } from "../../catalogue/changes/change-queries.ts";
import { updateLowBalanceAnnounced } from "../../wallet/queries.ts";
import type { Endpoints } from "../endpoints/queries.ts";
import { insertDeliveries } from "../log/delivery-queries.ts";
import { enqueueEvents } from "../log/outbox.ts";
import {
  type CatalogueChange,
  findRound,
  listChanges,
  listRecipients,
  lockRound,
  type Recipient,
  type RoundRule,
  updateRound,
} from "./catalogue-queries.ts";
import { eventsOfChange, type Stamps } from "./outbox-event.ts";

interface CatalogueNewsServices {
  readonly database: Database;
  readonly stamps: Stamps;
}

/**
 * Changes within a short while are one event. It waits for a rest of some seconds: by then every process has read the
 * catalogue anew, and who asks for products because of it sees what it tells of. Where prices change without a rest, it
 * comes once a minute.
 */
const rule: RoundRule = { restSeconds: 3, waitSecondsMax: 60, changesMax: 500 };

/** Endpoints looked at in one transaction. */
const pageSizeUsual = 200;

/** Whether changes of the catalogue are to be told now. */
export async function hasPendingCatalogueChanges({
  database,
}: Pick<CatalogueNewsServices, "database">): Promise<boolean> {
  return (await findRound(database, rule)) !== null;
}

/**
 * Owes `catalogue.updated` to the next page of merchants whom changes concern and who want it: one event in live, where
 * they are approved, and one in sandbox. What is owed and how far it got are one commit, so that nobody is told twice,
 * whoever dies in between. Locks the round: beside another that does the same, each does the next page.
 * @returns how many events were owed
 */
export async function announceCatalogue(
  { database, stamps }: CatalogueNewsServices,
  pageSize = pageSizeUsual,
): Promise<number> {
  return database.transaction(async (tx) => {
    await lockRound(tx);
    const round = await findRound(tx, rule);
    if (round === null) return 0;
    const changes = await listChanges(tx, round.upToId);
    const page = await listRecipients(tx, round.after, pageSize);
    const events = page.flatMap((listener) => eventsFor(listener, changes, stamps));
    await insertDeliveries(tx, events, "event");
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) {
      await deleteChanges(tx, round.upToId);
      await updateRound(tx, null);
    } else {
      await updateRound(tx, { ...round, after: last });
    }
    return events.length;
  });
}

function eventsFor(listener: Recipient, changes: readonly CatalogueChange[], stamps: Stamps) {
  const { merchantId, endpoints } = listener;
  const news = changes.filter((change) => concerns(change, listener));
  if (news.length === 0) return [];
  const data = () => ({
    billers: [...new Set(news.map(({ biller }) => biller))].sort(),
    products: [...new Set(news.flatMap(({ product }) => product ?? []))].sort((a, b) => a - b),
    updated_at: stamps.wallTime.format(Math.max(...news.map(({ changedAt }) => changedAt))),
  });
  return listener.modes.flatMap((mode) => {
    const wallet = { merchantId, mode };
    const change = { wallet, event: "catalogue.updated", subject: null, how: "changed", data } as const;
    return eventsOfChange(endpoints, change, stamps).map((event) => ({ wallet, event }));
  });
}

/**
 * A price is no news to a merchant that does not pay it, because it or its tier has one of its own. Nor is anything in a
 * category that is hidden from it, except that it was hidden.
 */
function concerns({ kind, category, product, tier, merchantId, pricedTiers }: CatalogueChange, to: Recipient): boolean {
  if (!to.isActive) return false;
  if (merchantId !== null && merchantId !== to.merchantId) return false;
  if (tier !== null && tier !== to.priceTier) return false;
  if (kind === "visibility") return true;
  if (to.hiddenCategories.includes(category)) return false;
  // A price of one's own for a foreign card is a share of the amount that its rate makes.
  if (kind === "availability" || kind === "name" || kind === "rate" || merchantId !== null) return true;
  if (product !== null && to.ownPrices.includes(product)) return false;
  return tier !== null || !pricedTiers.includes(to.priceTier);
}

interface LowBalanceServices {
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly stamps: Stamps;
}

/**
 * Owes the merchant of a wallet that fell below its threshold the event, where it wants it: once a crossing, which the
 * charge itself marked. Safe to repeat, and beside others that do the same.
 */
export async function announceLowBalance(
  services: LowBalanceServices,
  wallet: WalletKey,
  /** What else is written of it, in the same transaction. */
  alsoDo: (tx: Tx, fallen: { readonly balance: Kobo; readonly threshold: Kobo }) => Promise<void> = async () => {},
): Promise<void> {
  const { database, endpoints, stamps } = services;
  const found = await endpoints.find(wallet);
  await database.transaction(async (tx) => {
    const fallen = await updateLowBalanceAnnounced(tx, wallet);
    if (fallen === null || fallen.lowBalanceThreshold === null) return;
    const { balance, lowBalanceThreshold, updatedAt } = fallen;
    const data = () => ({
      balance: formatNaira(balance),
      threshold: formatNaira(lowBalanceThreshold),
      currency: "NGN",
      updated_at: stamps.wallTime.format(updatedAt),
    });
    const change = { wallet, event: "wallet.low_balance", subject: null, how: "changed", data } as const;
    await enqueueEvents(tx, [{ endpoints: found, change }], stamps);
    await alsoDo(tx, { balance, threshold: lowBalanceThreshold });
  });
}
