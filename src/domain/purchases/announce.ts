import type { WallTime } from "../../kernel/clock.ts";
import type { TransactionIds, WalletKey } from "../../kernel/ids.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import { type Endpoint, type How, wants } from "../webhooks/endpoints/endpoint.ts";
import type { Endpoints } from "../webhooks/endpoints/remembered-endpoints.ts";
import { type OutboxEvent, owedEvents, type Stamps } from "../webhooks/events/outbox-event.ts";
import type { Purchase } from "./purchase.ts";
import { soldProductOf } from "./sold-product.ts";
import { purchaseSummaryJson } from "./transaction-object.ts";

/** Prepares the events of purchases that end. Answers at once when memory knows the merchant's endpoints. */
export interface Announcements {
  /** The events that a purchase, as it ended, owes its merchant: one for each endpoint that wants it. */
  preparePurchase(ended: Purchase, how: How): readonly OutboxEvent[] | Promise<readonly OutboxEvent[]>;
  /** Whether a success that the request's own response tells is announced as well: then it can't be stored at once. */
  repeatsSuccess(wallet: WalletKey): boolean | Promise<boolean>;
}

const none: readonly OutboxEvent[] = [];

/** Prepares events for the endpoints, with the catalogue's names, both as they are known now. Stores nothing. */
export function openAnnouncements(services: {
  readonly catalogue: Catalogue;
  readonly endpoints: Endpoints;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  readonly stamps: Stamps;
}): Announcements {
  const { catalogue, endpoints, stamps } = services;

  /** Uses memory alone, as a batch of settlements waits for all of its events. */
  function drawUpFrom(snapshot: CatalogueSnapshot, found: readonly Endpoint[], ended: Purchase, how: How) {
    const change = {
      wallet: ended.wallet,
      event: eventOf(ended),
      subject: { id: ended.id, reference: ended.reference },
      how,
      data: () => purchaseSummaryJson(ended, soldProductOf(snapshot, ended), services),
    } as const;
    return owedEvents(found, change, stamps);
  }

  async function drawUpOnceKnown(
    endpointsFound: readonly Endpoint[] | Promise<readonly Endpoint[]>,
    ended: Purchase,
    how: How,
  ): Promise<readonly OutboxEvent[]> {
    const found = await endpointsFound;
    const telling = { mode: ended.wallet.mode, event: eventOf(ended), how } as const;
    if (!found.some((endpoint) => wants(endpoint, telling))) return none;
    return drawUpFrom(await catalogue.current(), found, ended, how);
  }

  return {
    preparePurchase(ended, how) {
      const found = endpoints.find(ended.wallet);
      if (!(found instanceof Promise) && found.length === 0) return none;
      const snapshot = catalogue.peek();
      if (found instanceof Promise || snapshot === null) return drawUpOnceKnown(found, ended, how);
      return drawUpFrom(snapshot, found, ended, how);
    },
    repeatsSuccess(wallet) {
      const telling = { mode: wallet.mode, event: "transaction.successful", how: "final_in_own_response" } as const;
      const repeats = (found: readonly Endpoint[]) => found.some((endpoint) => wants(endpoint, telling));
      const found = endpoints.find(wallet);
      return found instanceof Promise ? found.then(repeats) : repeats(found);
    },
  };
}

function eventOf(ended: Purchase) {
  return ended.status === "failed" ? "transaction.failed" : "transaction.successful";
}
