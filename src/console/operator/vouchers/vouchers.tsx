import { type ImportId, listImports, type VoucherImport } from "../../../domain/suppliers/vouchers/import-queries.ts";
import { listLevels, listUnsellable, type StockLevel } from "../../../domain/suppliers/vouchers/level-queries.ts";
import { usualThreshold } from "../../../domain/suppliers/vouchers/stock.ts";
import { hasStopped } from "../../../domain/suppliers/vouchers/uploaded-import.ts";
import { dayMs } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Status } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

export const vouchersPath = "/operator/vouchers";
/** Sales of so many days say how long the stock lasts. */
export const paceDays = 7;
/** The list counts a stock to about so many days of sales, and no further. */
const countedDays = 60;
const importsShown = 20;

/** Our own stock of PINs and codes: what is left of each product, how long it lasts, and what was imported. */
export function voucherPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(vouchersPath, { capability: "see_suppliers", show: (visit) => vouchersPage(services, visit) });
}

export function productPath(id: ProductId): string {
  return `${vouchersPath}/products/${id}`;
}

export function importPath(id: ImportId): string {
  return `${vouchersPath}/imports/${id}`;
}

/** The levels of all products that are sold from stock, with their sales of the last seven days. */
export function readLevels({ reads, people, wallTime }: OperatorServices): Promise<StockLevel[]> {
  const now = people.clock.now();
  const [day, soldSince] = [wallTime.dayOf(now).date, now - paceDays * dayMs];
  return listLevels(reads, { day, usualThreshold, soldSince, times: countedDays / paceDays });
}

/** How long so many last at the pace of the last days: `2.5 days`, `over 40 days`; null where none was sold. */
export function lastsText(left: number, sold: number, isMore = false): string | null {
  if (sold === 0) return null;
  const days = left / (sold / paceDays);
  const text = days < 10 ? days.toFixed(1) : grouped(Math.floor(days));
  return `${isMore ? "over " : ""}${text} ${text === "1" ? "day" : "days"}`;
}

async function vouchersPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const { reads, people } = services;
  const [levels, imports, unsellable] = await Promise.all([
    readLevels(services),
    listImports(reads, importsShown),
    listUnsellable(reads, importsShown),
  ]);
  const upload = visit.may("upload_vouchers") ? (
    <ButtonLink href={`${vouchersPath}/import`} kind="main">
      Import vouchers
    </ButtonLink>
  ) : undefined;
  return page(
    { title: "Vouchers", note: "Our own stock of PINs and codes", actions: upload },
    <>
      <StockTable levels={levels} />
      {unsellable.length === 0 ? null : (
        <TableSheet
          title="Can’t be sold"
          note="No route leads to these vouchers"
          caption="Vouchers without a route"
          rows={unsellable}
          href={({ productId }) => productPath(productId)}
          isPlain
          columns={[{ title: "Product", cell: ({ productId, product }) => `${productId} ${product}`, place: "lead" }]}
        />
      )}
      {imports.length === 0 ? null : <ImportTable imports={imports} now={people.clock.now()} />}
    </>,
  );
}

function StockTable({ levels }: { readonly levels: readonly StockLevel[] }) {
  return (
    <TableSheet
      title="Stock"
      caption="Stock by product"
      rows={levels}
      href={({ productId }) => productPath(productId)}
      columns={[
        { title: "Product", cell: ({ productId, product }) => `${productId} ${product}`, place: "lead" },
        { title: "Free", cell: (level) => <Free {...level} />, place: "amount" },
        { title: "Lasts", cell: ({ left, sold, isMore }) => lastsText(left, sold, isMore) ?? "–", align: "end" },
        { title: `Sold, ${paceDays} days`, cell: ({ sold }) => grouped(sold), align: "end" },
        { title: "Low at", cell: ({ lowAt }) => grouped(lowAt), align: "end", isExtra: true },
      ]}
      empty={
        <Empty title="Nothing is sold from stock">
          Products appear here once a route leads to a supplier of the kind voucher-stock.
        </Empty>
      }
    />
  );
}

function Free({ left, lowAt, isMore }: StockLevel) {
  if (left === 0) return <Status kind="bad">None left</Status>;
  if (left <= lowAt) return <Status kind="waiting">{`${grouped(left)}, low`}</Status>;
  return <>{isMore ? `over ${grouped(left - 1)}` : grouped(left)}</>;
}

function ImportTable({ imports, now }: { readonly imports: readonly VoucherImport[]; readonly now: number }) {
  return (
    <TableSheet
      title="Imports"
      note={`The latest ${importsShown}, kept for 30 days`}
      caption="Imports, the latest first"
      rows={imports}
      href={({ id }) => importPath(id)}
      columns={[
        { title: "Product", cell: ({ product }) => product, place: "lead" },
        { title: "File", cell: ({ batch }) => batch, place: "sub" },
        { title: "Vouchers", cell: ({ vouchers }) => grouped(vouchers), place: "amount" },
        { title: "By", cell: ({ madeBy }) => madeBy, place: "sub", isExtra: true },
        { title: "Uploaded", cell: ({ startedAt }) => <Moment at={startedAt} style="list" />, place: "sub" },
        { title: "State", cell: (one) => <ImportState one={one} now={now} />, place: "state" },
      ]}
    />
  );
}

export function ImportState({ one, now }: { readonly one: VoucherImport; readonly now: number }) {
  if (hasStopped(one, now)) return <Status kind="bad">Stopped</Status>;
  return importStates.status(one.state);
}

export const importStates = states({
  reading: ["Reading", "waiting"],
  ready: ["Not on sale yet", "waiting"],
  unreadable: ["Can’t be read", "bad"],
  on_sale: ["On sale", "good"],
  cancelled: ["Cancelled", "quiet"],
});
