import { Type } from "typebox";
import { type CategorySlug, categorySlugs } from "../../domain/categories/product.ts";
import { type Network, networks } from "../../kernel/phone.ts";
import { instantSchema, moneySchema, nullable } from "../schemas.ts";

const category = Type.Unsafe<CategorySlug>({ type: "string", enum: [...categorySlugs] });
const network = Type.Unsafe<Network | null>({ type: ["string", "null"], enum: [...networks, null] });
const text = nullable(Type.String());
const quantity = Type.Integer({ minimum: 1 });

export const billersAnswer = Type.Object({
  billers: Type.Array(
    Type.Object({
      slug: Type.String({ examples: ["mtn-data"] }),
      name: Type.String(),
      category,
      network,
      customer_field: Type.String({ description: "The request field that holds the customer's number." }),
      customer_label: Type.String({ description: "What a form calls that number." }),
      requires_verification: Type.Boolean({ description: "Whether the number should be verified before a purchase." }),
      supports_bulk: Type.Boolean(),
      meter_types: nullable(Type.Array(Type.Union([Type.Literal("prepaid"), Type.Literal("postpaid")]))),
      min_amount: nullable(moneySchema),
      max_amount: nullable(moneySchema),
      status: Type.Union([Type.Literal("available"), Type.Literal("degraded"), Type.Literal("unavailable")]),
      product_count: Type.Integer({ minimum: 0, description: "How many products its list has." }),
    }),
  ),
});

export const productsAnswer = Type.Object({
  biller: Type.Object({ slug: Type.String(), name: Type.String(), category }),
  products: Type.Array(
    Type.Object({
      product_id: Type.Integer({ description: "Never changes meaning." }),
      code: Type.String({ examples: ["mtn-sme-1gb-30d"] }),
      name: Type.String(),
      plan: text,
      plan_type: text,
      validity: text,
      amount_type: Type.Union([Type.Literal("fixed"), Type.Literal("variable")]),
      face_amount: nullable(moneySchema),
      api_price: nullable(moneySchema),
      discount_percent: Type.Unsafe<string | null>({
        type: ["string", "null"],
        pattern: "^[0-9]+\\.[0-9]{2}$",
        description: "Where the price is a share of the nominal amount: how much less it is, in percent.",
      }),
      fee: Type.String({
        pattern: "^[0-9]+\\.[0-9]{2}$",
        description:
          "Charged once a purchase on top. A percentage: of one unit, at the least amount where it is variable.",
      }),
      min_amount: nullable(moneySchema),
      max_amount: nullable(moneySchema),
      min_quantity: quantity,
      max_quantity: quantity,
      currency: Type.Literal("NGN"),
      face_currency: Type.String({ pattern: "^[A-Z]{3}$", description: "Of min_amount and max_amount." }),
      available: Type.Boolean(),
      replaced_by: nullable(Type.Integer({ description: "The product that took its place." })),
      updated_at: instantSchema,
    }),
  ),
});

export const denominationsAnswer = Type.Object({
  denominations: Type.Array(
    Type.Object({
      product_id: Type.Integer(),
      network,
      biller_slug: Type.String(),
      face_amount: nullable(moneySchema),
      api_price: nullable(moneySchema),
      min_quantity: quantity,
      max_quantity: quantity,
      in_stock: Type.Boolean(),
      load_code: Type.String({ examples: ["*311*PIN#"] }),
    }),
  ),
});
