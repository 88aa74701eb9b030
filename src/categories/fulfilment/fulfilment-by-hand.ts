import type { Json, JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../supplier-request.ts";
import { textFact } from "./made-up.ts";

/**
 * The rules, beyond the fulfilment's schema, for a person who fulfils a purchase in a supplier's place. Fields are
 * named by their path, through lists as well: `pins.sequence` is the sequence of every PIN.
 */
export interface FulfilmentByHand {
  /** Fields that the purchase decides: they must equal those of the sandbox's fulfilment. `kind` is always one. */
  readonly fixed: readonly string[];
  /**
   * Fields that the template fills in from the purchase, though a supplier may spell them differently. One field that
   * can't be null is neither fixed nor proposed: a template that is right as it stands would be handed in unread.
   */
  readonly proposed: readonly string[];
  /** Fields that are made from others where they are left out: the template leaves them out. */
  readonly derived?: readonly string[];
  /** Adds the derived fields that are left out. The fulfilment has not been checked yet. */
  readonly complete?: (fulfilment: JsonObject) => JsonObject | Promise<JsonObject>;
  /**
   * Faults of the fulfilment that the schema cannot express: one sentence each, its field first (`/pins/1/pin …`).
   * The fulfilment has not been checked against the schema yet.
   */
  readonly faults?: (request: VendRequest, fulfilment: JsonObject) => readonly string[];
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The pieces of a list among goods; none where it is no list. What is no object stands for one without fields. */
export function piecesIn(fulfilment: JsonObject, list: string): readonly JsonObject[] {
  const pieces = fulfilment[list];
  return Array.isArray(pieces) ? pieces.map((piece: Json) => (isJsonObject(piece) ? piece : {})) : [];
}

/** The goods with each piece of a list changed; as they are where it is no list of objects. */
export function withPieces(
  fulfilment: JsonObject,
  list: string,
  change: (piece: JsonObject) => JsonObject,
): JsonObject {
  const pieces = fulfilment[list];
  if (!Array.isArray(pieces) || !pieces.every(isJsonObject)) return fulfilment;
  return { ...fulfilment, [list]: pieces.map(change) };
}

/** Faults of a list that must hold as many pieces as were bought, no two of them with the same text in one field. */
export function pieceFaults(
  { quantity }: VendRequest,
  fulfilment: JsonObject,
  { list, differsIn }: { readonly list: string; readonly differsIn: string },
): readonly string[] {
  if (!Array.isArray(fulfilment[list])) return [];
  // However it is grouped, it is the same PIN.
  const texts = piecesIn(fulfilment, list).map((piece) => textFact(piece, differsIn)?.replace(/[\s-]/g, "") ?? "");
  const repeated = texts.flatMap((text, index) => {
    const before = texts.indexOf(text);
    return text !== "" && before < index ? [`/${list}/${index}/${differsIn} is the same as in /${list}/${before}`] : [];
  });
  const count = `/${list} must hold ${quantity}, as many as were bought, and holds ${texts.length}`;
  return texts.length === quantity ? repeated : [count, ...repeated];
}
