import { examPins } from "../categories/education.ts";
import { type ElectricityFacts, meterTokens } from "../categories/electricity.ts";
import type { DeliveredEsims, EsimAttributes } from "../categories/esim.ts";
import { isPrepaid } from "../categories/fulfilment/electricity-by-hand.ts";
import { textFact } from "../categories/fulfilment/made-up.ts";
import { type DeliveredPin, pinFits } from "../categories/fulfilment/pins.ts";
import { type DeliveredCard, giftcards } from "../categories/giftcard.ts";
import { internetPinsMax, internetPlan } from "../categories/internet.ts";
import { rechargePins } from "../categories/recharge-pin.ts";
import type { VendRequest } from "../categories/supplier-request.ts";
import type { JsonObject } from "../kernel/json.ts";
import { type Pin, pinsIn } from "./delivered-pins.ts";
import { tokensIn } from "./delivered-tokens.ts";
import type { Lacking, Reading } from "./dialect.ts";
import { givenReference, isWhole } from "./reply.ts";

/**
 * What a supplier handed over, as its category says; or why that is nothing which a customer may be given. The shape is
 * the compiler's to check; that texts are as long as they may be and in their form, `http-connector.ts` finds out.
 */
export type Delivered<Fulfilment extends object = JsonObject> = Fulfilment | Lacking;

/** Its yes, with the goods; without them it is no end. */
export function vendedWith(delivered: Delivered, providerReference: string | null): Reading {
  if (typeof delivered !== "string") return { kind: "vended", providerReference, fulfilment: delivered };
  return { kind: "unknown", lacking: delivered, ...givenReference(providerReference) };
}

/** The tokens that the answer holds, wherever and whatever they are called, and what it says of them. */
export function tokens(
  answer: JsonObject,
  request: VendRequest,
  received: ElectricityFacts,
): Delivered<ReturnType<typeof meterTokens>> {
  const found = tokensIn(answer, [request.customerRef, request.phone]);
  if (found === "unclear" || (found === "missing" && isPrepaid(request))) return found;
  return meterTokens(request, found === "missing" ? [] : found, received);
}

/** Whether an answer holds what is worth money, whatever else it says: a no beside goods is none. */
export function holdsGoods(answer: JsonObject, { category, customerRef, phone }: VendRequest): boolean {
  if (category === "electricity") return tokensIn(answer, [customerRef, phone]) !== "missing";
  return ["education", "recharge_pin", "internet"].includes(category) && pinsIn(answer) !== "missing";
}

/**
 * PINs as the request's category hands them over, and nothing rather than fewer than were bought. Unclear where there are
 * more, one twice, or one that is too long or illegible. Nothing is cut: what is left of a PIN is worth nothing.
 */
export function pins(request: VendRequest, found: readonly Pin[] | Lacking): Delivered {
  if (typeof found === "string") return found;
  const lacking = lackingOf(
    request,
    found.map(({ pin }) => pin),
  );
  if (!found.every((pin) => pinFits(pin) && isWhole(`${pin.pin}${pin.serial ?? ""}`))) return "unclear";
  if (lacking !== null) return lacking;
  const list = found.map(
    ({ pin, serial, expiresAt }, index): DeliveredPin => ({ sequence: index + 1, pin, serial, expires_at: expiresAt }),
  );
  switch (request.category) {
    case "education":
      return examPins(request, list);
    case "recharge_pin":
      return rechargePins(request, list);
    case "internet":
      return list.length > internetPinsMax ? "unclear" : internetPlan(request, list);
    default:
      return "unclear";
  }
}

/** Pieces that are not as many as were bought, or not all different; null where they are. */
function lackingOf({ quantity }: VendRequest, codes: readonly string[]): Lacking | null {
  if (codes.length > quantity || new Set(codes).size < codes.length) return "unclear";
  return codes.length < quantity ? "missing" : null;
}

/** An eSIM's profile as a supplier tells it. */
export interface Esim {
  readonly iccid: string | null;
  /** The activation code, `LPA:1$SERVER$CODE`. */
  readonly lpa: string | null;
  readonly apn: string | null;
  /** Null where it did not tell. What the product says of itself goes before, here and below. */
  readonly dataMb: number | null;
  readonly validityDays: number | null;
  readonly coverage: readonly string[];
  /** ISO 8601 with an offset. */
  readonly expiresAt: string | null;
}

/** As long as a text may be before `textAt` cuts it: half an activation code is worth nothing. */
const lpaCharactersMax = 199;

/** Profiles, without what the category makes of their activation codes. One that lacks a code is not ready yet. */
export function esims({ quantity, attributes }: VendRequest, found: readonly Esim[]): Delivered<DeliveredEsims> {
  if (found.length > quantity || found.some(({ lpa }) => (lpa?.length ?? 0) > lpaCharactersMax)) return "unclear";
  const ready = found.flatMap(({ iccid, lpa, ...received }) =>
    iccid === null || lpa === null ? [] : { iccid, lpa, told: received },
  );
  const numbers = new Set(ready.map(({ iccid }) => iccid));
  const codes = new Set(ready.map(({ lpa }) => lpa));
  if (numbers.size < quantity || codes.size < quantity) return "missing";
  // Of this shape since the product was entered.
  const { data_mb: dataMb, validity_days: validityDays, coverage } = attributes as EsimAttributes;
  return {
    kind: "esims",
    esims: ready.map(({ iccid, lpa, told: received }) => ({
      iccid,
      lpa,
      apn: textFact(attributes, "apn") ?? received.apn?.slice(0, 100) ?? null,
      data_mb: dataMb === undefined ? received.dataMb : dataMb,
      validity_days: validityDays ?? received.validityDays,
      coverage: Array.isArray(coverage) && coverage.length > 0 ? coverage : [...received.coverage],
      expires_at: received.expiresAt,
    })),
  };
}

/** Gift cards, as many as were bought, each of them legible: what is left of one is worth nothing. */
export function cards(request: VendRequest, found: readonly DeliveredCard[]): Delivered<ReturnType<typeof giftcards>> {
  if (!found.every(({ code, pin, claim_url: url }) => isWhole(`${code}${pin ?? ""}${url ?? ""}`))) return "unclear";
  const lacking = lackingOf(
    request,
    found.map((card) => JSON.stringify(card)),
  );
  return lacking ?? giftcards(request, found);
}
