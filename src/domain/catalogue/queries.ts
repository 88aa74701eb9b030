import type { CategorySlug } from "../../categories/category-slugs.ts";
import type { Biller, Product } from "../../categories/product/product.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { statement } from "../../platform/database/database.ts";

/** How a price stands in `products`, `tier_prices` and `merchant_prices`; the constraints say which are null. */
export interface PriceRow {
  readonly price: bigint | null;
  readonly price_basis_points: number | null;
  readonly fee: bigint | null;
  readonly fee_basis_points: number | null;
  readonly fee_cap: bigint | null;
}

export interface BillerRow extends Omit<Biller, "category" | "minAmount" | "maxAmount"> {
  readonly category: CategorySlug;
}

export const listBillers = statement(
  "list_billers",
  `select slug, name, category, network, customer_field as "customerField", customer_label as "customerLabel",
          requires_verification as "requiresVerification", supports_bulk as "supportsBulk", meter_types as "meterTypes",
          status
     from billers
    order by category, name, slug`,
);

export interface ProductRow extends Omit<Product, "biller" | "face" | "fxRate">, PriceRow {
  readonly billerSlug: string;
  readonly faceAmount: bigint | null;
  readonly fxRate: bigint | null;
}

/** The columns of a product as it is added, price and description apart: what stands here is read and written. */
export const productColumns = {
  id: "id",
  code: "code",
  billerSlug: "biller_slug",
  name: "name",
  plan: "plan",
  planType: "plan_type",
  validity: "validity",
  legacyPlanId: "legacy_plan_id",
  amountType: "amount_type",
  faceAmount: "face_amount",
  minAmount: "min_amount",
  maxAmount: "max_amount",
  minQuantity: "min_quantity",
  maxQuantity: "max_quantity",
  faceCurrency: "face_currency",
  foreignFace: "foreign_face",
  fxRate: "fx_rate",
  meterType: "meter_type",
  attributes: "attributes",
} as const satisfies Readonly<Record<keyof AddedProduct, string>>;

export type AddedProduct = Omit<ProductRow, keyof PriceRow | "available" | "replacedBy" | "updatedAt">;

const priceColumns = "price, price_basis_points, fee, fee_basis_points, fee_cap";
const addedColumns = Object.values(productColumns).join(", ");
const readColumns = Object.entries(productColumns)
  .map(([field, column]) => `${column} as "${field}"`)
  .join(", ");

export const listProducts = statement(
  "list_products",
  `select ${readColumns}, ${priceColumns}, available, replaced_by as "replacedBy", updated_at as "updatedAt"
     from products
    order by id`,
);

export interface TierPriceRow extends PriceRow {
  readonly tier: number;
  readonly product_id: ProductId;
}

export const listTierPrices = statement(
  "list_tier_prices",
  `select tier, product_id, price, price_basis_points, fee, fee_basis_points, fee_cap
     from tier_prices`,
);

export interface MerchantPriceRow extends PriceRow {
  readonly merchant_id: number;
  readonly product_id: ProductId;
}

export const listMerchantPrices = statement(
  "list_merchant_prices",
  `select merchant_id, product_id, price, price_basis_points, fee, fee_basis_points, fee_cap
     from merchant_prices`,
);

export interface HiddenCategoryRow {
  readonly merchant_id: number;
  readonly category: CategorySlug;
}

export const listHiddenCategories = statement(
  "list_hidden_categories",
  `select merchant_id, category
     from hidden_categories`,
);

export const countMerchantPrices = statement("count_merchant_prices", "select count(*) as count from merchant_prices");

export const insertHiddenCategory = statement(
  "insert_hidden_category",
  `insert into hidden_categories (merchant_id, category)
   values ($1, $2)
   on conflict (merchant_id, category) do nothing
   returning category`,
);

export const deleteHiddenCategory = statement(
  "delete_hidden_category",
  `delete from hidden_categories
    where merchant_id = $1
      and category = $2
   returning category`,
);

export const updateProductTimes = statement(
  "update_product_times",
  `update products
      set updated_at = now()
    where id = any ($1::integer[])`,
);

export const updateProductAttributes = statement(
  "update_product_attributes",
  `update products
      set attributes = $2
    where id = $1`,
);

export const updateProductNames = statement(
  "update_product_names",
  `update products
      set name = $2,
          legacy_plan_id = $3
    where id = $1`,
);

export const updateAvailability = statement(
  "update_availability",
  `update products p
      set available = $2,
          replaced_by = $3,
          updated_at = now()
     from products before
    where p.id = $1 and before.id = p.id
   returning (before.available, before.replaced_by) is distinct from (p.available, p.replaced_by) as "isChanged"`,
);

/** Adds what is not there yet, by slug. $1: an array of `StartingBiller`. */
export const insertBillers = statement(
  "insert_billers",
  `insert into billers (slug, name, category, network, customer_field, customer_label, requires_verification,
                        supports_bulk, meter_types, description)
   select b.slug, b.name, b.category, b.network, b."customerField", b."customerLabel",
          coalesce(b."requiresVerification", false), coalesce(b."supportsBulk", false), b."meterTypes",
          coalesce(b.description, '')
     from jsonb_to_recordset($1::jsonb) as b (
            slug text, name text, category text, network text, "customerField" text, "customerLabel" text,
            "requiresVerification" boolean, "supportsBulk" boolean, "meterTypes" text[], description text
          )
    order by b.slug
   on conflict do nothing
   returning slug`,
);

/** Adds what is not there yet, by id, code and legacy plan id; what is there stays as its operator left it. */
export const insertProducts = statement(
  "insert_products",
  `insert into products (${addedColumns}, ${priceColumns}, description)
   select ${addedColumns}, ${priceColumns}, description
     from jsonb_populate_recordset(null::products, $1::jsonb)
    order by id
   on conflict do nothing
   returning id`,
);
