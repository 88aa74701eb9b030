import type { Json, JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../contract.ts";
import {
  betting,
  cable,
  electricity,
  internet,
  meterIsPrepaid,
  type Pin,
  pins,
  tokensIn,
  topup,
} from "../fulfilments.ts";
import { listAt, textAt } from "../reply.ts";

/** Their name for the order. Of e-PINs some answers name only the single PINs: the first stands for all. */
export function orderIn(json: JsonObject): string | null {
  const named = textAt(json, "orderid") ?? textAt(json, "ORDER_ID");
  const order = named === "0" ? null : named;
  return order ?? textAt(listAt(json, "TXN_EPIN")[0], "transactionid");
}

/** Whether an answer holds something that is worth money, whatever else it says. */
export function holdsGoods(json: JsonObject): boolean {
  const hasPins = listAt(json, "TXN_EPIN").length > 0 || pinsIn(json).length > 0;
  return hasPins || tokensIn(textAt(json, "metertoken")).length > 0;
}

/** What was delivered; null where the answer lacks what the customer bought: it comes later, up to hours. */
export function fulfilmentIn(json: JsonObject, request: VendRequest): JsonObject | null {
  switch (request.category) {
    case "airtime":
    case "data":
      return topup;
    case "electricity":
      return electricityIn(json, request);
    case "cable":
      return cable(request, { customerName: null, bouquet: null });
    case "betting":
      return betting(request, { customerName: null, reference: orderIn(json) ?? request.supplierReference });
    case "education":
    case "recharge_pin":
      return pins(request, pinsIn(json));
    case "internet": {
      const found = pinsIn(json);
      const deliversPins = request.attributes.delivers_pins === true || found.length > 0;
      return deliversPins ? pins(request, found) : internet(request, null);
    }
    default:
      return null;
  }
}

function electricityIn(json: JsonObject, request: VendRequest): JsonObject | null {
  const tokens = tokensIn(textAt(json, "metertoken"));
  // Of several, nobody says which changes the meter's key and which is the energy: a person must.
  if (tokens.length > 1 || (tokens.length === 0 && meterIsPrepaid(request))) return null;
  return electricity(request, {
    tokens: tokens.map((value) => ({ type: "main", value })),
    units: null,
    tariff: null,
    vat: null,
    debt: null,
    energy: null,
    receipt: orderIn(json) ?? request.supplierReference,
    customerName: null,
    customerAddress: null,
  });
}

/** `Serial No:WRN200343867, pin: 572871474684`: each value whole, up to what ends it. */
const serialIn = /serial\s*(?:no\.?|number)?\s*[:=]\s*([^,;|]+?)\s*(?=[,;|]|$)/i;
const pinIn = /(?<![a-z])pin\s*(?:no\.?|number)?\s*[:=]\s*([^,;|]+?)\s*(?=[,;|]|$)/gi;
const detailsCharactersMax = 200;
/** Letters and digits, or digits in groups: words beside a PIN would make another one of it. */
const wholePin = /^(?:[0-9A-Za-z-]+|[0-9]+(?: [0-9]+)*)$/;

function pinsIn(json: JsonObject): readonly Pin[] {
  const rows = listAt(json, "TXN_EPIN");
  if (rows.length > 0) return rows.flatMap((row: Json) => pinOf(textAt(row, "pin"), textAt(row, "sno")));
  const details = textAt(json, "carddetails") ?? "";
  // A longer text was cut, perhaps within a PIN.
  if (details.length >= detailsCharactersMax) return [];
  const serial = serialIn.exec(details)?.[1] ?? null;
  const found = [...details.matchAll(pinIn)].map(([, pin = ""]) => pin);
  // Some answers have the PIN beside the text, in a field of its own.
  if (found.length === 0) return pinOf(textAt(json, "pin"), serial);
  return found.flatMap((pin) => pinOf(pin, found.length === 1 ? serial : null));
}

function pinOf(pin: string | null, serial: string | null): readonly Pin[] {
  return pin !== null && wholePin.test(pin) ? [{ pin, serial, expiresAt: null }] : [];
}
