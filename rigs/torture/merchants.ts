import { creditWallet } from "../../src/domain/wallet/wallet.ts";
import type { MerchantId, ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { call } from "../base/client.ts";
import { enterSupplier, liftAllLimits, newMerchants } from "../base/merchants.ts";
import type { Ground } from "./ground.ts";
import { callbackSecret } from "./supplier-conduct.ts";

/** A merchant that buys. */
export interface Merchant {
  readonly id: MerchantId;
  readonly key: string;
  /** Its wallet runs dry again and again. */
  readonly isShort: boolean;
  /** Where it hears of what happened, as the sink calls them. */
  readonly endpoints: readonly string[];
}

/** How many there are, and how many of them are short of money. */
export interface MerchantCounts {
  readonly rich: number;
  readonly short: number;
}

const usualCounts: MerchantCounts = { rich: 180, short: 20 };
const muchMoney = kobo(500_000_000_00n);
const littleMoney = kobo(3_000_00n);
/** Every tenth merchant has a second endpoint. */
const secondEndpointEvery = 10;

/** Makes merchants with their webhooks, and says which suppliers have what they buy. */
export async function openMerchants(ground: Ground, counts = usualCounts): Promise<Merchant[]> {
  const { database } = ground.postgres;
  const rich = await create(database, counts.rich, false);
  const short = await create(database, counts.short, true);
  await liftAllLimits(database);
  const merchants = [...rich, ...short];
  for (const merchant of merchants) await saveEndpoints(ground, merchant);
  await enterSuppliers(ground);
  return merchants;
}

async function create(database: Database, count: number, isShort: boolean): Promise<Merchant[]> {
  const wish = { count, approved: true, credit: isShort ? littleMoney : muchMoney };
  return (await newMerchants(database, wish)).map(({ id, liveKey }) => {
    const first = `/${id}/1`;
    const endpoints = Number(id) % secondEndpointEvery === 0 ? [first, `/${id}/2`] : [first];
    return { id, key: liveKey ?? "", isShort, endpoints };
  });
}

/** As the merchant does, through the API. */
async function saveEndpoints({ apis: [api], sink }: Ground, { key, endpoints }: Merchant): Promise<void> {
  for (const [index, endpoint] of endpoints.entries()) {
    const settings = { url: `${sink.url}${endpoint}`, notify: "all" };
    const { status, body } =
      index === 0
        ? await call({ url: api?.url ?? "" }, key, "/webhook", { method: "PUT", body: settings })
        : await call({ url: api?.url ?? "" }, key, "/webhook/endpoints", { body: { ...settings, mode: "live" } });
    if (status >= 300 || status === 0) throw new Error(`an endpoint was refused: ${JSON.stringify(body)}`);
  }
}

const listShelf = {
  name: "list_torture_products",
  text: `
    select p.id, p.id::text as code
      from products p
      join billers b on b.slug = p.biller_slug
     where (b.network = 'MTN' and b.category in ('airtime', 'data'))
        or b.category = 'education'`,
};

/** Both sell everything; the first one is asked first. */
async function enterSuppliers({ suppliers, postgres: { database } }: Ground): Promise<void> {
  const products = await database.query<{ id: ProductId; code: string }>(listShelf);
  for (const [index, { name, url }] of suppliers.entries()) {
    await enterSupplier(database, {
      name,
      connector: "dispense",
      settings: { base_url: url },
      credentials: { api_key: "ds_live_torture", webhook_secret: callbackSecret },
      products,
      priority: index + 1,
    });
  }
}

/** What a merchant that is short gets now and then. */
export async function topUp(database: Database, { id }: Merchant): Promise<void> {
  const wallet = { merchantId: id, mode: "live" } as const;
  await database.transaction((tx) =>
    creditWallet(tx, { wallet, amount: littleMoney, kind: "top_up", reason: "torture" }),
  );
}
