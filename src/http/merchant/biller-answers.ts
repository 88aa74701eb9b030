import { Type } from "typebox";
import { meterTypes } from "../../categories/product/product.ts";
import {
  categorySchema,
  instant,
  integer,
  money,
  networkSchema,
  nullable,
  oneOf,
  productIdSchema,
  slugSchema,
  text,
} from "../schemas/schemas.ts";

/** The catalogue is whole, not paged: far more than an operator will ever enter. */
const rowsMax = 10_000;

const quantity = (description: string, example: number) =>
  integer({ minimum: 1, maximum: 100_000 }, description, example);

function percentOrNull(description: string, example: string) {
  return Type.Unsafe<string | null>({
    type: ["string", "null"],
    pattern: "^[0-9]{1,3}\\.[0-9]{2}$",
    maxLength: 6,
    description,
    examples: [example],
  });
}

const billerSchema = Type.Object(
  {
    slug: slugSchema,
    name: text(100, "For people.", "MTN Data"),
    category: categorySchema,
    network: networkSchema,
    customer_field: text(40, "The request field that holds the customer's number.", "phone"),
    customer_label: text(60, "What a form calls that number.", "Phone number"),
    requires_verification: Type.Boolean({ description: "Whether the number should be verified before a purchase." }),
    supports_bulk: Type.Boolean({ description: "Whether its category has a bulk endpoint." }),
    meter_types: nullable(
      Type.Array(oneOf(meterTypes), {
        maxItems: 2,
        description: "The kinds of meter that it serves; null where it serves none.",
      }),
    ),
    min_amount: nullable(money("Least amount over its products of variable amount.", "50.00")),
    max_amount: nullable(money("Largest amount over its products of variable amount.", "50000.00")),
    status: oneOf(["available", "degraded", "unavailable"], {
      description: "`degraded`: purchases may stay pending for longer. `unavailable`: they are refused.",
    }),
    product_count: integer({ minimum: 0, maximum: rowsMax }, "How many products its list has.", 24),
  },
  { "x-component": "Biller" },
);

export const billersAnswer = Type.Object(
  { billers: Type.Array(billerSchema, { maxItems: rowsMax }) },
  { "x-component": "BillerList" },
);

const productSchema = Type.Object(
  {
    product_id: productIdSchema,
    code: Type.String({
      pattern: "^[a-z0-9][a-z0-9.-]{0,79}$",
      maxLength: 80,
      description: "A readable name that stays, too.",
      examples: ["mtn-sme-1gb-30d"],
    }),
    name: text(150, "For people.", "MTN 1GB 30 days"),
    plan: nullable(text(100, "The plan, bouquet or denomination.", "1GB")),
    plan_type: nullable(text(40, "What the network calls this kind of plan.", "SME")),
    validity: nullable(text(40, "How long it lasts.", "30 days")),
    amount_type: oneOf(["fixed", "variable"], { description: "`variable`: the purchase names the amount." }),
    face_amount: nullable(
      money("Nominal value in naira; null where the amount is variable or there is none.", "640.00"),
    ),
    api_price: nullable(money("What this account pays for one; null where it depends on the amount.", "640.00")),
    discount_percent: percentOrNull(
      "Where the price is a share of the nominal amount: how much less it is, in percent.",
      "3.20",
    ),
    fee: money(
      "Charged once a purchase on top. A percentage: of one unit, at the least amount where it is variable.",
      "0.00",
    ),
    fee_percent: percentOrNull("Where the fee is a share of the nominal amount: how much of it, in percent.", "1.50"),
    fee_cap: nullable(
      money("The most that a percentage fee takes of one purchase; null where it has no end.", "5000.00"),
    ),
    min_amount: nullable(money("Least amount, in `face_currency`.", "50.00")),
    max_amount: nullable(money("Largest amount, in `face_currency`.", "50000.00")),
    min_quantity: quantity("Least quantity of one purchase.", 1),
    max_quantity: quantity("Largest quantity of one purchase.", 1),
    currency: Type.Literal("NGN"),
    face_currency: Type.String({
      pattern: "^[A-Z]{3}$",
      maxLength: 3,
      description: "Of min_amount and max_amount.",
      examples: ["NGN"],
    }),
    fx_rate: nullable(money("Naira for one whole unit of `face_currency`; null where that is naira.", "1550.00")),
    available: Type.Boolean({ description: "Whether a purchase would be accepted now." }),
    replaced_by: nullable(
      integer({ minimum: 1_000, maximum: 2_147_483_647 }, "The product that took its place.", 1_003),
    ),
    updated_at: instant(
      "When its price (anybody's), its rate or whether it is offered was last set. Stock, suppliers and the price tier of your account don't move it.",
    ),
  },
  { "x-component": "Product" },
);

export const productsAnswer = Type.Object(
  {
    biller: Type.Object({ slug: slugSchema, name: text(100, "For people.", "MTN Data"), category: categorySchema }),
    products: Type.Array(productSchema, { maxItems: rowsMax }),
  },
  { "x-component": "ProductList" },
);

const denominationSchema = Type.Object(
  {
    product_id: productIdSchema,
    network: networkSchema,
    biller_slug: slugSchema,
    face_amount: nullable(money("What one PIN loads.", "100.00")),
    api_price: nullable(money("What this account pays for one PIN.", "99.80")),
    min_quantity: quantity("Least number of PINs.", 1),
    max_quantity: quantity("Largest number of PINs.", 100),
    in_stock: Type.Boolean({ description: "Whether a purchase would be accepted now." }),
    load_code: text(50, "What a customer dials, with PIN in the PIN's place.", "*311*PIN#"),
  },
  { "x-component": "Denomination" },
);

export const denominationsAnswer = Type.Object(
  { denominations: Type.Array(denominationSchema, { maxItems: rowsMax }) },
  { "x-component": "DenominationList" },
);

/** Some 32 MB: how long a list is, is the operator's to say, and merchants with prices of their own have lists of their own. */
const charactersMax = 16_000_000;
/** An answer costs as much memory as so many characters, beside its text. */
const charactersEach = 200;

/** The answer under `key`, as JSON; made when it is not remembered. */
export type RememberedAnswers<Of> = (of: Of, key: string, make: () => unknown) => string;

/**
 * Answers about one state of things, kept as text: rendering a list costs a hundred times what sending it does. Forgets
 * them all when it is asked about another state, and when they are too many.
 */
export function rememberAnswers<Of>(): RememberedAnswers<Of> {
  const rendered = new Map<string, string>();
  let renderedOf: Of | null = null;
  let characters = 0;

  function remember(key: string, text: string): void {
    const taken = key.length + text.length + charactersEach;
    if (taken > charactersMax) return;
    if (characters + taken > charactersMax) forget();
    rendered.set(key, text);
    characters += taken;
  }

  function forget(): void {
    rendered.clear();
    characters = 0;
  }

  return (of, key, make) => {
    if (renderedOf !== of) forget();
    renderedOf = of;
    const known = rendered.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(make());
    remember(key, text);
    return text;
  };
}
