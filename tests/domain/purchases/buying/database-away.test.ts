import { expect, test } from "vitest";
import { airtime } from "../../../../src/categories/airtime.ts";
import { type BuyCommand, type BuyServices, openBuy } from "../../../../src/domain/purchases/buying/buy.ts";
import { openBuyForBeneficiary } from "../../../../src/domain/purchases/buying/buy-for-beneficiary.ts";
import { openBuyGuarded, openGuard } from "../../../../src/domain/purchases/buying/guard.ts";
import { openPrepare } from "../../../../src/domain/purchases/buying/prepare-purchase.ts";
import { nothingSent } from "../../../../src/domain/purchases/purchase.ts";
import type { Reference } from "../../../../src/kernel/ids.ts";
import { makeProduct } from "../../../categories/ask.ts";
import { walletKey } from "../../../support/wallet.ts";

// A database that goes away before anything is charged means "try again"; afterwards it means "ask what happened".

const lost = () => Promise.reject(new Error("Connection terminated unexpectedly"));
const catalogue = { peek: () => null, current: lost };
const findByReference = Object.assign(lost, { idle: async () => {} });
const requested = airtime.read({ network: "MTN", phone: "08031234567", amount: 100 } as never);
const command = {
  principal: { ...walletKey(7, "test"), keyId: 1, priceTier: 1, limits: null, duplicateGuardSeconds: 60 },
  channel: "api",
  category: airtime,
  request: { reference: "r-1" as Reference, requested, expectedPrice: null, verificationId: null, sent: nothingSent },
} as BuyCommand;
const clock = { now: () => 0 };
const services = { catalogue, findByReference, clock } as unknown as BuyServices;
const maintenance = { code: "MAINTENANCE", detail: { retryAfterSeconds: 2 } };

test("a purchase that cannot read the catalogue is told to try again", async () => {
  await expect(openBuy(services)(command)).rejects.toMatchObject(maintenance);
});

test("a guarded one, too", async () => {
  const buy = () => Promise.reject(new Error("not reached"));
  await expect(openBuyGuarded({ ...services, buy, guard: openGuard({} as never) })(command)).rejects.toMatchObject(
    maintenance,
  );
});

test("a purchase for a beneficiary whose number cannot be read is told to try again", async () => {
  const buy = () => Promise.reject(new Error("not reached"));
  const { principal, channel, category } = command;
  const named = {
    reference: "r-1" as Reference,
    beneficiaryId: "ben_1",
    isNumberSent: false,
    read: () => command.request,
  };
  const bought = openBuyForBeneficiary({ ...services, buy })({ principal, channel, category, ...named });
  await expect(bought).rejects.toMatchObject(maintenance);
});

test("a purchase whose charge was lost on the way is not: it may be stored", async () => {
  const routeFor = async () => ({ supplier: null, supplierCode: null, cost: null, reason: null, predictable: false });
  const product = makeProduct({ amountType: "variable" });
  const snapshot = { resolve: () => product, priceOf: () => ({ kind: "percent", basisPoints: 9_700n, fee: null }) };
  const charging = {
    ...services,
    catalogue: { peek: () => snapshot, current: async () => snapshot },
    routeFor,
    prepare: openPrepare({ mintPurchaseId: () => 1n, sandboxPendingSeconds: 20 } as never),
    accept: Object.assign(lost, { idle: async () => {} }),
  } as unknown as BuyServices;
  await expect(openBuy(charging)(command)).rejects.toThrow("Connection terminated");
});
