import fc from "fast-check";
import { expect } from "vitest";
import type { FinalOutcome, Purchase } from "../../../src/domain/purchases/purchase.ts";
import { findPurchasesByReference } from "../../../src/domain/purchases/queries.ts";
import { creditWallet, resetSandboxWallet } from "../../../src/domain/wallet/wallet.ts";
import type { Reference, WalletKey } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { Refusal } from "../../../src/kernel/problems.ts";
import { type Command, command, pick, walletNumbers } from "./command.ts";
import { claimAll, resolveAll, sandboxStart, settle } from "./model.ts";
import { onSale } from "./sale.ts";
import { scriptOf } from "./scripted-supplier.ts";
import { behindLock, claimEverything, resolveEverything, type World } from "./world.ts";

const outcomes: Readonly<Record<"successful" | "failed", FinalOutcome>> = {
  successful: { status: "successful", providerReference: "LATE", fulfilment: { kind: "topup" } },
  failed: { status: "failed", errorCode: "PROVIDER_DECLINED" },
};

async function stored(world: World, wallet: WalletKey, reference: string): Promise<Purchase> {
  const [purchase] = await findPurchasesByReference(world.ground.database, [
    { wallet, reference: reference as Reference },
  ]);
  return purchase!;
}

/** Time passes; both workers ask about everything that is pending. */
const resolve = fc.option(walletNumbers).map((locked) =>
  command(`workers ask about everything that is pending (wallet ${locked} is locked)`, async (model, world) => {
    const act = () => resolveEverything(world);
    await (locked === null ? act() : behindLock(world, world.wallets[locked]!, act));
    resolveAll(model);
  }),
);

/** Somebody who lost the lease, or comes after the end, reports a verdict: nothing may move. */
const staleVerdict = fc
  .tuple(fc.nat(), fc.constantFrom("successful" as const, "failed" as const), fc.constantFrom(-1, 1, null))
  .map(([number, verdict, shift]) =>
    command(`purchase ${number}: a stale holder (${shift}) reports ${verdict}`, async (model, world) => {
      const picked = pick(model, world, { number, pending: shift !== null });
      if (picked === null) return;
      const { key, purchase } = picked;
      // Without a lease a verdict counts while the purchase is pending; that is the callback's command below.
      if (shift === null && purchase.status === "pending") return;
      const epoch = shift === null ? null : purchase.epoch === 0 ? 1 : purchase.epoch + shift;
      const kept: Purchase = { ...(await stored(world, key, purchase.reference)), status: "pending" };
      const end = await world.processes[number % 2]!.settle(kept, outcomes[verdict], { epoch, evidence: "stale" });
      expect(end.status).toBe(purchase.status);
    }),
  );

/** A supplier that had declined says something after all, while the next one is asked: nothing may move. */
const earlierAttempt = fc
  .tuple(fc.nat(), fc.constantFrom("successful" as const, "failed" as const))
  .map(([number, verdict]) =>
    command(`purchase ${number}: the supplier before reports ${verdict}`, async (model, world) => {
      const picked = pick(model, world, { number, pending: true });
      if (picked === null || picked.purchase.status !== "pending" || picked.purchase.attempt === 1) return;
      const kept = await stored(world, picked.key, picked.purchase.reference);
      const earlier = { ...kept, attempt: kept.attempt - 1 };
      const end = await world.processes[0]!.settle(earlier, outcomes[verdict], { epoch: null, evidence: "too late" });
      expect(end.status).toBe("pending");
    }),
  );

/** The supplier's answer comes in four times at once: twice as a callback, under the lease, and by a requery. */
const manyAnswers = fc.nat().map((number) =>
  command(`purchase ${number}: the supplier answers four times at once`, async (model, world) => {
    const picked = pick(model, world, { number, pending: true });
    if (picked === null || picked.purchase.status !== "pending" || !picked.purchase.received) return;
    const { wallet, key, purchase } = picked;
    const script = scriptOf(purchase.sale.suffix, purchase.attempt);
    const truth = script.vends ? "successful" : "failed";
    const claims = await claimEverything(world);
    claimAll(model);
    const kept = await stored(world, key, purchase.reference);
    const [first, second] = world.processes;
    const own = claims.filter((claim) => claim.id === kept.id && claim.wallet.merchantId === key.merchantId);
    const ends = await Promise.all([
      first!.settle(kept, outcomes[truth], { epoch: null, evidence: "callback" }),
      second!.settle(kept, outcomes[truth], { epoch: null, evidence: "callback, again" }),
      first!.settle(kept, outcomes[truth], { epoch: own[0]!.epoch, evidence: "the holder" }),
      // Only for a success: after a refusal the worker would make the next attempt, and either could come first.
      ...own.filter(() => truth === "successful").map((claim) => second!.resolve(claim)),
    ]);
    for (const end of ends) if (end !== undefined) expect(end.status).toBe(truth);
    // The worker may have asked before the others were through, or not at all.
    purchase.calls = script.silentFor;
    settle(wallet, purchase, truth);
  }),
);

const topUp = fc.tuple(walletNumbers, fc.constantFrom(-500_000n, 100n, 1_000_000n)).map(([number, amount]) =>
  command(`wallet ${number} is credited ${amount}`, async (model, world) => {
    const wallet = model.wallets[number]!;
    const kind = amount > 0n ? "top_up" : "adjustment";
    const credit = { wallet: world.wallets[number]!, amount: kobo(amount), kind, reason: "model" } as const;
    const booked = world.ground.database.transaction((tx) => creditWallet(tx, credit));
    if (wallet.balance + amount < 0n) {
      await expect(booked).rejects.toThrow(Refusal);
      return;
    }
    wallet.balance += amount;
    wallet.entries += 1n;
    expect(await booked).toEqual({ balance: wallet.balance, seq: wallet.entries });
  }),
);

const reset = fc.constantFrom(1, 3).map((number) =>
  command(`sandbox wallet ${number} is reset`, async (model, world) => {
    const wallet = model.wallets[number]!;
    await world.ground.database.transaction((tx) => resetSandboxWallet(tx, world.wallets[number]!));
    if (wallet.balance !== sandboxStart) wallet.entries += 1n;
    wallet.balance = sandboxStart;
  }),
);

const nextDay = fc.constant(
  command("the next day begins", async (model, world) => {
    world.advance(86_400_000);
    model.day += 1;
  }),
);

const withdraw = fc
  .tuple(fc.nat({ max: onSale.length - 1 }), fc.constantFrom(false, true, true, true))
  .map(([goods, available]) =>
    command(`${onSale[goods]!.name} is ${available ? "offered" : "withdrawn"}`, async (model, world) => {
      world.shop.offer(goods, available);
      if (available) model.withdrawn.delete(goods);
      else model.withdrawn.add(goods);
    }),
  );

export const ending: readonly fc.Arbitrary<Command>[] = [
  resolve,
  resolve,
  staleVerdict,
  earlierAttempt,
  earlierAttempt,
  staleVerdict,
  manyAnswers,
  topUp,
  reset,
  nextDay,
  withdraw,
];
