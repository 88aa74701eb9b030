import { fundedAccount } from "../../categories/betting.ts";
import { paidBouquet } from "../../categories/cable.ts";
import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import { internetPlan } from "../../categories/internet.ts";
import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { pinsIn } from "../delivered-pins.ts";
import type { Question, Unsendable, VerifyReading } from "../dialect.ts";
import { type Delivered, holdsGoods, pins, tokens } from "../fulfilments.ts";
import { firstText, listAt, type Reply, textAt } from "../reply.ts";

/**
 * What ClubKonnect says of an order or of a request. The number decides, as texts lie: 201 (the network is silent, and
 * asked again for an hour) and 299 say ORDER_COMPLETED too. What is not here is `open`, as all orders under way are.
 */
export type Meaning =
  | { readonly kind: "completed" }
  /** Of a purchase: nothing was accepted. Of a question: it says nothing about the order, as a key may be out of order. */
  | { readonly kind: "refused"; readonly errorCode: FailureCode }
  /** `reversed`: the money is back in our wallet there. */
  | { readonly kind: "cancelled"; readonly reversed?: true }
  /** The request id was used before. */
  | { readonly kind: "exists" }
  | { readonly kind: "unheard" }
  | { readonly kind: "open" };

const refused = (errorCode: FailureCode = "PROVIDER_DECLINED"): Meaning => ({ kind: "refused", errorCode });
const cancelled: Meaning = { kind: "cancelled" };
const creditedBack: Meaning = { kind: "cancelled", reversed: true };
const open: Meaning = { kind: "open" };

/** `statuscode`, of their guide to dispute resolution. */
const groups: readonly (readonly [Meaning, readonly string[]])[] = [
  [{ kind: "completed" }, ["200"]],
  // Credentials; their own API and stock; 417 is our balance there.
  [refused("OPERATOR_UNAVAILABLE"), ["400", "401", "402", "403", "412", "415", "416", "417"]],
  [refused("RECIPIENT_INVALID"), ["409"]],
  // Fields that are missing or wrong, amounts below the least, 499 for the unspecified.
  [refused(), ["404", "405", "406", "407", "408", "410", "411", "413", "414", "418", "499"]],
  [cancelled, ["500", "501", "506", "507", "508", "510", "511", "512", "513"]],
  [cancelled, ["514", "515", "516", "517", "518", "519", "520", "599"]],
  // 602 is on hold by its text, and credited back by its meaning; 899 is ORDER_REFUNDED.
  [creditedBack, ["509", "602", "899"]],
  // Completed, cancelled or refunded before.
  [{ kind: "exists" }, ["521"]],
];
const codes: ReadonlyMap<string, Meaning> = new Map(
  groups.flatMap(([meaning, numbers]) => numbers.map((number) => [number, meaning] as const)),
);

const underWay = /COMPLETED|RECEIVED|PROCESSED/;
const refusal = /^(INVALID|MISSING|MINIMUM|INSUFFICIENT)_/;
const ofOurAccount = /CREDENTIAL|USERID|APIKEY|_IP|BALANCE/;
const ofTheRecipient = /RECIPIENT|NUMBER|METER|SMARTCARD|CUSTOMER|PROFILE|PHONE/;

export function meaningOf(json: JsonObject): Meaning {
  const code = textAt(json, "statuscode");
  const text = statusIn(json);
  if (json.TXN_HISTORY !== undefined || /DUPLICATE|TXN_HISTORY/.test(text)) return { kind: "exists" };
  if (text === "INVALID_REQUESTID" || text === "INVALID_ORDERID") return { kind: "unheard" };
  if (code === null) return meaningOfText(text);
  const meaning = codes.get(code) ?? open;
  return isContradicted(meaning, text, code) ? open : meaning;
}

/** The text beside a code, or alone; empty where there is none. A callback has its own name for it. */
export function statusIn(json: JsonObject): string {
  return (firstText(json, ["status", "orderstatus"]) ?? "").toUpperCase().replace(/\s/g, "");
}

function isContradicted({ kind }: Meaning, text: string, code: string): boolean {
  if (kind === "completed") return text !== "ORDER_COMPLETED";
  if (kind !== "refused" && kind !== "cancelled") return false;
  return underWay.test(text) || (code !== "602" && text.includes("ONHOLD"));
}

/** Many refusals come without a code, as `{"status":"INVALID_METERNO"}`. Alone, ORDER_COMPLETED may be 201 as well. */
function meaningOfText(text: string): Meaning {
  if (text === "ORDER_REFUNDED") return creditedBack;
  if (/^(ORDER_)?(CANCEL|REVERS)/.test(text)) return cancelled;
  if (!refusal.test(text)) return open;
  if (ofOurAccount.test(text)) return refused("OPERATOR_UNAVAILABLE");
  return refused(ofTheRecipient.test(text) ? "RECIPIENT_INVALID" : "PROVIDER_DECLINED");
}

/** `MobileNetwork`, and how their answers spell it. */
const networks: readonly (readonly [string, RegExp])[] = [
  ["01", /mtn/i],
  ["02", /glo/i],
  ["03", /9mobile|t2|etisalat/i],
  ["04", /airtel/i],
];

export function isNetwork(code: string): boolean {
  return networks.some(([known]) => known === code);
}

/** The code of a network that an answer names; null for a spelling that nobody knows. */
export function networkNamed(name: string | null): string | null {
  return networks.find(([, spelling]) => name !== null && spelling.test(name))?.[0] ?? null;
}

/** Everything is asked by GET, everything said in the query. */
export function scriptOf(name: string, fields: Readonly<Record<string, string>> = {}): Question {
  const query = new URLSearchParams(fields).toString();
  return { method: "GET", path: query === "" ? `/${name}.asp` : `/${name}.asp?${query}` };
}

/** A product's code here is their code of the network, company or exam, and of the plan where there is one. */
export function partsOf(supplierCode: string | null): readonly [string, string] {
  const [first = "", ...rest] = (supplierCode ?? "").split("/");
  return [first, rest.join("/")];
}

/** Their name for the order. Of e-PINs some answers name only the single PINs: the first stands for all. */
export function orderIn(json: JsonObject): string | null {
  const named = textAt(json, "orderid") ?? textAt(json, "ORDER_ID");
  const order = named === "0" ? null : named;
  return order ?? textAt(listAt(json, "TXN_EPIN")[0], "transactionid");
}

export function fulfilmentIn(json: JsonObject, request: VendRequest): Delivered {
  switch (request.category) {
    case "airtime":
    case "data":
      return toppedUp;
    case "electricity":
      return tokens(json, request, { receipt: orderIn(json) ?? request.supplierReference });
    case "cable":
      return paidBouquet(request, {});
    case "betting":
      return fundedAccount(request, { customerName: null, reference: orderIn(json) ?? request.supplierReference });
    case "education":
    case "recharge_pin":
      return pins(request, pinsIn(json));
    case "internet":
      return request.attributes.delivers_pins === true || holdsGoods(json, request)
        ? pins(request, pinsIn(json))
        : internetPlan(request, null);
    default:
      return "unclear";
  }
}

export function askToVerify(request: VerifyRequest): Question | Unsendable {
  const [code] = partsOf(request.supplierCode);
  if (code === "") return { unsendable: "no route names a code" };
  const number = request.customerRef;
  switch (request.category) {
    case "electricity": {
      const MeterType = textAt(request.details, "meter_type") === "postpaid" ? "02" : "01";
      return scriptOf("APIVerifyElectricityV1", { ElectricCompany: code, MeterNo: number, MeterType });
    }
    case "cable":
      return scriptOf("APIVerifyCableTVV1", { CableTV: code, SmartCardNo: number });
    case "betting":
      return scriptOf("APIVerifyBettingV1", { BettingCompany: code, CustomerID: number });
    case "internet":
      if (code !== "smile-direct") return { unsendable: `it verifies no account of ${code}` };
      return scriptOf("APIVerifySmileV1", { MobileNetwork: code, MobileNumber: number });
    default:
      return { unsendable: `it verifies no ${request.category}` };
  }
}

/** A wrong number is answered with a word in the name's place, `INVALID_METERNO`. */
export function readVerification({ status, json }: Reply, request: VerifyRequest): VerifyReading {
  const name = textAt(json, "customer_name");
  if (status >= 400 || name === null || /CREDENTIAL|APIKEY|USERID/i.test(name)) return { kind: "unavailable" };
  if (/\b(INVALID|ERROR)|^n\/?a$/i.test(name)) return { kind: "unverifiable" };
  return { kind: "verified", findings: findingsOf(name, request) };
}

function findingsOf(customer_name: string, { category }: VerifyRequest): JsonObject {
  if (category === "cable") {
    const nothing = { current_bouquet: null, current_product_id: null, due_date: null, renewal_amount: null };
    return { customer_name, account_status: "active", ...nothing };
  }
  if (category !== "electricity") return { customer_name };
  // It knows of no debt and of no meter that may not buy: the disco says so when it comes to buying.
  return { customer_name, customer_address: "", tariff_class: null, outstanding_debt: "0.00", can_vend: true };
}
