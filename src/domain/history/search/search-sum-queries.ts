import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable, Statement } from "../../../platform/database/database.ts";
import { type SearchFilter, type SearchPath, searchStatements, searchValues } from "./search-queries.ts";

/** What a search finds, together. */
export interface SearchSums {
  readonly count: number;
  /** What wallets paid. */
  readonly charged: Kobo;
  /** What of it failed, or was taken back later, and went back to them. */
  readonly refunded: Kobo;
}

const sums = `select count(*)::integer as count,
          coalesce(sum(f.total), 0)::bigint as charged,
          coalesce(sum(f.total) filter (where f."refundedAt" is not null), 0)::bigint as refunded
     from (`;

/** The sums of a search's own statement: two constant texts, put together once at the start. */
function sumsOf(name: string, { text, ...search }: Statement): Statement {
  return { ...search, name, text: sums.concat(text, ") f") };
}

const statements: Readonly<Record<SearchPath, Statement>> = {
  everybody: sumsOf("count_purchases_of_everybody", searchStatements.everybody),
  wallet: sumsOf("count_purchases_by_wallet", searchStatements.wallet),
  customer: sumsOf("count_purchases_by_customer", searchStatements.customer),
  pending: sumsOf("count_purchases_in_flight", searchStatements.pending),
};

/** Sums of the newest purchases that fit, of so many at most. */
export async function countFound(
  db: Queryable,
  path: SearchPath,
  filter: SearchFilter,
  limit: number,
): Promise<SearchSums> {
  const [sums] = await db.query<SearchSums>(statements[path], searchValues(path, filter, limit));
  return sums ?? nothingFound;
}

export const nothingFound: SearchSums = { count: 0, charged: 0n as Kobo, refunded: 0n as Kobo };
