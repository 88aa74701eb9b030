import { type TObject, Type } from "typebox";
import type { Product } from "./product.ts";

/** The rules for a category's billers and products, an operator's new ones and those of the starting catalogue. */
export interface ProductShape {
  /** Whether its billers belong to a network; never, unless said. */
  readonly network?: "always" | "maybe";
  /** What a form calls the customer's number, unless the biller has a word of its own. */
  readonly customerLabel: string;
  /** Whether the product says what one unit is worth (fixed), the client within a range (variable), or either. */
  readonly amountTypes: readonly Product["amountType"][];
  /** A fixed product has a nominal value, not a price alone. */
  readonly needsFace?: true;
  /** Its value may be in another currency than naira. */
  readonly takesForeign?: true;
  /** The largest quantity of a purchase. */
  readonly quantityMax: number;
  /** Facts that only the category understands. A field's description completes "must be …". */
  readonly attributes: TObject;
  /**
   * The fields by which a request can name a product without its id, and what each is for a product; null where that one
   * needs the id. Equal fields must name one product on offer: where they name two, such requests are refused.
   */
  readonly selectors?: Readonly<Record<string, (product: Product) => string | null>>;
}

/** The fields that name this product without its id; null where it needs the id. */
export function selectionOf(
  { selectors = {} }: ProductShape,
  product: Product,
): Readonly<Record<string, string>> | null {
  const fields = Object.entries(selectors).map(([field, read]) => [field, read(product)] as const);
  const named = fields.filter((pair): pair is readonly [string, string] => pair[1] !== null);
  return fields.length === 0 || named.length < fields.length ? null : Object.fromEntries(named);
}

export const noAttributes = Type.Object({});

/** A text among a product's attributes. */
export function textAttribute(lengthMax: number) {
  return Type.Optional(
    Type.String({ minLength: 1, maxLength: lengthMax, description: `a text of 1 to ${lengthMax} characters` }),
  );
}

/** A whole number among a product's attributes. */
export function integerAttribute(minimum: number, maximum: number) {
  return Type.Optional(Type.Integer({ minimum, maximum, description: `a whole number from ${minimum} to ${maximum}` }));
}

/** A yes or no among a product's attributes. */
export const flagAttribute = Type.Optional(Type.Boolean({ description: "true or false" }));
