import type { WallTime } from "../../kernel/clock.ts";
import type { TransactionIds, WalletKey } from "../../kernel/ids.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { type How, wants } from "../webhooks/endpoints/endpoint.ts";
import type { Endpoints } from "../webhooks/endpoints/queries.ts";
import { eventsOfChange, type OutboxEvent, type Stamps } from "../webhooks/events/outbox-event.ts";
import { type Purchase, soldProductOf } from "./purchase.ts";
import { purchaseSummaryJson } from "./transaction-object.ts";

/** Prepares the events of purchases that end. From memory where it knows the merchant's endpoints. */
export interface Announcements {
  /** The events that a purchase, as it ended, owes its merchant: one for each endpoint that wants it. */
  preparePurchase(ended: Purchase, how: How): Promise<readonly OutboxEvent[]>;
  /** Whether a success that the request's own response tells is announced as well: then it can't be stored at once. */
  repeatsSuccess(wallet: WalletKey): Promise<boolean>;
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

  return {
    async preparePurchase(ended, how) {
      const { wallet, id, reference } = ended;
      const event = eventOf(ended);
      const found = await endpoints.find(wallet);
      if (!found.some((endpoint) => wants(endpoint, { mode: wallet.mode, event, how }))) return none;
      const snapshot = await catalogue.current();
      const data = () => purchaseSummaryJson(ended, soldProductOf(snapshot, ended), services);
      return eventsOfChange(found, { wallet, event, subject: { id, reference }, how, data }, stamps);
    },
    async repeatsSuccess(wallet) {
      const announcement = {
        mode: wallet.mode,
        event: "transaction.successful",
        how: "final_in_own_response",
      } as const;
      return (await endpoints.find(wallet)).some((endpoint) => wants(endpoint, announcement));
    },
  };
}

function eventOf(ended: Purchase) {
  return ended.status === "failed" ? "transaction.failed" : "transaction.successful";
}
