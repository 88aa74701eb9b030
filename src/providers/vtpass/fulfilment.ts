import { paidBouquet } from "../../categories/cable.ts";
import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import { internetPlan } from "../../categories/internet.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { pinsIn } from "../delivered-pins.ts";
import { type Delivered, holdsGoods, pins, tokens } from "../fulfilments.ts";
import { at, decimalOf, textAt } from "../reply.ts";

/** Spellings differ by disco, and `N/A` means that there is none. */
const unitFields = ["units", "Units", "PurchasedUnits", "mainTokenUnits"];
const nameFields = ["customerName", "CustomerName", "Name", "name"];
const addressFields = ["customerAddress", "CustomerAddress", "Address", "address"];
const receiptFields = ["exchangeReference", "receiptNumber", "receiptNo", "requestId"];

export function fulfilmentIn(answer: JsonObject, request: VendRequest): Delivered {
  switch (request.category) {
    case "airtime":
    case "data":
    case "voice":
      return toppedUp;
    case "electricity":
      return electricityIn(answer, request);
    case "cable":
      return paidBouquet(request, { customer_name: said(answer, nameFields) });
    case "education":
      return pins(request, pinsIn(answer));
    case "internet":
      return request.attributes.delivers_pins === true || holdsGoods(answer, request)
        ? pins(request, pinsIn(answer))
        : internetPlan(request, null);
    default:
      return "unclear";
  }
}

function electricityIn(answer: JsonObject, request: VendRequest): Delivered {
  return tokens(answer, request, {
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
