import type { WallTime } from "../../kernel/clock.ts";
import type { TransactionIds, WalletKey } from "../../kernel/ids.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import { type Endpoint, endpointOfNumber, firstEndpointNumber, type How, wants } from "../webhooks/endpoint.ts";
import { type OwedEvent, owedEvent, type Stamps } from "../webhooks/owed-event.ts";
import type { Endpoints } from "../webhooks/remembered-endpoints.ts";
import { goodsOf } from "./goods.ts";
import type { Purchase } from "./purchase.ts";
import { purchaseToldJson } from "./transaction-object.ts";

/** What a merchant is told of its purchases' ends. Answers at once when memory knows the merchant's endpoint. */
export interface Announcements {
  /** The event that a purchase, as it ended, owes its merchant; null when it wants none. */
  drawUp(ended: Purchase, how: How): OwedEvent | null | Promise<OwedEvent | null>;
  /** Whether a success that the request's own response tells is announced as well: then it can't be stored at once. */
  repeatsSuccess(wallet: WalletKey): boolean | Promise<boolean>;
}

/** Draws up events by the endpoints as they are known now, from the catalogue as it is known now. Stores nothing. */
export function openAnnouncements(services: {
  readonly catalogue: Catalogue;
  readonly endpoints: Endpoints;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  readonly stamps: Stamps;
}): Announcements {
  const { catalogue, endpoints, stamps } = services;

  /** Of memory alone, as a batch of settlements waits for all of its events. */
  function drawUpFrom(snapshot: CatalogueSnapshot, endpoint: Endpoint | null, ended: Purchase, how: How) {
    const change = {
      wallet: ended.wallet,
      event: eventOf(ended),
      subject: { id: ended.id, reference: ended.reference },
      how,
      data: () => purchaseToldJson(ended, goodsOf(snapshot, ended), services),
    } as const;
    return owedEvent(endpoint, change, stamps);
  }

  async function drawUpOnceKnown(
    endpoints: readonly Endpoint[] | Promise<readonly Endpoint[]>,
    ended: Purchase,
    how: How,
  ): Promise<OwedEvent | null> {
    const found = firstOf(await endpoints);
    if (!wants(found, eventOf(ended), how)) return null;
    return drawUpFrom(catalogue.peek() ?? (await catalogue.load()), found, ended, how);
  }

  return {
    drawUp(ended, how) {
      const found = endpoints.find(ended.wallet);
      if (!(found instanceof Promise) && found.length === 0) return null;
      const snapshot = catalogue.peek();
      if (found instanceof Promise || snapshot === null) return drawUpOnceKnown(found, ended, how);
      return drawUpFrom(snapshot, firstOf(found), ended, how);
    },
    repeatsSuccess(wallet) {
      const found = endpoints.find(wallet);
      if (!(found instanceof Promise)) return repeats(firstOf(found));
      return found.then((each) => repeats(firstOf(each)));
    },
  };
}

function firstOf(endpoints: readonly Endpoint[]): Endpoint | null {
  return endpointOfNumber(endpoints, firstEndpointNumber);
}

function eventOf(ended: Purchase) {
  return ended.status === "failed" ? "transaction.failed" : "transaction.successful";
}

function repeats(endpoint: Endpoint | null): boolean {
  return wants(endpoint, "transaction.successful", "final_in_own_response");
}
