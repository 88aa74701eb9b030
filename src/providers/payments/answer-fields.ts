import type { Instant } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import { type Kobo, kobo, zeroKobo } from "../../kernel/money.ts";
import { maskText } from "../evidence/mask-text.ts";
import { isWhole, type Reply, textAt } from "../reply.ts";
import type { PaymentReading, Transfer } from "./contract.ts";

// What all payment providers' answers are read by. Null where an answer does not tell something, or not in its shape.

const paymentIdMax = 100;

/** A provider's own id of a transfer: what could not be stored, or was cut or mended on the way, is none. */
export function paymentIdAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const id = textAt(value, ...path);
  return id !== null && id.length <= paymentIdMax && isWhole(id) ? id : null;
}

const settledNaira = /^([0-9]{1,10}(?:\.[0-9]{1,2})?)(?:(?<=\.[0-9]{2})[0-9]{1,15})?$/;
const naira = /^([0-9]{1,10})(?:\.([0-9]{1,2})0*)?$/;

/** Naira as a decimal, a text or a number, to the kobo: one that has parts of a kobo is none. */
export function nairaAt(value: Json | undefined, ...path: readonly string[]): Kobo | null {
  const [, whole, cents = ""] = naira.exec(textAt(value, ...path) ?? "") ?? [];
  return whole === undefined ? null : kobo(BigInt(`${whole}${cents.padEnd(2, "0")}`));
}

/** The same of what a provider settles: parts of a kobo fall away, as nobody holds them for us. */
export function settledNairaAt(value: Json | undefined, ...path: readonly string[]): Kobo | null {
  const [, whole] = settledNaira.exec(textAt(value, ...path) ?? "") ?? [];
  return whole === undefined ? null : nairaAt(whole);
}

/** Kobo as a whole number. */
export function koboAt(value: Json | undefined, ...path: readonly string[]): Kobo | null {
  const digits = textAt(value, ...path);
  return digits !== null && /^[0-9]{1,15}$/.test(digits) ? kobo(BigInt(digits)) : null;
}

/** A Nigerian account number. A masked one, or one that lost its leading zeros, names nobody's account. */
export function accountNumberAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const number = textAt(value, ...path);
  return number !== null && /^[0-9]{10}$/.test(number) ? number : null;
}

/** A word about somebody. `N/A` is none. */
export function wordAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const word = textAt(value, ...path);
  return word === null || /^n\/?a$/i.test(word) ? null : word;
}

/** The page after this one, of so many in all. Null where it does not tell of this page. */
export function pageAfter(
  page: number,
  stated: { readonly page: string | null; readonly pages: string | null },
): { readonly nextPage: number | null } | null {
  const pages = stated.pages !== null && /^[0-9]{1,7}$/.test(stated.pages) ? Number(stated.pages) : null;
  if (pages === null || stated.page !== String(page)) return null;
  return { nextPage: page < pages ? page + 1 : null };
}

/** That it is asked too often, or does not know us, is no word about what it was asked. */
export function isNoWord({ status }: Reply): boolean {
  return [401, 403, 408, 429].includes(status);
}

/** The provider's own words of a refusal, for the operator. They may repeat an identity number, which is masked. */
export function messageOf({ json, status }: Reply): string {
  const words = textAt(json, "message") ?? textAt(json, "responseMessage");
  return words === null ? `HTTP ${status}` : maskText(words);
}

/** What a provider told of a transfer that was paid. */
type StatedTransfer = Omit<Transfer, "amount" | "fee"> & {
  readonly amount: Kobo | null;
  readonly fee: Kobo | null;
  readonly currency: string | null;
};

/** A transfer that is whole, of naira, and adds up; what is not told so is unknown. */
export function paidReading({ currency, amount, fee, ...stated }: StatedTransfer): PaymentReading {
  if (currency !== null && currency !== "NGN") return { kind: "refused", reason: `it is in ${currency}` };
  if (currency === null || amount === null || fee === null || Number.isNaN(stated.paidAt)) return { kind: "unknown" };
  const fits = amount > zeroKobo && fee >= zeroKobo && fee <= amount && stated.takenBack <= amount;
  return fits ? { kind: "paid", transfer: { ...stated, amount, fee } } : { kind: "unknown" };
}

/** An instant with its offset, in ISO 8601. NaN for anything else. */
export function momentIn(text: string | null): Instant {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(text ?? "") ? Date.parse(text ?? "") : Number.NaN;
}
