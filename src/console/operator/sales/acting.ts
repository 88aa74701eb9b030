import { findByAnyName, modeOfTransactionId } from "../../../domain/history/search/search.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { openFulfilment } from "../../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import { type Purchase, type SoldProduct, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { findLivePurchase } from "../../../domain/purchases/queries.ts";
import { supplierReferenceOf } from "../../../domain/purchases/settle.ts";
import { giveGoodwill } from "../../../domain/resolution/goodwill.ts";
import type { RequeryResult } from "../../../domain/resolution/requery/requery-supplier.ts";
import { subjectOfSale } from "../../../domain/resolution/review/propose-together.ts";
import type { Fields } from "../../../domain/staff/change-kinds.ts";
import { isGranted } from "../../../domain/staff/change-list-queries.ts";
import { parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { listWebhooksOfPurchase } from "../../../domain/webhooks/events/purchase-webhook-queries.ts";
import { resend } from "../../../domain/webhooks/log/outbox.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { modes } from "../../../kernel/mode.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import { typed } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { refused, wrong } from "../../kit/form.ts";
import { moneyText } from "../../kit/parts/text.tsx";
import { matrix, type StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import { askForTwo, changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import { enter, enterLook } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { salePath } from "./words.ts";

export interface OpenSale {
  readonly purchase: Purchase;
  readonly sold: SoldProduct;
  readonly transactionId: string;
}

/** The sale that the address names by its transaction id; null where there is none. */
export async function openSale(services: OperatorServices, visit: StaffVisit): Promise<OpenSale | null> {
  const { reads: database, transactionIds, people, catalogue } = services;
  const transactionId = visit.param("id");
  const mode = modeOfTransactionId(transactionIds, transactionId);
  if (mode === null) return null;
  const narrowed = { mode, merchantId: null, from: null };
  const [purchase] = await findByAnyName({ database, transactionIds, clock: people.clock }, transactionId, narrowed);
  if (purchase === undefined) return null;
  return { purchase, sold: soldProductOf(await catalogue.current(), purchase), transactionId };
}

function aboutSale({ purchase, transactionId }: OpenSale) {
  return { merchant: formatMerchantId(purchase.wallet.merchantId), sale: transactionId };
}

/** Enters in the audit log what somebody is about to do with a sale, before it happens. */
export function enterSale(
  services: OperatorServices,
  visit: StaffVisit,
  sale: OpenSale,
  command: string,
): Promise<void> {
  return enter(services, visit, command, aboutSale(sale));
}

export function enterSaleLook(services: OperatorServices, visit: StaffVisit, sale: OpenSale): Promise<void> {
  return enterLook(services, visit, "console sale look", aboutSale(sale));
}

/** The sale of a change that waited for approval, as it is now. @throws Refusal TRANSACTION_NOT_FOUND */
export async function saleNamed(
  { transactionIds }: Pick<OperatorServices, "transactionIds">,
  database: Queryable,
  transactionId: string,
): Promise<Purchase> {
  const id = transactionIds.parse(transactionId, "live");
  const purchase = id === null ? null : await findLivePurchase(database, id);
  if (purchase === null) throw refuse("TRANSACTION_NOT_FOUND");
  return purchase;
}

/** Opens what a sale handed over, for one answer that nobody keeps. */
export async function revealGoods(
  services: OperatorServices,
  visit: StaffVisit,
  sale: OpenSale,
): Promise<JsonObject | null> {
  await enterSale(services, visit, sale, "console sale reveal");
  visit.reply.header("cache-control", "no-store");
  return openFulfilment(services.secretBox, sale.purchase);
}

/** One change at a time that moves a sale's money. */
export const ofSale = {
  subjects: ({ transaction }: Fields) => [subjectOfSale(String(transaction))],
};

const revealKind = "reveal goods";
/** For so long after a second person approved it. */
const grantedMs = 3_600_000;

/** Lets whoever asked see what one sale handed over: not of it is in the approval. */
export const revealing: TwoPeople = {
  kind: revealKind,
  ask: matrix.act_on_sales.roles,
  approve: ["admin", "finance"],
  by: () => ({ carryOut: async () => "Who asked can show the token or PIN on the sale’s page for an hour." }),
};

/** Whether a person may see what a sale handed over: by role, or as a second person allowed it within the hour. */
export async function mayReveal(
  { database, people }: OperatorServices,
  visit: StaffVisit,
  { transactionId: sale }: OpenSale,
): Promise<boolean> {
  if (visit.may("reveal")) return true;
  const since = people.clock.now() - grantedMs;
  return isGranted(database, { kind: revealKind, to: visit.session.person.id, since, sale });
}

export function askToReveal(
  services: OperatorServices,
  visit: StaffVisit,
  sale: OpenSale,
  why: string,
): Promise<Answer> {
  const { purchase, transactionId, sold } = sale;
  const merchant = formatMerchantId(purchase.wallet.merchantId);
  return askForTwo(services, visit, revealing, {
    summary: `Show ${visit.session.person.email} the token or PIN of ${sold.product.name}, ${purchase.reference}`,
    fields: { transaction: transactionId, merchant, reason: readReason(why) },
    doneAt: salePath(services.transactionIds, purchase),
  });
}

export const resending: TwoPeople = {
  kind: "resend webhook",
  ask: matrix.act_on_sales.roles,
  approve: ["admin", "finance"],
  by: () => ({
    async carryOut(database, { fields: { merchant, mode, delivery } }) {
      const [merchantId, id] = [parseMerchantId(String(merchant)), parseDeliveryId(String(delivery))];
      if (merchantId === null || id === null) throw refuse("DELIVERY_NOT_FOUND");
      await resend(database, { merchantId, mode: modes.find((each) => each === mode) ?? "live" }, id);
      return "Resending now, with the same ID and body. The answer appears in the timeline in a moment.";
    },
  }),
};

/** Sends the webhook about a sale's end once more, or asks for it. @throws Refusal DELIVERY_NOT_FOUND, DELIVERY_NOT_RESENDABLE */
export async function resendOrAsk(
  services: OperatorServices,
  visit: StaffVisit,
  { purchase, transactionId }: OpenSale,
  delivery: string,
): Promise<Answer> {
  const { wallet, id, reference } = purchase;
  const webhook = (await listWebhooksOfPurchase(services.reads, wallet, id)).find((each) => each.id === delivery);
  if (webhook === undefined) throw refuse("DELIVERY_NOT_FOUND");
  const merchant = formatMerchantId(wallet.merchantId);
  return changeOrAsk(services, visit, resending, {
    ...{ mayAlone: visit.may("reveal"), command: "console webhook resend" },
    summary: `Resend ${webhook.event} of ${reference} to webhook ${webhook.endpointNumber} of ${merchant}`,
    fields: { transaction: transactionId, merchant, mode: wallet.mode, delivery },
    doneAt: salePath(services.transactionIds, purchase),
  });
}

/** Whether the supplier of a sale can be asked about it: of what has ended nobody asks, and the sandbox has no supplier. */
export function canAskSupplier({ status, supplier }: Purchase): boolean {
  return status === "pending" && supplier !== null;
}

/** Asks the supplier of a pending sale what became of it, now: its answer is applied like every other. */
export async function askSupplier(
  services: OperatorServices,
  visit: StaffVisit,
  sale: OpenSale,
  doneAt: string,
): Promise<Answer> {
  const { purchase } = sale;
  const { supplier } = purchase;
  if (!canAskSupplier(purchase) || supplier === null) return goBack(doneAt, "This sale has ended. Nobody was asked.");
  await enterSale(services, visit, sale, "console sale ask supplier");
  const reference = supplierReferenceOf(services.transactionIds, purchase);
  const source = `console: ${visit.session.person.email}`;
  const result = await services.requery(supplier, reference, { source, providerReference: null });
  const present = await saleNamed(services, services.database, sale.transactionId);
  if (present.status !== "pending") {
    return goTo(doneAt, `${supplier} answered: ${present.status === "successful" ? "delivered" : "not delivered"}.`);
  }
  return goTo(doneAt, sentenceOf(result, supplier));
}

function sentenceOf(result: RequeryResult, supplier: string): string {
  if (result === "not_sent_yet") return `${supplier} wasn’t asked: the sale isn’t sent yet, or is being worked on.`;
  if (result === "not_ours") return `${supplier} wasn’t asked: the sale is at another supplier now.`;
  return `${supplier} was asked and doesn’t say yet whether it delivered. The sale stays pending.`;
}

const reasonMax = 200;

/** Why something is done about a sale, in words that a second person understands. */
function readReason(reason: string): string {
  if (reason.length >= 10 && reason.length <= reasonMax) return reason;
  throw wrong("why", `Say why in 10 to ${reasonMax} characters.`);
}

/** A refund of a delivered sale; a second person approves it. */
export const goodwill = changeOfTwo({
  at: "/operator/sales/:id/refund",
  may: "act_on_sales",
  doneAt: ({ param }) => `/operator/sales/${param("id")}`,
  find: openSale,
  fields: fields({
    reason: typed("Reason", { read: readReason }, { hint: "The merchant sees it.", lengthMax: reasonMax }),
  }),
  check(_values, { purchase }) {
    if (!canRefund(purchase)) throw refused("This sale can’t be refunded as goodwill.");
  },
  looks: ({ purchase }) => ({ submit: `Refund ${moneyText(purchase.total)}` }),
  kind: "goodwill refund",
  ...ofSale,
  approve: ["admin", "finance"],
  summary({ found: { purchase, sold } }) {
    const merchant = formatMerchantId(purchase.wallet.merchantId);
    return `Refund ${moneyText(purchase.total)} to ${merchant} as goodwill for ${sold.product.name}, ${purchase.reference}`;
  },
  freeze: ({ found: { purchase, transactionId: transaction }, values }) => ({
    ...{ transaction, merchant: formatMerchantId(purchase.wallet.merchantId), amount: moneyText(purchase.total) },
    ...values,
  }),
  async run(services, { reason }, { transaction }) {
    const purchase = await saleNamed(services, services.database, String(transaction));
    await giveGoodwill(services.database, purchase, { reason });
    return `${moneyText(purchase.total)} went back to the merchant. The sale stays delivered.`;
  },
});

/** Whether the price of a sale can be given back: it was delivered, and nothing was given back before. */
export function canRefund({ status, supplier, refundedAt }: Purchase): boolean {
  return status === "successful" && supplier !== null && refundedAt === null;
}
