import { pinFits } from "../../categories/fulfilment/pins.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { Connector, VendOutcome } from "../contract.ts";
import { cards, pins } from "../fulfilments.ts";

/** Vouchers of our own, behind the words of a supplier. */
export interface Stock {
  /** Sells the attempt what it wants, all or nothing. Asked twice, it tells the same vouchers. */
  claim(request: VendRequest): Promise<StockAnswer>;
  /** The outcome of the attempt. An attempt that never arrived is withdrawn, and gets nothing should it still come. */
  find(request: VendRequest): Promise<StockAnswer>;
}

export type StockAnswer =
  | { readonly kind: "sold"; readonly vouchers: readonly StockVoucher[] }
  | { readonly kind: "out_of_stock" }
  | { readonly kind: "withdrawn" };

export interface StockVoucher {
  readonly code: string;
  /** Asked for with the code, where there is one. */
  readonly pin?: string | null;
  readonly serial: string | null;
  /** ISO 8601 with an offset; null where it never expires. */
  readonly expiresAt: string | null;
}

/** Sells PINs and codes of our own stock: recharge cards, exam PINs, gift cards, PINs of internet providers. */
export function voucherStock(name: string, stock: Stock): Connector {
  async function ask(question: "claim" | "find", request: VendRequest): Promise<VendOutcome> {
    // A category whose fulfilment has no vouchers must not use any up.
    if (typeof fulfilmentOf(request, standIns(request)) === "string") {
      return { kind: "declined", errorCode: "OUT_OF_STOCK", evidence: `no vouchers are sold as ${request.category}` };
    }
    try {
      return outcomeOf(await stock[question](request), request);
    } catch (error) {
      // The claim may be committed: asked again, it tells.
      return { kind: "unknown", evidence: `the stock did not answer: ${(error as Error).name}` };
    }
  }
  return { name, vend: (request) => ask("claim", request), requery: (request) => ask("find", request) };
}

function outcomeOf(answer: StockAnswer, request: VendRequest): VendOutcome {
  switch (answer.kind) {
    case "out_of_stock":
      return { kind: "declined", errorCode: "OUT_OF_STOCK", evidence: `fewer than ${request.quantity} left` };
    case "withdrawn":
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: "the claim never arrived" };
    case "sold": {
      const fulfilment = fulfilmentOf(request, answer.vouchers);
      // Its vouchers are used up, so this is no refusal; what to do with them is for a person to find out.
      if (typeof fulfilment === "string")
        return { kind: "unknown", evidence: unfit, askNobody: true, unread: JSON.stringify(answer.vouchers) };
      const evidence = `sold ${answer.vouchers.length} of our own stock`;
      return { kind: "vended", providerReference: request.supplierReference, fulfilment, evidence };
    }
  }
}

const unfit = "another number of vouchers than was bought, or a code longer than its category hands over";

/** Whether the category could hand the voucher over whole. Gift cards have room for every code that can be imported. */
export function hasRoomFor(category: string, { code, serial }: Pick<StockVoucher, "code" | "serial">): boolean {
  return category === "giftcard" || pinFits({ pin: code, serial });
}

/** Whether the category's fulfilment has a PIN beside the code. */
export function hasPinsBeside(category: string): boolean {
  return category === "giftcard";
}

function fulfilmentOf(request: VendRequest, vouchers: readonly StockVoucher[]) {
  if (request.category === "giftcard") {
    return cards(
      request,
      vouchers.map(({ code, pin = null, serial, expiresAt }) => ({
        code,
        pin,
        serial,
        claim_url: null,
        expires_at: expiresAt,
      })),
    );
  }
  return pins(
    request,
    vouchers.map(({ code, serial, expiresAt }) => ({ pin: code, serial, expiresAt })),
  );
}

function standIns({ quantity }: VendRequest): StockVoucher[] {
  return Array.from({ length: quantity }, (_, n) => ({ code: String(n), serial: null, expiresAt: null }));
}
