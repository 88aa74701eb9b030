import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import {
  clearPrice,
  hideCategory,
  offerProduct,
  setPrice,
  showCategory,
  withdrawProduct,
} from "../../../src/domain/catalogue/changes/administration.ts";
import { setFxRate } from "../../../src/domain/catalogue/offering.ts";
import type { PriceScope } from "../../../src/domain/catalogue/pricing.ts";
import { loadStartingCatalogue } from "../../../src/domain/catalogue/starting/starting-catalogue.ts";
import {
  announceCatalogue,
  hasPendingCatalogueChanges,
} from "../../../src/domain/webhooks/events/catalogue-updated.ts";
import { deliveryIdMinter } from "../../../src/domain/webhooks/events/event.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import type { MerchantId, ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";

const clock = { now: () => Date.now() };
const stamps = {
  clock,
  wallTime: wallTime("Africa/Lagos"),
  mintDeliveryId: deliveryIdMinter({ clock, randomness: randomBytes }),
};

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 4, plans: "ordinary" }));
await loadStartingCatalogue(database);

interface PurchaseIntent {
  readonly tier?: number;
  readonly isApproved?: boolean;
  readonly events?: readonly string[];
  readonly isOn?: boolean;
  readonly status?: string;
}

/** A merchant whose webhook is set. */
async function listening(wish: PurchaseIntent = {}): Promise<MerchantId> {
  const { tier = 1, isApproved = true, events = ["*"], isOn = true, status = "active" } = wish;
  const { rows } = await fresh.pool.query(
    `insert into merchants (name, email, status, api_approved_at, price_tier)
     values ('m', 'm@example.com', $3, case when $1 then now() end, $2)
     returning id`,
    [isApproved, tier, status],
  );
  const [{ id }] = rows;
  await fresh.pool.query(
    `insert into webhook_endpoints (merchant_id, url, secret, secret_hint, events, disabled_at, disabled_reason)
     values ($1, 'https://example.com/', 's', 'h', $2, case when $3 then null else now() end,
             case when $3 then null else 'merchant' end)`,
    [id, events, isOn],
  );
  return id;
}

beforeEach(async () => {
  await report();
  await fresh.pool.query(
    "truncate webhook_deliveries, webhook_outbox, webhook_endpoints, merchant_prices, tier_prices, hidden_categories",
  );
});

const rest = () => fresh.pool.query("update catalogue_changes set changed_at = changed_at - interval '3 seconds'");

/** Lets the changes come to rest and tells them, page by page. */
async function report(pageSize = 200): Promise<void> {
  await rest();
  while (await hasPendingCatalogueChanges({ database })) await announceCatalogue({ database, stamps }, pageSize);
}

interface Reported {
  readonly merchantId: MerchantId;
  readonly mode: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever would be sent
  readonly data: any;
}

async function reply(): Promise<Reported[]> {
  const { rows } = await fresh.pool.query<Reported>(
    `select abs(d.wallet_id) as "merchantId", case when d.wallet_id > 0 then 'live' else 'test' end as mode, d.body::json -> 'data' as data
       from webhook_deliveries d
       join webhook_outbox o
         on o.wallet_id = d.wallet_id and o.delivery_id = d.id
      where d.event = 'catalogue.updated' and o.lane = 'event'
      order by abs(d.wallet_id), d.wallet_id < 0`,
  );
  return rows;
}

/** The merchants that got the event in live mode. */
const announcedMerchants = async () =>
  (await reply()).filter(({ mode }) => mode === "live").map((each) => each.merchantId);

const product = 1002 as ProductId;
const another = 1003 as ProductId;
let naira = 500n;
/** At another price each time. */
function reprice(scope: PriceScope = { of: "everyone" }, productId = product) {
  naira += 1n;
  return setPrice(database, { productId, scope, price: { kind: "fixed", kobo: kobo(naira * 100n) } });
}

test("another name of a product is news to all who see it, whatever they pay", async () => {
  const [plain, own, blind] = [await listening(), await listening(), await listening()];
  await reprice({ of: "merchant", merchantId: own });
  await hideCategory(database, blind, "data");
  await report();
  await fresh.pool.query("truncate webhook_deliveries, webhook_outbox");
  await fresh.pool.query(
    "insert into catalogue_changes (kind, biller_slug, product_id) values ('name', 'mtn-data', $1)",
    [product],
  );
  await report();
  expect(await announcedMerchants()).toEqual([plain, own]);
});

describe("a base price", () => {
  test("concerns everybody who listens, in live where approved and in sandbox", async () => {
    const approved = await listening();
    const isNew = await listening({ isApproved: false });
    for (const deaf of [{ events: ["bulk.completed"] }, { isOn: false }, { status: "suspended" }])
      await listening(deaf);
    await reprice();
    await report();
    const data = { billers: ["mtn-data"], products: [product], updated_at: expect.stringMatching(/\+01:00$/) };
    expect(await reply()).toEqual([
      { merchantId: approved, mode: "live", data },
      { merchantId: approved, mode: "test", data: { ...data, sandbox: true } },
      { merchantId: isNew, mode: "test", data: { ...data, sandbox: true } },
    ]);
  });

  test("is no news to who has a price of its own, or whose tier has", async () => {
    const [plain, tiered, own] = [await listening(), await listening({ tier: 2 }), await listening()];
    await reprice({ of: "tier", tier: 2 });
    await reprice({ of: "merchant", merchantId: own });
    await report();
    expect(await announcedMerchants()).toEqual([tiered, own]);
    await reprice();
    await report();
    expect(await announcedMerchants()).toEqual([plain, tiered, own]);
  });
});

test("a currency's rate concerns who has a price of its own as well: it is a share of the amount that the rate makes", async () => {
  const [plain, own] = [await listening(), await listening()];
  const { rows } = await fresh.pool.query("select min(id) as id from products where face_currency = 'USD'");
  const price = { kind: "percent", basisPoints: basisPoints(9_000n) } as const;
  await setPrice(database, { productId: rows[0].id, scope: { of: "merchant", merchantId: own }, price });
  await report();
  await setFxRate(database, "USD", kobo(123_456n));
  await report();
  expect(await announcedMerchants()).toEqual([plain, own, own]);
});

describe("a price of some", () => {
  test("a tier's concerns its merchants but those with a price of their own", async () => {
    const [, tiered, own] = [await listening(), await listening({ tier: 3 }), await listening({ tier: 3 })];
    await reprice({ of: "merchant", merchantId: own });
    await report();
    await reprice({ of: "tier", tier: 3 });
    await report();
    expect(await announcedMerchants()).toEqual([tiered, own]);
  });

  test("is news when it is taken away, and none when it was not there", async () => {
    const merchantId = await listening();
    const scope = { of: "merchant", merchantId } as const;
    await clearPrice(database, { productId: product, scope });
    expect(await hasPendingCatalogueChanges({ database })).toBe(false);
    await reprice(scope);
    await report();
    await clearPrice(database, { productId: product, scope });
    await report();
    expect(await announcedMerchants()).toEqual([merchantId, merchantId]);
  });

  test("is no news when it is set to what it was", async () => {
    await listening();
    const order = {
      productId: product,
      scope: { of: "everyone" },
      price: { kind: "fixed", kobo: kobo(77_700n) },
    } as const;
    await setPrice(database, order);
    await report();
    const first = await reply();
    await setPrice(database, order);
    await report();
    expect(await reply()).toEqual(first);
  });
});

test("a product switched off and on again is news each time, and none when nothing changed", async () => {
  const merchantId = await listening();
  const acts = [
    () => withdrawProduct(database, product, another),
    () => withdrawProduct(database, product, another),
    () => offerProduct(database, product),
    () => offerProduct(database, product),
  ];
  for (const act of acts) {
    await act();
    await report();
  }
  expect(await announcedMerchants()).toEqual([merchantId, merchantId]);
});

test("a category hidden or shown concerns its merchant alone, and what is hidden is no news", async () => {
  const [merchantId] = [await listening(), await listening()];
  await hideCategory(database, merchantId, "data");
  await hideCategory(database, merchantId, "data");
  await report();
  expect(await announcedMerchants()).toEqual([merchantId]);
  const [{ data }] = (await reply()) as [Reported];
  expect(data.billers).toContain("mtn-data");
  expect(data.products).toEqual([]);
  await withdrawProduct(database, product, null);
  await offerProduct(database, product);
  await report();
  expect((await announcedMerchants()).filter((id) => id === merchantId)).toHaveLength(1);
  await showCategory(database, merchantId, "data");
  await report();
  expect((await announcedMerchants()).filter((id) => id === merchantId)).toHaveLength(2);
});

test("several changes within a short while are one event, which waits until they have come to rest", async () => {
  await listening();
  await reprice({ of: "everyone" }, another);
  await reprice();
  expect(await hasPendingCatalogueChanges({ database })).toBe(false);
  await rest();
  await reprice();
  expect(await hasPendingCatalogueChanges({ database })).toBe(false);
  await report();
  const [live, sandbox, ...more] = await reply();
  expect(more).toEqual([]);
  expect(live?.data).toMatchObject({ billers: ["mtn-data"], products: [product, another] });
  expect(sandbox?.data.products).toEqual([product, another]);
});

test("where changes never rest, they are told once a minute", async () => {
  await listening();
  await reprice();
  await fresh.pool.query("update catalogue_changes set changed_at = now() - interval '61 seconds'");
  await reprice();
  expect(await hasPendingCatalogueChanges({ database })).toBe(true);
});

test("several tellers together tell each merchant once, however the pages fall", async () => {
  const merchants: MerchantId[] = [];
  for (let i = 0; i < 23; i++) merchants.push(await listening());
  await reprice();
  await rest();
  const reporter = async () => {
    while (await hasPendingCatalogueChanges({ database })) await announceCatalogue({ database, stamps }, 4);
  };
  await Promise.all([reporter(), reporter(), reporter()]);
  expect(await announcedMerchants()).toEqual(merchants);
});

test("a page that fails is told again, the ones before it are not, and a change meanwhile is another event", async () => {
  const merchants: MerchantId[] = [];
  for (let i = 0; i < 6; i++) merchants.push(await listening());
  await reprice();
  await rest();
  await announceCatalogue({ database, stamps }, 4);
  const breaking = { ...stamps, mintDeliveryId: () => "no uuid" as ReturnType<typeof stamps.mintDeliveryId> };
  await expect(announceCatalogue({ database, stamps: breaking }, 4)).rejects.toThrow();
  expect(await announcedMerchants()).toHaveLength(4);
  await reprice();
  await announceCatalogue({ database, stamps }, 4);
  expect(await announcedMerchants()).toEqual(merchants);
  expect(await hasPendingCatalogueChanges({ database })).toBe(false);
  await report();
  expect(await announcedMerchants()).toEqual(merchants.flatMap((id) => [id, id]));
});
