import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import { channels, purchaseStatuses } from "../../domain/purchases/purchase.ts";
import { noFilter } from "../../domain/transaction-lists/list.ts";
import type { PurchaseFilter } from "../../domain/transaction-lists/list-queries.ts";
import { partOf, seek } from "../../domain/transaction-lists/seek.ts";
import { parseInstant, type WallTime } from "../../kernel/clock.ts";
import { firstPurchaseIdAt, type TransactionIds } from "../../kernel/ids.ts";
import { readNumber } from "../../kernel/phone.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { ModeVisit } from "../kit/visit.ts";

/** What the address of a list of transactions asks for. */
export interface TransactionQuery {
  readonly filter: PurchaseFilter;
  /** From 1 to `lastListPage`. */
  readonly page: number;
  /** The filters as they stand in the address, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly isFiltered: boolean;
  /** Something was typed that may be a part of a number. */
  readonly isPart: boolean;
  /** The same list, with these parameters besides. */
  href(more: Readonly<Record<string, string>>, path?: string): string;
}

/**
 * The last page that the list shows: 10,000 rows down. A page costs reading the rows before it on its day (a hundred
 * thousand took 0.6 s out of ten million); who looks for something older says when it was.
 */
export const lastListPage = 200;

const names = ["q", "status", "category", "network", "channel", "from", "to", "bulk"] as const;

/** Reads a list's address. What can't be read filters nothing; a search for what nothing can be called finds nothing. */
export async function readListQuery(
  { query, mode, wallet }: ModeVisit,
  context: {
    readonly database: Queryable;
    readonly products: CatalogueSnapshot;
    readonly wallTime: WallTime;
    readonly transactionIds: TransactionIds;
  },
): Promise<TransactionQuery> {
  const values = new Map(
    names.flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
  const one = <T extends string>(name: (typeof names)[number], allowed: readonly T[]) =>
    allowed.find((value) => value === values.get(name)) ?? null;
  const bound = (name: "from" | "to") => {
    const instant = parseInstant(values.get(name) ?? "", context.wallTime, name === "from" ? "start" : "end");
    return instant === null ? null : firstPurchaseIdAt(instant);
  };
  const time = { fromId: bound("from"), beforeId: bound("to") };
  const [bulk, q] = [values.get("bulk") ?? null, values.get("q") ?? null];
  const filter: PurchaseFilter = {
    ...noFilter,
    ...time,
    status: one("status", purchaseStatuses),
    channel: one("channel", channels),
    productIds: productsOf(values, context.products),
    bulkReference: bulk,
    // Of one order, only the number is looked for.
    ...(q === null ? {} : bulk === null ? await seek(context, wallet, q, time) : { customerRef: readNumber(q) }),
  };
  return {
    filter,
    page: Math.min(lastListPage, Math.max(1, Math.floor(Number(query.get("page") ?? 1)) || 1)),
    values,
    isPart: q !== null && bulk === null && partOf(q) !== null,
    isFiltered: values.size > 0,
    href: (more, path = "/transactions") =>
      `/${mode}${path}?${new URLSearchParams([...values, ...Object.entries(more)])}`,
  };
}

/** Category and network are facts of the product, so they become a list of products. */
function productsOf(values: ReadonlyMap<string, string>, { products }: CatalogueSnapshot): number[] | null {
  const category = values.get("category");
  const network = values.get("network");
  if (category === undefined && network === undefined) return null;
  return products
    .filter(
      ({ biller }) =>
        (category ?? biller.category) === biller.category && (network ?? biller.network) === biller.network,
    )
    .map(({ id }) => id);
}
