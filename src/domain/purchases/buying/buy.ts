import type { Category, PurchaseIntent } from "../../../categories/category.ts";
import type { Clock, WallTime } from "../../../kernel/clock.ts";
import { type MerchantId, type Reference, type WalletKey, walletIdOf, walletName } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { formatNaira, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { neverRefuse, refuseWhenAway, refuseWhenNotCarriedOut } from "../../../platform/database/refuse-when-away.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { checkTransactionLimit, dailyLimitExceeded, type SpendingLimits } from "../../merchants/limits/limits.ts";
import type { Principal } from "../../merchants/merchant.ts";
import { findWallet } from "../../wallet/queries.ts";
import type { AcceptResult } from "../accept.ts";
import type { FindByReference } from "../find.ts";
import { fingerprintOf } from "../fingerprint.ts";
import { type Channel, type Purchase, type SentTerms, type SoldProduct, soldProductOf } from "../purchase.ts";
import { isBulkReference, type NewPurchase } from "../queries.ts";
import type { VendOrder } from "../vend-request.ts";
import { type Prepare, type PricedIntent, type PurchaseOrder, priceIntent } from "./prepare-purchase.ts";
import { rememberReferences } from "./recent.ts";
import type { Route, RouteFor } from "./route-for.ts";

/** The client's request, parsed: from here on nothing is a bare string. */
export interface PurchaseRequest {
  readonly reference: Reference;
  readonly requested: PurchaseIntent;
  /** The total that the client expects; where it is another one, the purchase is refused. */
  readonly expectedPrice: Kobo | null;
  /** The id that verify answered for the customer's number; an expired one is refused. */
  readonly verificationId: string | null;
  readonly sent: SentTerms;
}

export interface BuyCommand {
  readonly principal: Principal;
  readonly channel: Channel;
  readonly category: Category;
  readonly request: PurchaseRequest;
  /** Whether whoever sent it still waits for its response; absent: to the end. */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Told of a new purchase that is charged and pending, before its supplier is asked. */
  readonly onAccepted?: ((bought: Bought) => void) | undefined;
}

export interface Bought {
  readonly purchase: Purchase;
  readonly soldProduct: SoldProduct;
  /** The reference was used before: this is the original purchase in its present state. */
  readonly replayed: boolean;
  /** How long each step took; absent for a replay. */
  readonly took?: { readonly prepareMs: number; readonly chargeMs: number; readonly supplyMs: number };
}

/** The number that a purchase is for, and whose number it is. */
export interface CustomerNumber {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  readonly category: string;
  readonly billerSlug: string;
  readonly customerRef: string | null;
}

export interface BuyServices {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly log: Logger;
  readonly catalogue: Catalogue;
  readonly routeFor: RouteFor;
  readonly prepare: Prepare;
  readonly accept: (purchase: NewPurchase) => Promise<AcceptResult>;
  /** Asks the supplier of a purchase that is charged. */
  readonly vend: (accepted: Purchase, order: VendOrder) => Promise<Purchase>;
  readonly findByReference: FindByReference;
  /** @throws Refusal VERIFICATION_EXPIRED unless verify answered this id for this number, and it still holds */
  readonly checkVerification: (number: CustomerNumber, verificationId: string) => void;
}

/** What the steps need that only read. */
export type OrderServices = Pick<BuyServices, "catalogue" | "routeFor" | "checkVerification">;

export type Buy = (command: BuyCommand) => Promise<Bought>;

/**
 * Buys once per reference. Two short commits, none open while the supplier is called; one commit when the outcome is
 * certain beforehand. A crash after the first leaves a row whose time comes.
 * @throws Refusal when nothing was created, charged or used up
 */
export function openBuy(services: BuyServices): Buy {
  const recent = rememberReferences();

  return async function buy(command) {
    const startedAt = services.clock.now();
    const name = `${walletIdOf(command.principal)} ${command.request.reference}`;
    const original = recent.has(name) ? await findOriginal(services, command).catch(refuseWhenAway) : null;
    if (original !== null) return original;
    // Nothing is charged until this is done.
    const order = await prepareOrReplay(services, command).catch(refuseWhenAway);
    if ("replayed" in order) return order;

    const preparedAt = services.clock.now();
    const acceptance = await services.accept(order.purchase).catch(refuseWhenNotCarriedOut);
    if (acceptance.kind === "known") return replay(services, command).catch(neverRefuse);
    if (acceptance.kind !== "accepted") {
      throw await refusalOf(services, acceptance, { purchase: order.purchase, limits: command.principal.limits });
    }

    const chargedAt = services.clock.now();
    recent.add(name);
    const { soldProduct } = order;
    const { product } = soldProduct;
    const isPending = acceptance.purchase.status === "pending";
    if (isPending) command.onAccepted?.({ purchase: acceptance.purchase, soldProduct, replayed: false });
    const vendOrder = { product, predicted: order.purchase.predicted, isAwaited: command.isAwaited };
    const purchase = isPending
      ? await services.vend(acceptance.purchase, vendOrder).catch(neverRefuse)
      : acceptance.purchase;
    const supplyMs = services.clock.now() - chargedAt;
    const took = { prepareMs: preparedAt - startedAt, chargeMs: chargedAt - preparedAt, supplyMs };
    return { purchase, soldProduct, replayed: false, took };
  };
}

/** A refusal counts only for a new reference: a replay is never turned into an error by what has changed since. */
async function prepareOrReplay(
  services: BuyServices,
  command: BuyCommand,
): Promise<{ readonly purchase: NewPurchase; readonly soldProduct: SoldProduct } | Bought> {
  const { principal, request } = command;
  try {
    const order = await orderFor(services, command);
    return { purchase: await services.prepare(order), soldProduct: order.priced.soldProduct };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const original = await findOriginal(services, command);
    if (original !== null) return original;
    throw (await isBulkReference(services.database, principal, request.reference))
      ? conflict(request.reference)
      : error;
  }
}

/** Checks, prices and routes a purchase. From memory: nothing is stored or charged. @throws Refusal */
export async function orderFor(services: OrderServices, command: BuyCommand): Promise<PurchaseOrder> {
  const { principal, request } = command;
  const catalogue = await services.catalogue.current();
  const priced = checkAndPrice(services, catalogue, command);
  const route = await services.routeFor(principal, priced.soldProduct.product, priced.price, request.reference);
  // Behind the route: of what nobody can supply, no smaller amount is worth a try.
  checkTransactionLimit(principal.limits, priced.price.total);
  return orderOf(command, priced, route);
}

/** @throws Refusal */
function checkAndPrice(services: OrderServices, catalogue: CatalogueSnapshot, command: BuyCommand): PricedIntent {
  const { principal, category, request } = command;
  const priced = priceIntent(catalogue, principal, category, request.requested);
  if (request.verificationId !== null) {
    services.checkVerification(numberOf(principal, priced), request.verificationId);
  }
  checkExpectedPrice(request.expectedPrice, priced.price.total);
  return priced;
}

function orderOf({ principal, channel, request }: BuyCommand, priced: PricedIntent, route: Route): PurchaseOrder {
  const { reference, sent } = request;
  return { principal, channel, priced, reference, sent, route, bulk: null };
}

function numberOf({ merchantId, mode }: Principal, { soldProduct, requested }: PricedIntent): CustomerNumber {
  const { slug, category } = soldProduct.product.biller;
  return { merchantId, mode, category, billerSlug: slug, customerRef: requested.customerRef };
}

function checkExpectedPrice(expected: Kobo | null, total: Kobo): void {
  if (expected === null || expected === total) return;
  throw refuse("PRICE_CHANGED", {
    message: `The purchase costs ${formatNaira(total)}, not ${formatNaira(expected)}.`,
    meta: { price: formatNaira(total), expected_price: formatNaira(expected) },
  });
}

/** The stored purchase of this reference; null when there is none. @throws Refusal REFERENCE_CONFLICT */
export async function findOriginal(
  services: Pick<BuyServices, "catalogue" | "findByReference">,
  command: BuyCommand,
): Promise<Bought | null> {
  const { merchantId, mode } = command.principal;
  const purchase = await services.findByReference({
    wallet: { merchantId, mode },
    reference: command.request.reference,
  });
  if (purchase === null) return null;
  if (purchase.fingerprint !== fingerprintOf(command.category.slug, command.request.requested.intent)) {
    throw conflict(command.request.reference);
  }
  const catalogue = await services.catalogue.current();
  return { purchase, soldProduct: soldProductOf(catalogue, purchase), replayed: true };
}

async function replay(services: BuyServices, command: BuyCommand): Promise<Bought> {
  const original = await findOriginal(services, command);
  // Stored a moment ago and gone: only a purge of old sandbox purchases in between can do that.
  if (original === null) throw conflict(command.request.reference);
  return original;
}

/** The refusal of a reference that names something else. */
export function conflict(reference: Reference): Refusal {
  return refuse("REFERENCE_CONFLICT", { meta: { reference } });
}

/** Advice for an empty wallet: only a sandbox wallet can be reset. */
const advices: Readonly<Record<Mode, string>> = {
  live: "",
  test: " POST /api/v1/merchant/sandbox/reset fills the sandbox wallet up again.",
};

/** The refusal of what a wallet can't pay, or may not while it owes: then it says so. Reads the wallet. */
export async function insufficientBalance(
  db: Queryable,
  wallet: WalletKey,
  { what, ...sums }: { readonly what: "purchase" | "order"; readonly required: Kobo; readonly balance: Kobo },
): Promise<Refusal> {
  // The refusal is certain: it is given whether or not the reason can be read.
  const debt = (await findWallet(db, wallet).catch(() => null))?.debt ?? zeroKobo;
  const [required, balance] = [formatNaira(sums.required), formatNaira(sums.balance)];
  if (debt > zeroKobo) {
    const naira = formatNaira(debt);
    const message = `Your wallet owes ${naira} of a transfer that was taken back. The next money in pays it first.`;
    return refuse("INSUFFICIENT_BALANCE", { message, meta: { required, balance, debt: naira } });
  }
  const message = `The ${what} costs ${required}, the wallet holds ${balance}.${advices[wallet.mode]}`;
  return refuse("INSUFFICIENT_BALANCE", { message, meta: { required, balance } });
}

async function refusalOf(
  services: BuyServices,
  acceptance: Exclude<AcceptResult, { kind: "accepted" | "known" }>,
  { purchase, limits }: { readonly purchase: NewPurchase; readonly limits: SpendingLimits | null },
): Promise<Refusal> {
  const { terms } = purchase;
  if (acceptance.kind === "insufficient_balance") {
    const sums = { required: terms.total, balance: acceptance.balance };
    return insufficientBalance(services.database, terms.wallet, { what: "purchase", ...sums });
  }
  if (acceptance.kind === "over_daily_limit" && limits !== null) {
    const { clock, wallTime } = services;
    return dailyLimitExceeded(limits, acceptance.spentToday, { now: clock.now(), zone: wallTime });
  }
  if (acceptance.kind === "bulk_reference") return conflict(terms.reference);
  // It waited half a minute for its commit, and a new try gets a new id; or the clock is behind what was counted by a
  // clock that was ahead, and all tries fail until it is past that.
  services.log.warn({ event: "purchase.late", wallet: walletName(terms.wallet) });
  return refuse("MAINTENANCE", { retryAfterSeconds: 1 });
}
