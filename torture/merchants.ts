import { randomBytes } from "node:crypto";
import { encryptionKey } from "../bench/webhook-load.ts";
import { createMerchants } from "../src/domain/onboarding/create-merchants.ts";
import { putSupplier, setRoute } from "../src/domain/routing/administration.ts";
import { creditWallet } from "../src/domain/wallet/wallet.ts";
import type { Bucket, MerchantId, ProductId } from "../src/kernel/ids.ts";
import { basisPoints, kobo } from "../src/kernel/money.ts";
import type { Database } from "../src/platform/database/database.ts";
import { secretBox } from "../src/platform/sealing/secret-box.ts";
import type { Ground } from "./ground.ts";
import { callbackSecret } from "./supplier-settings.ts";

/** A merchant that buys. */
export interface Merchant {
  readonly id: MerchantId;
  readonly bucket: Bucket;
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

const liftLimits = { name: "update_torture_tiers", text: "update merchants set limit_tier = 3" };

/** Makes merchants with their webhooks, and says which suppliers have what they buy. */
export async function openMerchants(ground: Ground, counts = usualCounts): Promise<Merchant[]> {
  const { database } = ground.postgres;
  const rich = await create(database, counts.rich, false);
  const short = await create(database, counts.short, true);
  await database.query(liftLimits);
  const merchants = [...rich, ...short];
  for (const merchant of merchants) await saveEndpoints(ground, merchant);
  await enterSuppliers(ground);
  return merchants;
}

async function create(database: Database, count: number, isShort: boolean): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  await createMerchants(
    { database, clock: { now: () => Date.now() }, randomness: randomBytes },
    {
      name: isShort ? "Short of money" : "Merchant",
      email: "merchant@example.com",
      count,
      approved: true,
      credit: isShort ? littleMoney : muchMoney,
      testCredit: null,
      createdBy: "torture",
    },
    (created) => {
      for (const { id, bucket, liveKey } of created) {
        const first = `/${id}/1`;
        const endpoints = Number(id) % secondEndpointEvery === 0 ? [first, `/${id}/2`] : [first];
        if (liveKey !== null) merchants.push({ id, bucket, key: liveKey, isShort, endpoints });
      }
    },
  );
  return merchants;
}

/** As the merchant does, through the API. */
async function saveEndpoints({ apis: [api], sink }: Ground, { key, endpoints }: Merchant): Promise<void> {
  for (const [index, endpoint] of endpoints.entries()) {
    const path = index === 0 ? "/webhook" : "/webhook/endpoints";
    const answer = await fetch(`${api?.url}/api/v1/merchant${path}`, {
      method: index === 0 ? "PUT" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        url: `http://127.0.0.1:${sink.port}${endpoint}`,
        notify: "all",
        ...(index === 0 ? {} : { mode: "live" }),
      }),
    });
    if (!answer.ok) throw new Error(`an endpoint was refused: ${await answer.text()}`);
  }
}

const listShelf = {
  name: "list_torture_products",
  text: `
    select p.id
      from products p
      join billers b on b.slug = p.biller_slug
     where b.network = 'MTN'
       and b.category in ('airtime', 'data')`,
};

/** As an operator does. Both sell everything; the first one is asked first. */
async function enterSuppliers({ suppliers, postgres: { database } }: Ground): Promise<void> {
  const products = await database.query<{ id: ProductId }>(listShelf);
  for (const [index, { name, port }] of suppliers.entries()) {
    await putSupplier(
      { database, secretBox: secretBox([encryptionKey]) },
      {
        name,
        connector: "dispense",
        settings: { base_url: `http://127.0.0.1:${port}` },
        credentials: { api_key: "ds_live_torture", webhook_secret: callbackSecret },
      },
    );
    for (const { id } of products) {
      const cost = { kind: "percent", basisPoints: basisPoints(9_000n) } as const;
      const route = { productId: id, supplier: name, supplierCode: String(id), priority: index + 1, cost };
      await setRoute(database, { ...route, enabled: true });
    }
  }
}

/** What a merchant that is short gets now and then. */
export async function topUp(database: Database, { id, bucket }: Merchant): Promise<void> {
  const wallet = { bucket, merchantId: id, mode: "live" } as const;
  await database.transaction((tx) =>
    creditWallet(tx, { wallet, amount: littleMoney, kind: "top_up", reason: "torture" }),
  );
}
