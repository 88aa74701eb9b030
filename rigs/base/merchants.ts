import { randomBytes } from "node:crypto";
import { createMerchants } from "../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { putSupplier, setRoute } from "../../src/domain/suppliers/administration.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { basisPoints, type Kobo, kobo } from "../../src/kernel/money.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { call } from "./client.ts";
import { type Frame, getFrames, postFrames } from "./load.ts";
import { rigSecretBox } from "./service.ts";

export const systemClock = { now: () => Date.now() };
/** Ten billion naira: no run can empty such a wallet. */
export const plenty = kobo(1_000_000_000_000n);

interface MerchantWish {
  readonly name?: string;
  readonly email?: string;
  readonly count?: number;
  readonly approved?: boolean;
  readonly credit?: Kobo | null;
  readonly testCredit?: Kobo | null;
}

/** Merchants with keys and wallets, as an operator creates them: one, without credit, unless told otherwise. */
export async function newMerchants(database: Database, wish: MerchantWish = {}): Promise<RegisteredMerchant[]> {
  const created: RegisteredMerchant[] = [];
  await createMerchants(
    { database, clock: systemClock, randomness: randomBytes },
    {
      name: "Ada's Airtime",
      email: "ada@example.com",
      count: 1,
      approved: false,
      credit: null,
      testCredit: null,
      createdBy: "rig",
      ...wish,
    },
    (merchants) => created.push(...merchants),
  );
  return created;
}

export async function newMerchant(database: Database, wish: MerchantWish = {}): Promise<RegisteredMerchant> {
  const [merchant] = await newMerchants(database, { ...wish, count: 1 });
  if (merchant === undefined) throw new Error("no merchant was created");
  return merchant;
}

const liftLimits = { name: "update_rig_tiers", text: "update merchants set limit_tier = 3" };

/** Gives all merchants the widest limits there are. */
export async function liftAllLimits(database: Database): Promise<void> {
  await database.query(liftLimits);
}

/** What every purchase buys: the first data plan on sale, for a number with which the sandbox succeeds at once. */
export interface Basket {
  readonly product_id: number;
  readonly phone: string;
}

/** Asks the API, as a merchant would. */
export async function chooseBasket(service: { readonly url: string }, key: string): Promise<Basket> {
  const { body: shelf } = await call(service, key, "/billers?category=data");
  const { body } = await call(service, key, `/billers/${shelf.billers[0]?.slug}/products`);
  const products = body.products as readonly { product_id: number; available: boolean }[];
  const product = products.find(({ available }) => available);
  if (product === undefined) throw new Error("there is no data plan on sale");
  return { product_id: product.product_id, phone: "08031234567" };
}

export function purchaseFrames(keys: readonly string[], basket: Basket, prefix: string): Frame[] {
  return postFrames({ path: "/api/v1/merchant/data/purchase", keys, body: { ...basket }, prefix });
}

export function requeryFrames(keys: readonly string[]): Frame[] {
  return getFrames({ path: "/api/v1/merchant/transactions/", keys });
}

interface SupplierWish {
  readonly name: string;
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials: Readonly<Record<string, string>>;
  readonly products: readonly { readonly id: ProductId; readonly code: string }[];
  /** The first one is asked first. */
  readonly priority: number;
}

/** Enters a supplier as an operator does, with routes at nine tenths of the price. */
export async function enterSupplier(database: Database, wish: SupplierWish): Promise<void> {
  const { name, connector, settings, credentials, products, priority } = wish;
  await putSupplier({ database, secretBox: rigSecretBox }, { name, connector, settings, credentials });
  const cost = { kind: "percent", basisPoints: basisPoints(9_000n) } as const;
  for (const { id, code } of products) {
    await setRoute(database, { productId: id, supplier: name, supplierCode: code, priority, cost, enabled: true });
  }
}
