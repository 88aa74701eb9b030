import type { JsonObject } from "../kernel/json.ts";
import { formatNaira } from "../kernel/money.ts";
import type { VendRequest } from "../categories/supplier-request.ts";
import { type Pin, pinsIn } from "./delivered-pins.ts";
import { tokensIn } from "./delivered-tokens.ts";
import type { Lacking, Reading } from "./dialect.ts";
import { isWhole, referenceTold } from "./reply.ts";

/** Fulfilments in the shapes of the categories (`src/categories`), made from a supplier's answer. */
export const topup: JsonObject = { kind: "topup" };

/** What a supplier handed over; or why that is nothing which a customer may be given. */
export type Delivered = JsonObject | Lacking;

/** Its yes, with the goods; without them it is no end. */
export function vendedWith(delivered: Delivered, providerReference: string | null): Reading {
  if (typeof delivered !== "string") return { kind: "vended", providerReference, fulfilment: delivered };
  return { kind: "unknown", lacking: delivered, ...referenceTold(providerReference) };
}

/** What an answer says of electricity beside its tokens. */
export interface ElectricityFacts {
  /** Decimals with two places; null where the supplier did not tell them. */
  readonly units: string | null;
  readonly tariff: string | null;
  readonly vat: string | null;
  readonly debt: string | null;
  readonly energy: string | null;
  readonly receipt: string;
  readonly customerName: string | null;
  readonly customerAddress: string | null;
}

const nothingSaid = {
  units: null,
  tariff: null,
  vat: null,
  debt: null,
  energy: null,
  customerName: null,
  customerAddress: null,
};

/** The tokens that the answer holds, wherever and whatever they are called, and what it says of them. */
export function electricity(
  answer: JsonObject,
  request: VendRequest,
  told: Pick<ElectricityFacts, "receipt"> & Partial<ElectricityFacts>,
): Delivered {
  const facts: ElectricityFacts = { ...nothingSaid, ...told };
  const found = tokensIn(answer, [request.customerRef, request.phone]);
  if (found === "unclear" || (found === "missing" && meterIsPrepaid(request))) return found;
  const tokens = found === "missing" ? [] : found.map(({ type, value }) => ({ type, value }));
  const main = tokens.find((token) => token.type === "main")?.value ?? null;
  return {
    kind: "electricity",
    token: main,
    units: facts.units,
    tokens,
    tariff: facts.tariff,
    tariff_band: null,
    amount_breakdown: { energy: facts.energy, vat: facts.vat, debt_recovered: facts.debt },
    receipt_number: facts.receipt.slice(0, 100),
    meter_number: request.customerRef ?? "",
    customer_name: facts.customerName,
    customer_address: facts.customerAddress,
  };
}

/** Whether an answer holds what is worth money, whatever else it says: a no beside goods is none. */
export function holdsGoods(answer: JsonObject, { category, customerRef, phone }: VendRequest): boolean {
  if (category === "electricity") return tokensIn(answer, [customerRef, phone]) !== "missing";
  return ["education", "recharge_pin", "internet"].includes(category) && pinsIn(answer) !== "missing";
}

export function meterIsPrepaid(request: VendRequest): boolean {
  return (request.attributes.meter_type ?? request.details.meter_type) !== "postpaid";
}

/** Whether the smartcard's own bouquet is paid, whichever that is: only the product for renewals has no price of its own. */
export function renewsBouquet(request: VendRequest): boolean {
  return request.attributes.amount_type === "variable";
}

export function cable(
  request: VendRequest,
  told: { readonly customerName: string | null; readonly bouquet: string | null },
): JsonObject {
  return {
    kind: "cable",
    smartcard_number: request.customerRef ?? "",
    customer_name: told.customerName,
    bouquet: (told.bouquet ?? request.plan ?? request.productName).slice(0, 150),
    months: request.quantity,
    valid_until: null,
  };
}

export function betting(request: VendRequest, told: { customerName: string | null; reference: string }): JsonObject {
  return {
    kind: "betting",
    customer_id: request.customerRef ?? "",
    customer_name: told.customerName,
    operator_reference: told.reference.slice(0, 100),
  };
}

const internetPinsMax = 10;
const pinCharactersMax = 30;
const serialCharactersMax = 50;

/** Whether the categories of PINs have room for it, whole (`pinProperties`, src/categories/fulfilment/pins.ts). */
export function pinFits({ pin, serial }: Pick<Pin, "pin" | "serial">): boolean {
  return pin.length <= pinCharactersMax && (serial?.length ?? 0) <= serialCharactersMax;
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
  const list = found.map(({ pin, serial, expiresAt }, index) => ({
    sequence: index + 1,
    pin,
    serial,
    expires_at: expiresAt,
  }));
  switch (request.category) {
    case "education":
      return {
        kind: "pins",
        exam: textOf(request.attributes.exam) ?? request.billerName.slice(0, 100),
        pins: list,
        check_url: textOf(request.attributes.check_url),
      };
    case "recharge_pin": {
      // Since 17 May 2023 every network loads with this code; the product's attributes may say otherwise.
      const loadCode = textOf(request.attributes.load_code) ?? "*311*PIN#";
      return {
        kind: "pins",
        network: request.network,
        face_amount: formatNaira(request.unitAmount),
        load_code: loadCode,
        business_name: textOf(request.details.business_name),
        pins: list.map(({ expires_at, ...pin }) => ({
          ...pin,
          load_code: loadCode.replace("PIN", pin.pin),
          expires_at,
        })),
      };
    }
    case "internet":
      return list.length > internetPinsMax ? "unclear" : internet(request, list);
    default:
      return "unclear";
  }
}

/** Pieces that are not as many as were bought, or not all different; null where they are. */
function lackingOf({ quantity }: VendRequest, codes: readonly (string | null)[]): Lacking | null {
  if (codes.length > quantity || new Set(codes).size < codes.length) return "unclear";
  return codes.length < quantity ? "missing" : null;
}

/** An internet account that was credited, or the PINs to credit it with. */
export function internet(request: VendRequest, list: readonly JsonObject[] | null): JsonObject {
  return {
    kind: "internet",
    account_number: request.customerRef ?? "",
    plan: (request.plan ?? request.productName).slice(0, 150),
    pins: list,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
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
export function esims({ quantity, attributes }: VendRequest, found: readonly Esim[]): Delivered {
  const isReady = ({ lpa }: Esim) => lpa !== null;
  const numbers = new Set(found.filter(isReady).map(({ iccid }) => iccid));
  const codes = new Set(found.map(({ lpa }) => lpa));
  if (found.length > quantity || [...codes].some((lpa) => (lpa?.length ?? 0) > lpaCharactersMax)) return "unclear";
  if (numbers.size < quantity || numbers.has(null) || codes.size < quantity) return "missing";
  const { apn, data_mb: dataMb, validity_days: validityDays, coverage } = attributes;
  return {
    kind: "esims",
    esims: found.map((esim) => ({
      iccid: esim.iccid,
      lpa: esim.lpa,
      apn: textOf(apn) ?? esim.apn?.slice(0, 100) ?? null,
      data_mb: dataMb === undefined ? esim.dataMb : dataMb,
      validity_days: validityDays ?? esim.validityDays,
      coverage: Array.isArray(coverage) && coverage.length > 0 ? coverage : esim.coverage,
      expires_at: esim.expiresAt,
    })),
  };
}

/** The value of one card and its currency. */
export function giftcardFace({ attributes, details, unitAmount }: VendRequest): {
  readonly value: string;
  readonly currency: string;
} {
  return {
    value: textOf(details.value) ?? textOf(attributes.foreign_face) ?? formatNaira(unitAmount),
    currency: textOf(attributes.face_currency) ?? "NGN",
  };
}

/** A gift card as a supplier tells it. */
export interface Giftcard {
  readonly code: string;
  readonly pin?: string | null;
  readonly serial: string | null;
  readonly claimUrl?: string | null;
  readonly expiresAt: string | null;
}

/** Gift cards, as many as were bought, each of them legible: what is left of one is worth nothing. */
export function giftcards(request: VendRequest, found: readonly Giftcard[]): Delivered {
  if (!found.every(({ code, pin, claimUrl }) => isWhole(`${code}${pin ?? ""}${claimUrl ?? ""}`))) return "unclear";
  const lacking = lackingOf(
    request,
    found.map((card) => JSON.stringify(card)),
  );
  if (lacking !== null) return lacking;
  const { attributes, billerName } = request;
  const { value, currency } = giftcardFace(request);
  return {
    kind: "giftcards",
    brand: textOf(attributes.brand) ?? billerName,
    face_currency: currency,
    face_value: value,
    fx_rate: textOf(attributes.fx_rate) ?? "1.00",
    cards: found.map(({ code, pin = null, serial, claimUrl = null, expiresAt }, index) => ({
      sequence: index + 1,
      code,
      pin,
      serial,
      claim_url: claimUrl,
      value,
      currency,
      expires_at: expiresAt,
    })),
  };
}
