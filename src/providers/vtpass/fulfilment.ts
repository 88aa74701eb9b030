import type { Json, JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../contract.ts";
import { cable, electricity, internet, meterIsPrepaid, type Pin, pins, tokensIn, topup } from "../fulfilments.ts";
import { at, decimalOf, firstText, listAt, textAt } from "../reply.ts";

/** Spellings differ by disco, and `N/A` means that there is none. */
const tokenFields = ["token", "Token", "mainToken", "MainToken", "purchased_code"];
const unitFields = ["units", "Units", "PurchasedUnits", "mainTokenUnits"];
const nameFields = ["customerName", "CustomerName", "Name", "name"];
const addressFields = ["customerAddress", "CustomerAddress", "Address", "address"];
const receiptFields = ["exchangeReference", "receiptNumber", "receiptNo", "requestId"];

/** What was delivered; null where the answer lacks what the customer bought: then it is not over yet. */
export function fulfilmentIn(answer: JsonObject, request: VendRequest): JsonObject | null {
  switch (request.category) {
    case "airtime":
    case "data":
    case "voice":
      return topup;
    case "electricity":
      return electricityIn(answer, request);
    case "cable":
      return cable(request, { customerName: said(answer, nameFields), bouquet: null });
    case "education":
      return pins(request, pinsIn(answer));
    case "internet":
      return request.attributes.delivers_pins === true ? pins(request, pinsIn(answer)) : internet(request, null);
    default:
      return null;
  }
}

function electricityIn(answer: JsonObject, request: VendRequest): JsonObject | null {
  const main = tokenFields.flatMap((field) => tokensIn(textAt(answer, field)))[0];
  if (main === undefined && meterIsPrepaid(request)) return null;
  const others = [
    { type: "kct1" as const, value: tokensIn(textAt(answer, "kct1"))[0] },
    { type: "kct2" as const, value: tokensIn(textAt(answer, "kct2"))[0] },
    { type: "bonus" as const, value: tokensIn(textAt(answer, "bonusToken"))[0] },
  ].flatMap(({ type, value }) => (value === undefined || value === main ? [] : [{ type, value }]));
  return electricity(request, {
    tokens: main === undefined ? [] : [...others, { type: "main", value: main }],
    units: decimalOf(said(answer, unitFields)),
    // Some discos write a tariff's name there.
    tariff: decimalOf(said(answer, ["tariff", "Tariff", "costOfUnit"])),
    energy: decimalOf(said(answer, ["energyAmt", "tokenValue", "tokenAmount"])),
    vat: decimalOf(said(answer, ["vat", "taxAmount", "mainTokenTax"])),
    debt: decimalOf(said(answer, ["arrears", "debtAmount"])),
    receipt: said(answer, receiptFields) ?? request.supplierReference,
    customerName: said(answer, nameFields),
    customerAddress: said(answer, addressFields),
  });
}

/** `Pin : 3678251321392432`, or the PIN alone. What begins in the middle of something else is only the end of a PIN. */
const pinAtEnd = /(?<![^\s:=]|[0-9]\s)([0-9A-Za-z-]{8,})\s*$/;

/** `cards` of exam boards and Spectranet; JAMB and WAEC's registration write theirs into a text. */
function pinsIn(answer: JsonObject): readonly Pin[] {
  const cards = listAt(answer, "cards");
  if (cards.length > 0) return cards.flatMap(cardIn);
  const tokens = listAt(answer, "tokens");
  if (tokens.length > 0) return tokens.flatMap((token) => pinOf(typeof token === "string" ? token : null, null));
  const text = firstText(answer, ["Pin", "pin", "purchased_code"]) ?? "";
  return pinOf(pinAtEnd.exec(text)?.[1] ?? null, null);
}

function cardIn(card: Json): readonly Pin[] {
  return pinOf(firstText(card, ["Pin", "pin"]), firstText(card, ["Serial", "serialNumber", "serial"]));
}

function pinOf(pin: string | null, serial: string | null): readonly Pin[] {
  return pin === null ? [] : [{ pin, serial, expiresAt: null }];
}

/** The first of several spellings that says something. */
function said(answer: JsonObject, names: readonly string[]): string | null {
  const found = names.find((name) => !/^(n\/?a|null|none|)$/i.test(textAt(answer, name) ?? ""));
  return found === undefined ? null : textAt(answer, found);
}

/** What VTpass's own answer says of a purchase beside what was delivered. */
export function statusIn(answer: JsonObject): { readonly status: string | null; readonly reference: string | null } {
  const content = at(answer, "content");
  return {
    status: textAt(content, "transactions", "status")?.toLowerCase() ?? null,
    reference: textAt(content, "transactions", "transactionId"),
  };
}
