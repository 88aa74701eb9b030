import { Type } from "typebox";
import { paidBouquet } from "../../categories/cable.ts";
import { isPrepaid } from "../../categories/fulfilment/electricity-by-hand.ts";
import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import { type News, readAddressedCallback } from "../addressed-callback.ts";
import { baseUrl, callbackSecret, httpKind, text, withoutSlash } from "../connector-kind.ts";
import { pinsIn } from "../delivered-pins.ts";
import {
  type Dialect,
  differenceIn,
  type Question,
  type Reading,
  type Unsendable,
  type VerifyReading,
} from "../dialect.ts";
import { type Delivered, holdsGoods, pins, tokens, vendedWith } from "../fulfilments.ts";
import { decimalOf, firstText, givenReference, koboOf, type Reply, textAt } from "../reply.ts";

/** The script that hundreds of Nigerian resellers run: each deployment with networks, plans and discos of its own numbers. */
export interface LegacyScriptSettings {
  readonly name: string;
  /** `https://reseller.example`, without `/api`. */
  readonly baseUrl: string;
  readonly token: string;
  /** The supplier's ids of the networks: `{ "MTN": "1", … }`. */
  readonly networkIds: Readonly<Record<string, string>>;
  readonly callbackSecret: string | null;
}

/** Where each category is bought, and asked about below the supplier's own id. */
const paths: Readonly<Record<string, string>> = {
  data: "/api/data/",
  airtime: "/api/topup/",
  electricity: "/api/billpayment/",
  cable: "/api/cablesub/",
  education: "/api/epin/",
};

/** `Status`, in lower case. All else is `unknown`: `processing`, and whatever a deployment made up. */
const statuses: Readonly<Record<string, "vended" | "declined">> = { successful: "vended", failed: "declined" };

/**
 * A product's code here: a data plan's number, `VTU` or another airtime type, a disco's number (`1`, or `1/Ikeja
 * Electric` where verifying wants its name), `cablename/cableplan`, an exam's name.
 */
export function legacyScript(settings: LegacyScriptSettings): Dialect {
  return {
    name: settings.name,
    baseUrl: settings.baseUrl,
    accessFor: () => ({ headers: { authorization: `Token ${settings.token}` } }),
    askToVend: (request) => askToVend(request, settings),
    readVend,
    // Our reference means nothing there: without their id there is no way to ask.
    requery({ category, providerReference }) {
      const path = paths[category];
      if (path === undefined || providerReference === null || !/^[A-Za-z0-9_-]{1,64}$/.test(providerReference))
        return null;
      return { method: "GET", path: `${path}${providerReference}` };
    },
    readAgain: (reply, request) => readAgain(reply, request, settings),
    verification: { ask: askToVerify, read: readVerification },
    balance: {
      question: { method: "GET", path: "/api/user/" },
      read: ({ json }) => koboOf(textAt(json, "user", "Account_Balance") ?? textAt(json, "user", "wallet_balance")),
    },
    callbacks: {
      received: { status: "success" },
      read: (message) => readAddressedCallback(message, settings.callbackSecret, newsIn),
    },
  };
}

function askToVend(request: VendRequest, { networkIds }: LegacyScriptSettings): Question | Unsendable {
  const path = paths[request.category];
  const [code = "", second] = (request.supplierCode ?? "").split("/");
  if (path === undefined) return { unsendable: `the script sells no ${request.category}` };
  if (code === "") return { unsendable: "the route names no plan" };
  const body = bodyOf(request, { code, second: second ?? null, network: networkIds[request.network ?? ""] ?? null });
  if (body === null) return { unsendable: "the settings name no number for its network, or the route no bouquet" };
  return { method: "POST", path, body };
}

function bodyOf(
  request: VendRequest,
  { code, second, network }: { readonly code: string; readonly second: string | null; readonly network: string | null },
): JsonObject | null {
  const number = request.customerRef ?? "";
  const amount = formatNaira(request.faceAmount);
  // Our reference, in each of one shape: spread over the others it costs more than all the rest.
  const ident = request.supplierReference;
  switch (request.category) {
    case "data":
      return network === null ? null : { network, mobile_number: number, plan: code, Ported_number: true, ident };
    case "airtime":
      return network === null
        ? null
        : { network, amount, mobile_number: number, Ported_number: true, airtime_type: code, ident };
    case "electricity":
      return { disco_name: code, amount, meter_number: number, MeterType: isPrepaid(request) ? 1 : 2, ident };
    case "cable":
      return second === null ? null : { cablename: code, cableplan: second, smart_card_number: number, ident };
    default:
      return { exam_name: code, quantity: request.quantity, ident };
  }
}

function readVend(reply: Reply, request: VendRequest): Reading {
  const { status, json } = reply;
  const named = textAt(json, "ident");
  if (named !== null && named !== request.supplierReference) return { kind: "another", what: "another reference" };
  return status < 400 || isFailedPurchase(reply) ? readStatus(json, request) : readRefusal(status, json);
}

/** Some deployments answer a purchase that failed with 400, whole: only a purchase has an id. */
function isFailedPurchase({ status, json }: Reply): boolean {
  return status === 400 && textAt(json, "id") !== null && textAt(json, "Status")?.toLowerCase() === "failed";
}

function readAgain(reply: Reply, request: VendRequest, { networkIds }: LegacyScriptSettings): Reading {
  const { status, json } = reply;
  if (status >= 300 && !isFailedPurchase(reply)) return { kind: "unknown" };
  const { category, customerRef, network, faceAmount } = request;
  const [code = "", second = ""] = (request.supplierCode ?? "").split("/");
  const namesAmount = category === "airtime" || category === "electricity";
  const what = differenceIn({
    reference: { theirs: textAt(json, "ident"), ours: request.supplierReference },
    products: [
      { theirs: digitsOf(textAt(json, "network")), ours: digitsOf(networkIds[network ?? ""] ?? null) },
      { theirs: digitsOf(textAt(json, "plan")), ours: digitsOf(code) },
      { theirs: digitsOf(textAt(json, "cableplan")), ours: digitsOf(second) },
      { theirs: textAt(json, "exam_name"), ours: code },
    ],
    number: { theirs: firstText(json, ["mobile_number", "meter_number", "smart_card_number"]), ours: [customerRef] },
    amount: { theirs: [namesAmount ? koboOf(textAt(json, "amount")) : null], ours: faceAmount },
  });
  return what === null ? readStatus(json, request) : { kind: "another", what };
}

/** Some deployments answer names instead of the numbers that they are sent: those are not compared. */
function digitsOf(text: string | null): string | null {
  return text !== null && /^[0-9]+$/.test(text) ? text : null;
}

/** An explicit error declines, unless it says that it has the purchase already: then it may be ours. */
function readRefusal(status: number, json: JsonObject): Reading {
  const isAccess = (status === 401 || status === 403) && textAt(json, "detail") !== null;
  if (isAccess) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" };
  const errors = Array.isArray(json.error) ? json.error : [];
  if (status !== 400 || errors.length === 0) return { kind: "unknown" };
  const text = errors.map(String).join(" ");
  if (/duplicate|already|exists/i.test(text)) return { kind: "unknown" };
  return { kind: "declined", errorCode: /balance/i.test(text) ? "OPERATOR_UNAVAILABLE" : "PROVIDER_DECLINED" };
}

function readStatus(json: JsonObject, request: VendRequest): Reading {
  const id = textAt(json, "id");
  const verdict = statuses[textAt(json, "Status")?.toLowerCase() ?? ""];
  if (verdict === "vended") return vendedWith(fulfilmentIn(json, request, id), id);
  if (verdict === "declined" && holdsGoods(json, request)) return vendedWith("unclear", id);
  if (verdict === "declined") return { kind: "declined", errorCode: "PROVIDER_DECLINED", ...givenReference(id) };
  return { kind: "unknown", ...givenReference(id) };
}

function fulfilmentIn(json: JsonObject, request: VendRequest, id: string | null): Delivered {
  const customerName = firstText(json, ["Customer_name", "customer_name"]);
  switch (request.category) {
    case "electricity":
      return tokens(json, request, {
        units: decimalOf(firstText(json, ["units", "Units", "unit"])),
        receipt: id ?? request.supplierReference,
        customerName,
        customerAddress: firstText(json, ["Customer_address", "customer_address"]),
      });
    case "cable":
      return paidBouquet(request, { customer_name: customerName, bouquet: firstText(json, ["package", "plan_name"]) });
    case "education":
      return pins(request, pinsIn(json));
    default:
      return toppedUp;
  }
}

function askToVerify(request: VerifyRequest): Question | Unsendable {
  const [code = "", name] = (request.supplierCode ?? "").split("/");
  if (request.category === "electricity") {
    const type = textAt(request.details, "meter_type") === "postpaid" ? "2" : "1";
    const query = new URLSearchParams({
      meternumber: request.customerRef,
      disconame: name ?? request.billerName,
      mtype: type,
    });
    return { method: "GET", path: `/api/validatemeter?${query}` };
  }
  if (request.category !== "cable" || code === "") return { unsendable: `it verifies no ${request.category}` };
  const query = new URLSearchParams({ smart_card_number: request.customerRef, cablename: code });
  return { method: "GET", path: `/api/validateiuc?${query}` };
}

function readVerification({ status, json }: Reply, request: VerifyRequest): VerifyReading {
  if (status !== 200 || typeof json.invalid !== "boolean") return { kind: "unavailable" };
  const name = textAt(json, "name");
  if (json.invalid || name === null) return { kind: "unverifiable" };
  if (request.category === "cable") {
    const nothing = { current_bouquet: null, current_product_id: null, due_date: null, renewal_amount: null };
    return { kind: "verified", findings: { customer_name: name, account_status: "active", ...nothing } };
  }
  // It knows of no debt and of no meter that may not buy: the disco says so when it comes to buying.
  const facts = { tariff_class: null, outstanding_debt: "0.00", can_vend: true };
  const address = textAt(json, "address") ?? "";
  return { kind: "verified", findings: { customer_name: name, customer_address: address, ...facts } };
}

/** Only with our own name for the attempt, which not every deployment repeats. */
function newsIn(body: JsonObject): News | null {
  const supplierReference = textAt(body, "ident");
  const status = textAt(body, "Status");
  if (supplierReference === null || status === null) return null;
  return { supplierReference, providerReference: textAt(body, "id"), status };
}

const networkIds = Type.Record(Type.String(), text, {
  description: 'what this deployment calls the networks, such as {"MTN":"1","GLO":"2"}',
});

export const legacyScriptKind = httpKind({
  connector: "legacy-script",
  title: "A reseller’s script",
  settings: { base_url: baseUrl, network_ids: networkIds },
  credentials: { token: text, callback_secret: callbackSecret },
  dialect: ({ name, settings, credentials }) =>
    legacyScript({
      name,
      baseUrl: withoutSlash(settings.base_url),
      token: credentials.token,
      networkIds: settings.network_ids,
      callbackSecret: credentials.callback_secret ?? null,
    }),
});
