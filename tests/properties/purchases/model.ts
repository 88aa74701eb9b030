import type { SpendingLimits } from "../../../src/domain/merchants/limits/limits.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type Sale, totalOf } from "./sale.ts";
import { scriptOf, supplierNames } from "./scripted-supplier.ts";

/** What the books should say, kept in the plainest way: a few maps and no database. Amounts in kobo. */
export interface ModelPurchase {
  readonly reference: string;
  readonly sale: Sale;
  number: bigint;
  balanceBefore: bigint;
  readonly day: number;
  status: "pending" | "successful" | "failed";
  errorCode: string | null;
  /** How often it was claimed by the due-work loop. */
  epoch: number;
  /** Which supplier is or was the last to be asked to vend, from 1. */
  attempt: number;
  /** Whether the attempt waits for a worker to send it. */
  queued: boolean;
  /** Whether the attempt's supplier ever got the request, and how often it was asked about it. */
  received: boolean;
  calls: number;
}

export interface ModelWallet {
  readonly mode: Mode;
  /** Its merchant wants each end as an event, also those that its own request was told. */
  readonly wantsAll: boolean;
  balance: bigint;
  entries: bigint;
  readonly purchases: Map<string, ModelPurchase>;
}

export interface Model {
  readonly wallets: readonly ModelWallet[];
  readonly withdrawn: Set<number>;
  day: number;
}

/** What a caller is told. */
export type Answer =
  | {
      readonly kind: "bought";
      readonly replayed: boolean;
      readonly status: ModelPurchase["status"];
      readonly number: bigint;
      readonly balanceBefore: bigint;
      readonly total: bigint;
    }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "crashed" };

export const sandboxStart = 10_000_000n;
const dayLimit = kobo(20_000_000n);
const transactionLimit = kobo(5_000_000n);
/** The limits of the live merchants. */
export const limits: SpendingLimits = { perTransaction: transactionLimit, perDay: dayLimit };

export function openModel(wallets: readonly Pick<ModelWallet, "mode" | "balance" | "wantsAll">[]): Model {
  return {
    wallets: wallets.map((wallet) => ({ ...wallet, entries: 1n, purchases: new Map() })),
    withdrawn: new Set(),
    day: 0,
  };
}

/** A sandbox purchase's outcome is known before the charge: a success ends with C1, unless it is sent as an event. */
export function endsWithCharge(wallet: ModelWallet, sale: Sale): boolean {
  return wallet.mode === "test" && sandboxVerdict(sale) === "successful" && !wallet.wantsAll;
}

/** Spent today and not given back. */
export function spentToday(model: Model, wallet: ModelWallet): bigint {
  return [...wallet.purchases.values()]
    .filter((purchase) => purchase.day === model.day && purchase.status !== "failed")
    .reduce((sum, purchase) => sum + totalOf(purchase.sale), 0n);
}

/** The answer to a request that buys nothing new; null for one that must be accepted. */
export function refusalOrReplay(model: Model, wallet: ModelWallet, request: Request): Answer | null {
  const known = wallet.purchases.get(request.reference);
  if (known !== undefined) {
    return sameSale(known.sale, request.sale) ? bought(known, true) : refused("REFERENCE_CONFLICT");
  }
  const total = totalOf(request.sale);
  const live = wallet.mode === "live";
  if (model.withdrawn.has(request.sale.goods)) return refused("PRODUCT_UNAVAILABLE");
  if (live && total > transactionLimit) return refused("TRANSACTION_LIMIT_EXCEEDED");
  if (total > wallet.balance) return refused("INSUFFICIENT_BALANCE");
  return exceedsDay(model, wallet, total) ? refused("DAILY_LIMIT_EXCEEDED") : null;
}

export function exceedsDay(model: Model, wallet: ModelWallet, total: bigint): boolean {
  return wallet.mode === "live" && spentToday(model, wallet) + total > dayLimit;
}

export interface Request {
  readonly reference: string;
  readonly sale: Sale;
}

export function sameSale(a: Sale, b: Sale): boolean {
  return a.goods === b.goods && a.suffix === b.suffix;
}

/** C1. */
export function charge(model: Model, wallet: ModelWallet, { reference, sale }: Request): ModelPurchase {
  const purchase: ModelPurchase = {
    reference,
    sale,
    number: BigInt(wallet.purchases.size + 1),
    balanceBefore: wallet.balance,
    day: model.day,
    status: "pending",
    errorCode: null,
    epoch: 0,
    attempt: 1,
    queued: false,
    received: false,
    calls: 0,
  };
  wallet.balance -= totalOf(sale);
  wallet.entries += 1n;
  wallet.purchases.set(reference, purchase);
  return purchase;
}

export type Verdict = "successful" | "failed" | "unknown";

/** What the request itself learns in sandbox. */
export function sandboxVerdict({ suffix }: Sale): Verdict {
  if (suffix === "0002") return "failed";
  return suffix === "0003" || suffix === "0004" ? "unknown" : "successful";
}

/** A live attempt's supplier gets its request. */
export function receive(purchase: ModelPurchase): Verdict {
  purchase.received = true;
  const script = scriptOf(purchase.sale.suffix, purchase.attempt);
  if (script.answer !== "truth") return "unknown";
  return script.vends ? "successful" : "failed";
}

/** Every decline here speaks of the supplier, so it leads on to the next one while there is one. */
export function hasNext(purchase: ModelPurchase): boolean {
  return purchase.attempt < supplierNames.length;
}

export function reroute(purchase: ModelPurchase, queued: boolean): void {
  purchase.attempt += 1;
  purchase.queued = queued;
  purchase.received = false;
  purchase.calls = 0;
}

/** What the request itself learns, of one supplier after the other. */
export function vendAll(wallet: ModelWallet, purchase: ModelPurchase): Verdict {
  if (wallet.mode === "test") return sandboxVerdict(purchase.sale);
  let verdict = receive(purchase);
  while (verdict === "failed" && hasNext(purchase)) {
    reroute(purchase, false);
    verdict = receive(purchase);
  }
  return verdict;
}

/** What asking again tells. */
function laterVerdict(wallet: ModelWallet, purchase: ModelPurchase): Verdict {
  const { suffix } = purchase.sale;
  if (wallet.mode === "test") return suffix === "0002" || suffix === "0004" ? "failed" : "successful";
  if (!purchase.received) return "failed";
  const script = scriptOf(suffix, purchase.attempt);
  purchase.calls += 1;
  if (purchase.calls <= script.silentFor) return "unknown";
  return script.vends ? "successful" : "failed";
}

/** C2, the only door to a final status. */
export function settle(wallet: ModelWallet, purchase: ModelPurchase, verdict: Verdict): void {
  if (purchase.status !== "pending" || verdict === "unknown") return;
  purchase.status = verdict;
  if (verdict === "successful") return;
  purchase.errorCode = wallet.mode === "test" ? "SANDBOX_FORCED_FAILURE" : "PROVIDER_DECLINED";
  wallet.balance += totalOf(purchase.sale);
  wallet.entries += 1n;
}

interface ModelClaim {
  readonly wallet: ModelWallet;
  readonly purchase: ModelPurchase;
  /** This claim, and no later one, may send it. */
  readonly wasQueued: boolean;
}

/** A worker claims whatever is pending, of all wallets. */
export function claimAll(model: Model): ModelClaim[] {
  const claims = model.wallets.flatMap((wallet) =>
    [...wallet.purchases.values()]
      .filter((purchase) => purchase.status === "pending")
      .map((purchase): ModelClaim => ({ wallet, purchase, wasQueued: purchase.queued })),
  );
  for (const { purchase } of claims) {
    purchase.epoch += 1;
    purchase.queued = false;
  }
  return claims;
}

/** … and asks what became of it, or sends it. */
export function resolveAll(model: Model): void {
  for (const { wallet, purchase, wasQueued } of claimAll(model)) {
    const verdict = wasQueued ? receive(purchase) : laterVerdict(wallet, purchase);
    if (verdict === "failed" && wallet.mode === "live" && hasNext(purchase)) reroute(purchase, true);
    else settle(wallet, purchase, verdict);
  }
}

export function bought(purchase: ModelPurchase, replayed: boolean, status = purchase.status): Answer {
  const { number, balanceBefore } = purchase;
  return { kind: "bought", replayed, status, number, balanceBefore, total: totalOf(purchase.sale) };
}

export function refused(code: string): Answer {
  return { kind: "refused", code };
}
