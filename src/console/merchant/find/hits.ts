import { findCategory } from "../../../categories/category-slugs.ts";
import { findBulkOrder, listBulkOrders } from "../../../domain/bulk-orders/queries.ts";
import { type FoundSales, findSales } from "../../../domain/history/search/find-sales.ts";
import { findNamed } from "../../../domain/purchases/find.ts";
import { parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { findDelivery } from "../../../domain/webhooks/log/delivery-queries.ts";
import { type PurchaseId, parseStoredReference } from "../../../kernel/ids.ts";
import { customerText } from "../../kit/delivered.tsx";
import { countText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { customerHref, savedCustomers } from "../buy/customers.ts";
import { isOnOffer, productsWith, wordsOf } from "../buy/offer.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";
import { findDestinations } from "./destinations.ts";
import { hrefOf, viewsOf } from "./saved-views.tsx";

const othersShown = 6;
/** Orders are looked through by part of their reference, so many of the newest. */
const ordersSought = 200;

/** Something that was found, and where it is. */
export interface Hit {
  readonly title: string;
  readonly href: string;
  /** What tells it from its like. */
  readonly note?: string;
}

interface HitGroup {
  readonly title: string;
  readonly hits: readonly Hit[];
  /** The list that has the rest, where not all are shown. */
  readonly more: string | null;
}

export interface Found {
  readonly sales: FoundSales;
  readonly groups: readonly HitGroup[];
}

interface Search {
  readonly text: string;
  /** Sales before this one alone are looked for, and nothing else. */
  readonly beforeId: PurchaseId | null;
  readonly salesMax: number;
}

/** All that the visit's role may see and that the text means. */
export async function findHits(
  services: MerchantServices,
  visit: ModeVisit,
  { text, beforeId, salesMax }: Search,
): Promise<Found> {
  const reading = { ...services, database: services.reads };
  const limited = { beforeId, limit: salesMax };
  if (beforeId !== null) return { sales: await findSales(reading, visit.wallet, text, limited), groups: [] };
  const same = new URLSearchParams({ q: text });
  const kinds: readonly (readonly [title: string, found: Hit[] | Promise<Hit[]>, more: string | null])[] = [
    ["Bulk orders", bulkOrders(services, visit, text), visit.to("bulk")],
    ["Customers", customers(services, visit, text), visit.to(`beneficiaries?${same}`)],
    ["Products", products(services, visit, text), visit.to(`prices?${same}`)],
    ["Webhook deliveries", deliveries(services, visit, text), null],
    ["Saved views", savedViews(services, visit, text), null],
    ["Pages and actions", findDestinations(visit, text), null],
    ["In the other mode", otherMode(services, visit, text), null],
  ];
  const [sales, ...found] = await Promise.all([
    findSales(reading, visit.wallet, text, limited),
    ...kinds.map(([, hits]) => hits),
  ]);
  const groups = kinds.map(([title, , more], at): HitGroup => {
    const hits = found[at] ?? [];
    return { title, hits: hits.slice(0, othersShown), more: hits.length > othersShown ? more : null };
  });
  return { sales, groups: groups.filter(({ hits }) => hits.length > 0) };
}

async function bulkOrders({ reads }: MerchantServices, visit: ModeVisit, text: string): Promise<Hit[]> {
  const reference = parseStoredReference(text);
  if (!visit.may("buy") || reference === null) return [];
  const [named, newest] = await Promise.all([
    findBulkOrder(reads, visit.wallet, reference),
    listBulkOrders(reads, visit.wallet, { beforeId: null, limit: ordersSought }),
  ]);
  const part = text.toLowerCase();
  const alike = newest.filter((order) => order.reference.toLowerCase().includes(part) && order.id !== named?.id);
  return [...(named === null ? [] : [named]), ...(part.length < 3 ? [] : alike)].map((order) => ({
    title: order.reference,
    href: visit.to(`bulk/${encodeURIComponent(order.reference)}`),
    note: countText(order.lines, "line"),
  }));
}

async function customers(services: MerchantServices, visit: ModeVisit, text: string): Promise<Hit[]> {
  if (!visit.may("keep_beneficiaries") || !visit.may("buy") || text.length < 2) return [];
  const [saved, catalogue] = await Promise.all([savedCustomers(services, visit, text), services.catalogue.current()]);
  return saved.map((customer) => ({
    title: `Sell to ${customer.label}`,
    href: customerHref(visit, catalogue, customer),
    note: customerText(customer.number),
  }));
}

/** Products by words, or by their number: other digits are a customer's. */
async function products({ catalogue }: MerchantServices, visit: ModeVisit, text: string): Promise<Hit[]> {
  const words = wordsOf(text);
  if (!words.some((word) => word.length > 1)) return [];
  const isNumber = /^\d+$/.test(text);
  const current = await catalogue.current();
  return productsWith(words, current.billers(visit.buyer))
    .filter(({ id }) => !isNumber || String(id) === text)
    .map((product) => {
      const { id, name, biller } = product;
      const place = visit.may("buy") && isOnOffer(product) ? `buy/${biller.category}?product=${id}` : `prices?q=${id}`;
      return { title: name, href: visit.to(place), note: findCategory(biller.category)?.title ?? biller.category };
    });
}

async function savedViews(services: MerchantServices, visit: ModeVisit, text: string): Promise<Hit[]> {
  const part = text.toLowerCase();
  const views = part.length < 2 ? [] : await viewsOf(services, visit);
  return views
    .filter(({ name }) => name.toLowerCase().includes(part))
    .map((view) => ({ title: view.name, href: hrefOf(visit, view) }));
}

async function deliveries({ reads }: MerchantServices, visit: ModeVisit, text: string): Promise<Hit[]> {
  const id = visit.may("develop") ? parseDeliveryId(text) : null;
  const delivery = id === null ? null : await findDelivery(reads, visit.wallet, id);
  return delivery === null ? [] : [{ title: `Delivery ${id}`, href: visit.to(`webhooks/deliveries/${id}`) }];
}

const otherModes = { live: "test", test: "live" } as const;

/** A sale of that very name in the other mode: who looks for it in the wrong one is told. */
async function otherMode(services: MerchantServices, visit: ModeVisit, text: string): Promise<Hit[]> {
  const mode = otherModes[visit.mode];
  const wallet = { ...visit.wallet, mode } as const;
  const found = await findNamed({ ...services, database: services.reads }, wallet, text);
  if (found === null) return [];
  const to = (path: string) => `/${mode}/${path}`;
  return [{ title: found.reference, href: purchasePath({ ...visit, to }, found.reference), note: `${mode} mode` }];
}
