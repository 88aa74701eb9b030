import { Type } from "typebox";
import { renewsBouquet } from "../../categories/cable.ts";
import { isPrepaid } from "../../categories/fulfilment/electricity-by-hand.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { type News, readAddressedCallback } from "../addressed-callback.ts";
import { baseUrlLike, callbackSecret, httpKind, text, withoutSlash } from "../connector-kind.ts";
import { type Dialect, differenceIn, type Question, type Reading, type Unsendable } from "../dialect.ts";
import { holdsGoods, vendedWith } from "../fulfilments.ts";
import { firstText, givenReference, koboOf, listAt, type Reply, textAt } from "../reply.ts";
import { catalogue } from "./catalogue.ts";
import {
  askToVerify,
  fulfilmentIn,
  isNetwork,
  meaningOf,
  networkNamed,
  orderIn,
  partsOf,
  readVerification,
  scriptOf,
  statusIn,
} from "./codes.ts";

/** ClubKonnect, whose API is at nellobytesystems.com: all that is sold in Nigeria. Documentation: clubkonnect.com/APIDocs.asp. */
export interface ClubkonnectSettings {
  readonly name: string;
  readonly baseUrl: string;
  readonly userId: string;
  readonly apiKey: string;
  /** Where it calls us, with the secret at the end; null where it shall not. */
  readonly callbackAddress: string | null;
  readonly callbackSecret: string | null;
  /** The operator saw that it finds an order by our reference: until then, that it finds none says nothing. */
  readonly findsReferences: boolean;
}

/**
 * A product's code: `01` (airtime, recharge PINs), `01/1000.01` (data), `02` (a disco), `dstv/dstv79`, `waec/waecdirect`,
 * `product-bet-king`, `smile-direct/624`.
 */
export function clubkonnect(settings: ClubkonnectSettings): Dialect {
  const callback = settings.callbackAddress === null ? {} : { CallBackURL: settings.callbackAddress };
  const query = { UserID: settings.userId, APIKey: settings.apiKey, ...callback };
  return {
    name: settings.name,
    baseUrl: settings.baseUrl,
    accessFor: () => ({ query }),
    askToVend,
    readVend,
    requery: ({ supplierReference }) => scriptOf("APIQueryV1", { RequestID: supplierReference }),
    readAgain: (reply, request) => readAgain(reply, request, settings),
    verification: { ask: askToVerify, read: readVerification },
    balance: { question: scriptOf("APIWalletBalanceV1"), read: ({ json }) => koboOf(textAt(json, "balance")) },
    callbacks: {
      received: { status: "success" },
      read: (message) => readAddressedCallback(message, settings.callbackSecret, newsIn),
    },
    catalogue,
  };
}

function askToVend(request: VendRequest): Question | Unsendable {
  const [code, plan] = partsOf(request.supplierCode);
  if (code === "") return { unsendable: "the route names no code" };
  const order = orderOf(request, code, plan);
  if (typeof order === "string") return { unsendable: order };
  return scriptOf(order.script, { ...order.fields, RequestID: request.supplierReference });
}

interface Order {
  readonly script: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A text says why there is none. */
function orderOf(request: VendRequest, code: string, plan: string): Order | string {
  const number = request.customerRef ?? "";
  const phone = request.phone ?? number;
  const amount = wholeNaira(request.faceAmount);
  switch (request.category) {
    case "airtime":
      if (!isNetwork(code)) return "the route names no network";
      if (amount === null) return notWhole;
      return { script: "APIAirtimeV1", fields: { MobileNetwork: code, Amount: amount, MobileNumber: number } };
    case "data":
      if (!isNetwork(code) || plan === "") return "the route names no network and plan";
      return { script: "APIDatabundleV1", fields: { MobileNetwork: code, DataPlan: plan, MobileNumber: number } };
    case "cable":
      // It has no words for a renewal, nor for several months.
      if (plan === "" || renewsBouquet(request) || request.quantity !== 1) return "it sells one month of a bouquet";
      return { script: "APICableTVV1", fields: { CableTV: code, Package: plan, SmartCardNo: number, PhoneNo: phone } };
    case "electricity": {
      if (amount === null) return notWhole;
      const meter = { MeterType: isPrepaid(request) ? "01" : "02", MeterNo: number };
      return {
        script: "APIElectricityV1",
        fields: { ElectricCompany: code, ...meter, Amount: amount, PhoneNo: phone },
      };
    }
    case "betting":
      if (amount === null) return notWhole;
      return { script: "APIBettingV1", fields: { BettingCompany: code, CustomerID: number, Amount: amount } };
    case "education":
    case "recharge_pin":
      return orderOfPins(request, code, plan);
    case "internet": {
      const script = internetScripts.get(code);
      if (script === undefined || plan === "") return "the route names no smile-direct or spectranet, and a plan of it";
      return { script, fields: { MobileNetwork: code, DataPlan: plan, MobileNumber: number } };
    }
    default:
      return `ClubKonnect sells no ${request.category}`;
  }
}

const notWhole = "it takes amounts in whole naira";
const examScripts: ReadonlyMap<string, string> = new Map([
  ["waec", "APIWAECV1"],
  ["jamb", "APIJAMBV1"],
]);
const internetScripts: ReadonlyMap<string, string> = new Map([
  ["smile-direct", "APISmileV1"],
  ["spectranet", "APISpectranetV1"],
]);
const pinValues: readonly (string | null)[] = ["100", "200", "500"];

function orderOfPins(request: VendRequest, code: string, plan: string): Order | string {
  if (request.category === "education") {
    const script = examScripts.get(code);
    if (script === undefined || plan === "") return "the route names no waec or jamb, and an exam type";
    if (request.quantity !== 1) return "it sells one exam PIN at a time";
    return { script, fields: { ExamType: plan, PhoneNo: request.phone ?? request.customerRef ?? "" } };
  }
  const value = wholeNaira(request.unitAmount);
  if (!isNetwork(code)) return "the route names no network";
  if (value === null || !pinValues.includes(value)) return "it sells PINs of 100, 200 and 500 naira";
  return { script: "APIEPINV1", fields: { MobileNetwork: code, Value: value, Quantity: String(request.quantity) } };
}

/** Null for an amount with kobo: nobody says what becomes of them there. */
function wholeNaira(amount: Kobo): string | null {
  const naira = formatNaira(amount);
  return naira.endsWith(".00") ? naira.slice(0, -3) : null;
}

function readVend({ json }: Reply, request: VendRequest): Reading {
  const what = differenceOf(json, request);
  if (what !== null) return { kind: "another", what };
  const meaning = meaningOf(json);
  if (meaning.kind === "exists") return { kind: "another", what: "its request id was used before" };
  // A refusal that comes with an order was none: something was accepted.
  if (meaning.kind !== "refused" || orderIn(json) !== null || holdsGoods(json, request))
    return readOrder(json, request);
  return { kind: "declined", errorCode: meaning.errorCode };
}

function readAgain({ json }: Reply, request: VendRequest, { findsReferences }: ClubkonnectSettings): Reading {
  // Where it told an order before, it cannot have forgotten it: then it does not find it by our reference.
  const isNotSent = meaningOf(json).kind === "unheard" && orderIn(json) === null;
  if (isNotSent && findsReferences && request.providerReference === null) return { kind: "absent" };
  const what = differenceOf(json, request);
  return what === null ? readOrder(json, request) : { kind: "another", what };
}

function readOrder(json: JsonObject, request: VendRequest): Reading {
  const meaning = meaningOf(json);
  const order = givenReference(orderIn(json));
  if (meaning.kind === "cancelled" && meaning.reversed === true) {
    return { kind: "declined", errorCode: "PROVIDER_DECLINED", ...order, reversed: true };
  }
  // PINs were seen in orders that were shown as failed: a no beside goods is none.
  if (meaning.kind === "cancelled" && !holdsGoods(json, request)) {
    return { kind: "declined", errorCode: "PROVIDER_DECLINED", ...order };
  }
  const isCompleted = meaning.kind === "completed" || isListOfPins(json);
  // Completed without the token or the PINs that were bought: they follow, up to hours later.
  if (isCompleted) return vendedWith(fulfilmentIn(json, request), orderIn(json));
  const isNo = meaning.kind === "cancelled" || meaning.kind === "refused";
  return { kind: "unknown", ...(isNo && holdsGoods(json, request) ? { lacking: "unclear" } : {}), ...order };
}

/** E-PINs alone are answered without a status: the PINs are the yes. */
function isListOfPins(json: JsonObject): boolean {
  return listAt(json, "TXN_EPIN").length > 0 && statusIn(json) === "" && textAt(json, "statuscode") === null;
}

function differenceOf(json: JsonObject, request: VendRequest): string | null {
  const [code] = partsOf(request.supplierCode);
  const cards = listAt(json, "TXN_EPIN");
  const names = [textAt(json, "mobilenetwork"), ...cards.map((card) => textAt(card, "mobilenetwork"))];
  const isAirtime = request.category === "airtime";
  const isOfNetwork = isAirtime || request.category === "data" || request.category === "recharge_pin";
  // `100 Credit` is airtime of 100 naira; of other orders it is a name.
  const credit = /^([0-9.,]+) credit$/i.exec(textAt(json, "ordertype") ?? "")?.[1] ?? null;
  const differing = differenceIn({
    reference: { theirs: textAt(json, "requestid"), ours: request.supplierReference },
    products: isOfNetwork ? names.map((name) => ({ theirs: networkNamed(name), ours: code })) : [],
    number: {
      theirs: firstText(json, ["mobilenumber", "meterno", "smartcardno", "customerid", "phoneno"]),
      ours: [request.customerRef, request.phone],
    },
    amount: { theirs: [isAirtime ? koboOf(credit) : null], ours: request.faceAmount },
  });
  const isOfOtherValue = cards.some((card) => ![null, request.unitAmount].includes(koboOf(textAt(card, "amount"))));
  return differing ?? (isOfOtherValue ? "another amount" : null);
}

function newsIn(body: JsonObject): News | null {
  const order = orderIn(body);
  const supplierReference = textAt(body, "requestid");
  if (supplierReference === null && order === null) return null;
  // With its number, as 201 and 200 have the same text.
  const status = `${textAt(body, "statuscode") ?? ""} ${statusIn(body)}`.trim();
  return { supplierReference, providerReference: order, status };
}

const callbacksAt = Type.Optional(
  Type.String({
    pattern: "^https://[^\\s?#@]+/supplier-callbacks/[^\\s/?#@]+$",
    maxLength: 300,
    description: "where it reaches us, such as https://shop.example/supplier-callbacks/clubkonnect, without the secret",
  }),
);
const findsReferences = Type.Optional(
  Type.Boolean({ description: "true once it found a purchase again by its RequestID, else false" }),
);

export const clubkonnectKind = httpKind({
  connector: "clubkonnect",
  title: "ClubKonnect",
  settings: {
    base_url: baseUrlLike("https://www.nellobytesystems.com"),
    callbacks_at: callbacksAt,
    finds_references: findsReferences,
  },
  credentials: { user_id: text, api_key: text, callback_secret: callbackSecret },
  dialect({ name, settings, credentials }) {
    const { callbacks_at: address } = settings;
    const secret = credentials.callback_secret ?? null;
    return clubkonnect({
      name,
      baseUrl: withoutSlash(settings.base_url),
      userId: credentials.user_id,
      apiKey: credentials.api_key,
      callbackAddress: address === undefined || secret === null ? null : `${address}/${secret}`,
      callbackSecret: secret,
      findsReferences: settings.finds_references === true,
    });
  },
});
