import fc from "fast-check";
import { expect } from "vitest";
import { usualLegacySettings } from "../../../src/domain/merchants/legacy-settings.ts";
import { nothingSent } from "../../../src/domain/purchases/purchase.ts";
import type { ApiKeyId, Reference, WalletKey } from "../../../src/kernel/ids.ts";
import { Refusal } from "../../../src/kernel/problems.ts";
import { type Answer, limits, type Model, type ModelPurchase, type ModelWallet, type Request } from "./model.ts";
import { Crash, type Process } from "./process.ts";
import { categoryOf, describeSale, intentOf, onSale, type Sale } from "./sale.ts";
import { suffixes } from "./scripted-supplier.ts";
import { compare, type World, wallets } from "./world.ts";

export type Command = fc.AsyncCommand<Model, World>;

/** One thing that happens, to the model and to the world, after which both must still tell the same. */
export function command(description: string, happen: (model: Model, world: World) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, world) {
      world.advance(1_000);
      await happen(model, world);
      await world.quiet();
      await compare(model, world);
    },
    toString: () => description,
  };
}

// Few references, so that one is used again before long.
export const references = fc.constantFrom(..."abcdefghijklmnop");
export const walletNumbers = fc.nat({ max: wallets.length - 1 });
export const processNumbers = fc.nat({ max: 1 });
export const suffixNumbers = fc.constantFrom(...suffixes);
export const sales: fc.Arbitrary<Sale> = fc.record({
  // Mostly what a wallet can pay for often.
  goods: fc.constantFrom(...onSale.keys(), 0, 0, 1, 1, 2, 2, 3),
  suffix: suffixNumbers,
});

export interface Order extends Request {
  /** Which wallet pays. */
  readonly wallet: number;
}

export const orders: fc.Arbitrary<Order> = fc.record({ wallet: walletNumbers, reference: references, sale: sales });

/** What this reference bought before, where it did: sent again. */
export function asBefore(model: Model, order: Order): Order {
  const known = model.wallets[order.wallet]!.purchases.get(order.reference);
  return known === undefined ? order : { ...order, sale: known.sale };
}

export function describeOrder({ wallet, reference, sale }: Order): string {
  return `wallet ${wallet}, reference ${reference}, ${describeSale(sale)}`;
}

/** Sends an order to a process, as the HTTP side would, and says what the client is told. */
export async function send(process: Process, world: World, order: Order): Promise<Answer> {
  const { merchantId, mode } = world.wallets[order.wallet]!;
  try {
    const { purchase, replayed } = await process.buy({
      principal: {
        merchantId,
        mode,
        keyId: 1 as ApiKeyId,
        priceTier: 1,
        limits: mode === "live" ? limits : null,
        duplicateGuardSeconds: null,
        legacy: usualLegacySettings,
      },
      channel: "api",
      category: categoryOf(order.sale),
      request: {
        reference: order.reference as Reference,
        requested: intentOf(order.sale),
        expectedPrice: null,
        verificationId: null,
        sent: nothingSent,
      },
    });
    const { status, number, balanceBefore, total } = purchase;
    return { kind: "bought", replayed, status, number, balanceBefore, total };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", code: error.code };
    if (error instanceof Crash) return { kind: "crashed" };
    throw error;
  }
}

/** A purchase that exists, a pending one if there is any and it is wanted; null when there is none. */
export function pick(
  model: Model,
  world: World,
  { number, pending }: { readonly number: number; readonly pending: boolean },
): { wallet: ModelWallet; key: WalletKey; purchase: ModelPurchase } | null {
  const all = model.wallets.flatMap((wallet, index) =>
    [...wallet.purchases.values()].map((purchase) => ({ wallet, key: world.wallets[index]!, purchase })),
  );
  const needed = pending ? all.filter(({ purchase }) => purchase.status === "pending") : [];
  const among = needed.length > 0 ? needed : all;
  return among.length === 0 ? null : among[number % among.length]!;
}

export function expectAnswer(answer: Answer, expected: Answer): void {
  expect(answer, "the answer").toEqual(expected);
}
