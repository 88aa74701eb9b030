import { announceCompletion, type CompletionServices } from "../domain/bulk-orders/bulk-object.ts";
import { listUnannouncedOrders } from "../domain/bulk-orders/queries.ts";
import { type NoticeServices, writeLowBalance } from "../domain/members/notices/notices.ts";
import { listLowWallets } from "../domain/wallet/queries.ts";
import {
  announceCatalogue,
  announceLowBalance,
  hasPendingCatalogueChanges,
} from "../domain/webhooks/events/catalogue-updated.ts";
import type { WalletKey } from "../kernel/ids.ts";
import type { Job } from "./watch.ts";

const perLook = 100;

interface AnnounceServices extends CompletionServices {
  readonly people: NoticeServices;
  /** `wake`: events may be owed since just now. */
  readonly webhooks: { readonly wake: () => void };
}

/**
 * Owes the events whose bodies need more than the commit that caused them knows: an order's completion, a wallet's fall
 * below its threshold, a change of the catalogue. That commit leaves a mark, so that none is forgotten. Half of the time
 * between two looks is what such an event waits; a look that finds nothing costs three index lookups.
 */
export const announcing: Job<AnnounceServices> = {
  name: "announcements",
  everyMs: 250,
  open: (services) => async () => {
    const { database, webhooks } = services;
    const orders = await listUnannouncedOrders(database, perLook);
    const wallets = await listLowWallets(database, perLook);
    const marks: (() => Promise<unknown>)[] = [
      ...orders.map((order) => () => announceCompletion(services, order)),
      ...wallets.map((wallet) => () => announceLowBalance(services, wallet, emailTo(services.people, wallet))),
    ];
    // A page at a time: thousands of merchants keep nobody else waiting.
    if (await hasPendingCatalogueChanges(services)) marks.push(() => announceCatalogue(services));
    if (marks.length === 0) return;
    const failures: unknown[] = [];
    for (const report of marks) await report().catch((error: unknown) => failures.push(error));
    webhooks.wake();
    // One that fails is no reason to keep the others waiting.
    if (failures.length > 0) throw failures[0];
    return "again";
  },
};

/** Of a live wallet its people are written as well. */
const emails = { live: writeLowBalance, test: async () => {} } as const;

function emailTo(people: NoticeServices, { merchantId, mode }: WalletKey): Parameters<typeof announceLowBalance>[2] {
  return (tx, fallen) => emails[mode](tx, people, { merchantId, ...fallen });
}
