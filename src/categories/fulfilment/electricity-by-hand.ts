import type { JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../supplier-request.ts";
import { type FulfilmentByHand, piecesIn } from "./fulfilment-by-hand.ts";
import { textFact } from "./made-up.ts";

/** A prepaid meter's goods have its token twice, so that a mistyped digit is noticed; a postpaid meter's have none. */
export const electricityByHand: FulfilmentByHand = {
  fixed: ["meter_number"],
  proposed: ["tokens.type", "tokens.order"],
  derived: ["token_formatted"],
  complete(given) {
    const fulfilment = inEntryOrder(given);
    if ("token_formatted" in fulfilment) return fulfilment;
    const token = textFact(fulfilment, "token");
    return { ...fulfilment, token_formatted: token === null ? null : groupedToken(token) };
  },
  faults: (request, fulfilment) => (isPrepaid(request) ? prepaidFaults(fulfilment) : postpaidFaults(fulfilment)),
};

/** A meter takes its new key before what was bought under it, in whatever order the tokens were typed here. */
const entryOrder = ["kct1", "kct2", "main", "bonus"];

function inEntryOrder(fulfilment: JsonObject): JsonObject {
  const pieces = piecesIn(fulfilment, "tokens");
  const place = ({ type }: JsonObject) => entryOrder.indexOf(String(type));
  if (pieces.length === 0 || pieces.some((piece) => place(piece) === -1)) return fulfilment;
  const sorted = [...pieces].sort((a, b) => place(a) - place(b));
  return { ...fulfilment, tokens: sorted.map((piece, index) => ({ ...piece, order: index + 1 })) };
}

/** Its meter, by the product that was bought, or else as the request says. */
export function isPrepaid({ attributes, details }: VendRequest): boolean {
  return (textFact(attributes, "meter_type") ?? textFact(details, "meter_type")) !== "postpaid";
}

/** In groups of four, as a receipt prints it. */
export function groupedToken(token: string): string {
  return token.replace(/(.{4})(?=.)/g, "$1-");
}

const tokenDigits = /^[0-9]{20}$/;

function prepaidFaults(fulfilment: JsonObject): readonly string[] {
  const { token, token_formatted: formatted, tokens } = fulfilment;
  const faults: string[] = [];
  if (token !== undefined && !(typeof token === "string" && tokenDigits.test(token))) {
    faults.push("/token must have 20 digits: the meter is prepaid");
  }
  for (const [index, { value }] of piecesIn(fulfilment, "tokens").entries()) {
    if (typeof value === "string" && !tokenDigits.test(value))
      faults.push(`/tokens/${index}/value must have 20 digits`);
  }
  for (const type of ["kct1", "kct2", "main"]) {
    const among = piecesIn(fulfilment, "tokens").filter((piece) => piece.type === type);
    if (among.length > 1) faults.push(`/tokens must hold one token of type ${type}, and holds ${among.length}`);
  }
  const isAmong = piecesIn(fulfilment, "tokens").some(({ type, value }) => type === "main" && value === token);
  if (Array.isArray(tokens) && !isAmong) faults.push("/tokens must hold what /token says, as its token of type main");
  if (typeof formatted === "string" && formatted.replace(/\D/g, "") !== token) {
    faults.push("/token_formatted must have the digits of /token; left out, it is made from it");
  }
  return faults;
}

function postpaidFaults({ token, token_formatted: formatted, tokens }: JsonObject): readonly string[] {
  const faults: string[] = [];
  if (token !== undefined && token !== null) faults.push("/token must be null: the meter is postpaid");
  if (formatted !== undefined && formatted !== null) {
    faults.push("/token_formatted must be null: the meter is postpaid");
  }
  if (Array.isArray(tokens) && tokens.length > 0) faults.push("/tokens must be empty: the meter is postpaid");
  return faults;
}
