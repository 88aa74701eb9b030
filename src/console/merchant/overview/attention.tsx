import { findRefundedLater, type PendingSum } from "../../../domain/history/sales/sales-queries.ts";
import { listApiKeys, type UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import { soldProductOf } from "../../../domain/purchases/purchase.ts";
import { findPurchase } from "../../../domain/purchases/queries.ts";
import type { Wallet } from "../../../domain/wallet/queries.ts";
import { type Endpoint, formatEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { type EndpointState, listEndpointStates } from "../../../domain/webhooks/endpoints/failing/failing-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import { customerText } from "../../kit/delivered.tsx";
import type { Alert } from "../../kit/parts/data.tsx";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { grouped, momentText, moneyText, spanText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { makerOf } from "../keys/key.tsx";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";
import { lastsText } from "./figures.tsx";

const dayMs = 86_400_000;
/** Most sales end within a second. */
const pendingLongMs = 10 * 60_000;
const refundsDays = 7;
/** A sale is refunded within days of being made. */
const refundableDays = 60;
/** A live key that was not used for so long is better revoked. */
const unusedDays = 60;
const hoursLow = 24;

interface Known {
  readonly now: Instant;
  /** The wallet. */
  readonly found: Wallet | null;
  readonly left: number | null;
  readonly pending: PendingSum;
}

/** What needs somebody, the worst first: each with the way to it, for those who can do something about it. */
export async function attentionFor(services: MerchantServices, visit: ModeVisit, known: Known): Promise<Alert[]> {
  const found = await Promise.all([
    endpointAlerts(services, visit),
    pendingAlert(services, visit, known),
    balanceAlert(visit, known),
    refundAlert(services, visit, known.now),
    unusedKeys(services, visit, known.now),
  ]);
  return found.flat();
}

async function endpointAlerts({ reads, format, clock }: MerchantServices, visit: ModeVisit): Promise<Alert[]> {
  if (!visit.may("develop")) return [];
  const endpoints = await listSetEndpoints(reads, visit.wallet);
  if (endpoints.length === 0) return [];
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(reads, visit.wallet, numbers);
  // `26 Nov,`: what the moments of today begin with.
  const today = momentText(format, clock.now()).replace(/[^,]*$/, "");
  return endpoints.flatMap((endpoint, at) => endpointAlert(format, today, visit, endpoint, states[at]) ?? []);
}

function endpointAlert(
  format: MomentFormat,
  today: string,
  visit: ModeVisit,
  { url, disabledAt, disabledReason, endpointNumber }: Endpoint,
  state: EndpointState | undefined,
): Alert | null {
  const name = (url ?? "").replace(/^https?:\/\//, "");
  const id = formatEndpointId({ merchantId: visit.member.merchantId, endpointNumber });
  if (disabledAt !== null) {
    if (disabledReason === "merchant") return null;
    const why = disabledReason === "gone" ? "answered 410 Gone" : "failed for days";
    return {
      title: `We turned a webhook off on ${momentText(format, disabledAt)}`,
      text: `${name} ${why}. Fix it, then turn it on.`,
      href: visit.to(`webhooks/endpoints/${id}`),
      action: "Open webhook",
    };
  }
  if (state === undefined || state.failingSince === null) return null;
  const dueAt = nextAttemptAt(state);
  const next = dueAt === null ? "" : `; next try at ${format(new Date(dueAt)).minute}`;
  const events = state.waiting === 1 ? "1 event is waiting" : `${grouped(state.waiting)} events are waiting`;
  const since = momentText(format, state.failingSince);
  return {
    title: `Your webhook has been failing since ${since.startsWith(today) ? format(new Date(state.failingSince)).minute : since}`,
    text: state.waiting === 0 ? `Every try to ${name} has failed since then.` : `${name}: ${events}${next}.`,
    href: visit.to(`webhooks/deliveries?endpoint=${id}&status=failed`),
    action: "See deliveries",
  };
}

async function pendingAlert(services: MerchantServices, visit: ModeVisit, known: Known): Promise<Alert[]> {
  const { oldest, purchases } = known.pending;
  if (oldest === null || known.now - oldest.at < pendingLongMs) return [];
  const sale = await saleNamed(services, visit, oldest.id);
  if (sale === null) return [];
  const more = purchases === 1 ? "" : ` ${grouped(purchases - 1)} more pending.`;
  return [
    {
      title: `A sale has been pending for ${spanText(known.now - oldest.at)}`,
      text: `${sale.text}. We don’t know yet whether it was delivered. Don’t sell it again; we’re asking.${more}`,
      ...(purchases === 1
        ? { href: purchasePath(visit, sale.purchase.reference), action: "Open sale" }
        : { href: `${visit.to("transactions")}?status=pending`, action: "See pending sales" }),
      kind: "waiting",
    },
  ];
}

function balanceAlert(visit: ModeVisit, { found, left }: Known): Alert[] {
  if (found === null || !visit.may("see_money")) return [];
  const threshold = found.lowBalanceThreshold;
  const way = { href: visit.to("wallet"), action: "Add money" };
  if (found.debt > 0n) {
    const why = "The bank took back a transfer after it was spent. The next money in pays it first.";
    return [{ title: `Sales are stopped: you owe ${moneyText(found.debt)}`, text: why, ...way }];
  }
  const text = `${moneyText(found.balance)} left.${left === null ? "" : ` ${lastsText(left)}.`}`;
  if (threshold !== null && found.balance < threshold) {
    return [{ title: `Your balance is below your ${moneyText(threshold)} alert`, text, ...way }];
  }
  const isLow = threshold === null && left !== null && left < hoursLow;
  return isLow ? [{ title: "Your balance is low", text, ...way, kind: "waiting" }] : [];
}

async function refundAlert(services: MerchantServices, visit: ModeVisit, now: Instant): Promise<Alert[]> {
  const since = now - refundsDays * dayMs;
  const range = { since, madeSince: now - refundableDays * dayMs };
  const refunded = await findRefundedLater(services.reads, visit.wallet, range);
  const sale = refunded === null ? null : await saleNamed(services, visit, refunded.lastId);
  if (refunded === null || sale === null) return [];
  const { purchases } = refunded;
  const many = `${grouped(purchases)} sales were refunded after delivery in the last ${refundsDays} days`;
  return [
    {
      title: purchases === 1 ? "A sale was refunded after delivery" : many,
      text: `${purchases === 1 ? "" : "The last one: "}${sale.text}. The money is back in your wallet; check with the customer.`,
      href: purchasePath(visit, sale.purchase.reference),
      action: "Open sale",
      kind: "waiting",
    },
  ];
}

/** A sale, and its name: `MTN 2 GB for 0803 123 4567, ₦1,240.00`. */
async function saleNamed({ reads, catalogue }: MerchantServices, visit: ModeVisit, id: PurchaseId) {
  const [purchase, products] = await Promise.all([findPurchase(reads, visit.wallet, id), catalogue.current()]);
  if (purchase === null) return null;
  const { product } = soldProductOf(products, purchase);
  const whom = purchase.customerRef === null ? "" : ` for ${customerText(purchase.customerRef)}`;
  return { purchase, text: `${product.name}${whom}, ${moneyText(purchase.total)}` };
}

async function unusedKeys({ reads }: MerchantServices, visit: ModeVisit, now: Instant): Promise<Alert[]> {
  // A test key can spend nothing.
  const isWatched = { live: true, test: false }[visit.mode];
  if (!visit.may("hold_live_keys") || !isWatched) return [];
  const keys = await listApiKeys(reads, visit.member.merchantId);
  return keys.flatMap((key) => unusedAlert(visit, key, now) ?? []);
}

function unusedAlert(visit: ModeVisit, key: UsedApiKeyRow, now: Instant): Alert | null {
  const unusedMs = now - (key.used_at ?? key.created_at);
  const isOver = key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now);
  if (key.mode !== visit.mode || isOver || unusedMs <= unusedDays * dayMs) return null;
  const days = Math.floor(unusedMs / dayMs);
  const name = key.label === "" ? "" : `“${key.label}” `;
  return {
    title:
      key.used_at === null
        ? `A ${key.mode} key was never used in ${days} days`
        : `A ${key.mode} key hasn’t been used for ${days} days`,
    text: `${name}(${key.first_characters}…${key.last_characters}), created by ${makerOf(key.created_by)}.`,
    href: visit.to(`keys/${formatApiKeyId(key.id)}`),
    action: "Review key",
    kind: "waiting",
  };
}
