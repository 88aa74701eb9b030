import type { PurchaseId } from "../../../kernel/ids.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { numberIn } from "../../kit/visit.ts";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { type PurchaseRow, purchaseColumns, purchasePath, purchaseRows } from "../transactions/purchase.tsx";
import { type Found, findHits } from "./hits.ts";
import { savedViewPages } from "./saved-views.tsx";

const lengthMax = 100;
/** On the page, and in the list under the box. */
const salesShown = { page: 20, list: 6 };

/** The one box over every page: whatever somebody knows of a sale, a customer, a product, or of what they want to do. */
export function findPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/search", { capability: "look", show: (visit) => findPage(services, visit) });
  savedViewPages(routes, services);
}

/** What was found by the box; one thing alone is opened. The list under the box asks for a part, and is never led on. */
async function findPage(services: MerchantServices, visit: ModeVisit): Promise<Answer> {
  const text = (visit.query.get("q") ?? "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, lengthMax);
  if (text === "") return nothingTyped();
  const beforeId = numberIn(visit, "before") as PurchaseId | null;
  const isList = visit.request.headers["x-fragment"] !== undefined;
  const salesMax = isList ? salesShown.list : salesShown.page;
  const found = await findHits(services, visit, { text, beforeId, salesMax });
  const only = beforeId === null && !isList ? onlyHit(visit, text, found) : null;
  if (only !== null) return goTo(only);
  return foundPage(text, found, purchaseRows(found.sales.purchases, await services.catalogue.current()));
}

/** Where the one thing is that was found; null where there are several, or where older sales may be meant as well. */
function onlyHit(visit: ModeVisit, text: string, { sales, groups }: Found): string | null {
  // The lines of an order that is named are found in the order.
  const isOrder = groups.some(({ hits }) => hits.some(({ href }) => href === visit.to(`bulk/${text}`)));
  const hits = [
    ...sales.purchases
      .filter(({ bulk }) => !isOrder || bulk?.reference !== text)
      .map(({ reference }) => purchasePath(visit, reference)),
    ...groups.flatMap((group) => group.hits.map(({ href }) => href)),
  ];
  const [only = null, second] = hits;
  return second === undefined && sales.searchedFrom === null ? only : null;
}

function nothingTyped(): PageAnswer {
  return page(
    { title: "Search" },
    <Sheet>
      <Empty title="Type what you know">
        A reference, a transaction ID, a phone or meter number or its last four digits, a bulk order, a product, or what
        you want to do.
      </Empty>
    </Sheet>,
  );
}

function foundPage(text: string, found: Found, rows: readonly PurchaseRow[]): PageAnswer {
  return page(
    { title: "Search", note: `“${text}”` },
    <div id="found">
      <Sales text={text} found={found} rows={rows} />
      {found.groups.map(({ title, hits, more }) => (
        <Sheet key={title} title={title} isPadded={false} note={more === null ? undefined : <a href={more}>See all</a>}>
          <ul class="hits">
            {hits.map((hit) => (
              <li key={`${hit.title} ${hit.href}`}>
                <a href={hit.href}>{hit.title}</a>
                {hit.note === undefined ? null : <span class="quiet">{hit.note}</span>}
              </li>
            ))}
          </ul>
        </Sheet>
      ))}
    </div>,
  );
}

/** The sales, how far back was searched for part of a number, and the way to older ones. */
function Sales({ text, found, rows }: { text: string; found: Found; rows: readonly PurchaseRow[] }) {
  const visit = useVisit();
  const { hasMore, searchedFrom } = found.sales;
  const inList = visit.to(`transactions?${new URLSearchParams({ q: text })}`);
  const back =
    searchedFrom === null ? null : (
      <p>
        We’ve searched your sales back to <Moment at={searchedFrom.at} />.{" "}
        <a href={visit.to(`search?${new URLSearchParams({ q: text, before: String(searchedFrom.id) })}`)}>
          Search further back
        </a>
      </p>
    );
  if (rows.length === 0 && found.groups.length > 0) return back;
  if (rows.length === 0) {
    return (
      <Sheet>
        <Empty
          title={`Nothing matches “${text}”`}
          action={<ButtonLink href={visit.to("transactions")}>See all transactions</ButtonLink>}
        >
          Check the spelling, or type fewer words. Part of a number needs at least 4 digits.
        </Empty>
        {back}
      </Sheet>
    );
  }
  return (
    <>
      <TableSheet
        title="Sales"
        note={hasMore ? <a href={inList}>See all</a> : undefined}
        caption={hasMore ? "The newest sales that match" : "Sales that match, newest first"}
        rows={rows}
        columns={purchaseColumns()}
        href={({ purchase }) => purchasePath(visit, purchase.reference)}
      />
      {back}
    </>
  );
}
