import { paidBouquet } from "../../categories/cable.ts";
import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import { internetPlan } from "../../categories/internet.ts";
import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { pinsIn } from "../delivered-pins.ts";
import { type Delivered, holdsGoods, pins, tokens } from "../fulfilments.ts";
import { at, decimalOf, firstText, textAt } from "../reply.ts";

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

/** What merchant-verify found out, as the category's `verify.findings`; null where the owner is missing. */
export function findingsIn(content: JsonObject, request: VerifyRequest): JsonObject | null {
  const name = firstText(content, ["Customer_Name", "customer_name", "name"]);
  if (name === null) return null;
  switch (request.category) {
    case "electricity":
      return {
        customer_name: name,
        customer_address: textAt(content, "Address") ?? "",
        tariff_class: firstText(content, ["Customer_Account_Type", "Tariff"])?.slice(0, 40) ?? null,
        outstanding_debt: decimalOf(firstText(content, ["Customer_Arrears", "Outstanding", "Arrears"])) ?? "0.00",
        can_vend: !/^(no|false|0)$/i.test(textAt(content, "Can_Vend") ?? "yes"),
      };
    case "cable":
      return cableFindings(content, request, name);
    case "betting":
    case "internet":
      return { customer_name: name };
    default:
      return null;
  }
}

const accountStatuses: ReadonlyMap<string, string> = new Map([
  ["active", "active"],
  ["open", "active"],
  ["expired", "expired"],
  ["inactive", "expired"],
  ["suspended", "suspended"],
]);

function cableFindings(content: JsonObject, request: VerifyRequest, name: string): JsonObject {
  const bouquet = firstText(content, ["Current_Bouquet", "current_bouquet"]);
  const renewal = decimalOf(firstText(content, ["Renewal_Amount", "renewal_amount"]));
  const due = /^(\d{4}-\d{2}-\d{2})/.exec(firstText(content, ["Due_Date", "due_date"]) ?? "")?.[1] ?? null;
  const status = accountStatuses.get(textAt(content, "Status")?.toLowerCase() ?? "");
  return {
    customer_name: name,
    account_status: status ?? (bouquet === null ? "new" : "active"),
    current_bouquet: bouquet,
    current_product_id: bouquet === null ? null : productNamed(bouquet, request),
    due_date: due,
    renewal_amount: renewal === "0.00" ? null : renewal,
  };
}

/** The offered product that bears the bouquet's name, spelt as each side spells it; null where none does. */
function productNamed(bouquet: string, { products }: VerifyRequest): number | null {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9+]/g, "");
  const expected = plain(bouquet);
  const found = products.find(
    ({ plan, productName }) => plain(productName) === expected || (plan !== null && expected.endsWith(plain(plan))),
  );
  return found?.productId ?? null;
}
