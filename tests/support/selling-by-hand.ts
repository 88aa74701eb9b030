import { categoryOf } from "../../src/categories/category-slugs.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type ConsoleAnswer, type ConsoleClient, type MemberClient, startConsole } from "./console.ts";
import { openFakeSupplier } from "./fake-supplier.ts";
import { formOf, type ShownForm, submit } from "./forms.ts";

/** A merchant with plenty of money in its sandbox, and a member who sells by hand. */
export async function startSelling(options: Parameters<typeof startConsole>[0] = {}) {
  const service = await startConsole({ suppliers: [openFakeSupplier()], ...options });
  const shop = await service.app.createMerchant({ testCredit: kobo(1_000_000_000n) });
  const finance = await service.member("finance", shop.id);

  /** The product that a category's own example means. */
  async function exampleOf(slug: string) {
    const category = categoryOf(slug);
    const [example = {}] = Object.values(category.examples) as Record<string, unknown>[];
    const catalogue = await service.app.services.catalogue.current();
    const buyer = { merchantId: shop.id, priceTier: 0 };
    const product = catalogue.resolve(category.read(example as never).selector, slug, buyer);
    const typed = Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? value.join("\n") : String(value)]),
    );
    return { category, product, typed };
  }

  /** From the product to its price. */
  async function check(
    slug: string,
    changed: Readonly<Record<string, string>> = {},
    { client = finance, mode = "test" }: { client?: MemberClient; mode?: "live" | "test" } = {},
  ): Promise<ConsoleAnswer> {
    const { product, typed } = await exampleOf(slug);
    const form = await saleForm(client, `/${mode}/buy/${slug}?product=${product.id}`);
    return client.follow(await submit(client, form, { ...filled(form, typed), ...changed }));
  }

  async function purchasesOf(reference: string) {
    const { rows } = await service.app.fresh.pool.query(
      "select channel, status, total::text as total, customer_ref from purchases where reference = $1",
      [reference],
    );
    return rows;
  }

  async function balance(mode: "live" | "test" = "test"): Promise<bigint> {
    const { rows } = await service.app.fresh.pool.query(
      "select balance from wallets where wallet_id = case $2 when 'live' then $1::integer else -$1::integer end",
      [shop.id, mode],
    );
    return BigInt(rows[0].balance);
  }

  return { service, shop, finance, exampleOf, check, purchasesOf, balance };
}

/** What a test of selling by hand works with. */
export type Selling = Awaited<ReturnType<typeof startSelling>>;

/** Fills the fields that the form shows with these. */
export function filled(form: { readonly fields: Record<string, string> }, values: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in form.fields));
}

/** The form of a sale's page. */
export async function saleForm(client: ConsoleClient, path: string): Promise<ShownForm> {
  return formOf(await client.follow(await client.get(path)), "/check");
}

/** The same form as the button sends it that pays. */
export function orderForm(answer: ConsoleAnswer): ShownForm {
  const [, action] = /formaction="([^"]*\/order\/web-[0-9a-f]{24})"/.exec(answer.text) ?? [];
  if (action === undefined) throw new Error(`no button pays in ${answer.status}: ${answer.text.slice(0, 3_000)}`);
  return { ...formOf(answer, "/check"), action };
}

export const referenceIn = (action: string) => action.split("/").at(-1) ?? "";
