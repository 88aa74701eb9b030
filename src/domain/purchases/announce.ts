import type { WallTime } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { type Endpoint, type How, wants } from "../webhooks/endpoint.ts";
import { type OwedEvent, owedEvent, type Stamps } from "../webhooks/owed-event.ts";
import type { Endpoints } from "../webhooks/remembered-endpoints.ts";
import { goodsOf } from "./goods.ts";
import type { Purchase } from "./purchase.ts";
import { transactionSummary } from "./transaction-object.ts";

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
  readonly stamps: Stamps;
}): Announcements {
  const { catalogue, endpoints, wallTime, stamps } = services;

  async function drawUpFor(endpoint: Endpoint | null, ended: Purchase, how: How): Promise<OwedEvent | null> {
    const event = ended.status === "failed" ? "transaction.failed" : "transaction.successful";
    if (!wants(endpoint, event, how)) return null;
    const goods = goodsOf(catalogue.peek() ?? (await catalogue.load()), ended);
    const change = {
      wallet: ended.wallet,
      event,
      subject: { id: ended.id, reference: ended.reference },
      how,
      data: () => transactionSummary(ended, goods, wallTime),
    } as const;
    return owedEvent(endpoint, change, stamps);
  }

  return {
    drawUp(ended, how) {
      const endpoint = endpoints.find(ended.wallet);
      if (endpoint === null) return null;
      if (!(endpoint instanceof Promise)) return drawUpFor(endpoint, ended, how);
      return endpoint.then((found) => drawUpFor(found, ended, how));
    },
    repeatsSuccess(wallet) {
      const endpoint = endpoints.find(wallet);
      if (!(endpoint instanceof Promise)) return repeats(endpoint);
      return endpoint.then(repeats);
    },
  };
}

function repeats(endpoint: Endpoint | null): boolean {
  return wants(endpoint, "transaction.successful", "final_in_own_response");
}
