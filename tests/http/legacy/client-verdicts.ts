import type pg from "pg";
import type { Network } from "../../../src/kernel/phone.ts";
import type { ClientProfile, Conclusion } from "./client-profile.ts";
import { clientProfiles } from "./client-profiles.ts";
import type { ShopOrder } from "./client-requests.ts";

/** What a client concluded about its purchase. */
export interface Play {
  readonly profile: ClientProfile;
  readonly order: ShopOrder;
  readonly conclusion: Conclusion;
  /** How many purchases an earlier order for the same number has left in the database. */
  readonly purchasesBefore?: number;
}

/**
 * `wrong`: it books as sold what was not, pays back what was or may yet be delivered, or has bought on another network.
 * `doubt`: it is left without knowing. `cannot buy`: it is refused what others buy.
 */
export type Verdict = "right" | "doubt" | "cannot buy" | "wrong";

export interface SoldRow {
  readonly phone: string;
  readonly status: "successful" | "pending" | "failed";
  readonly network: Network;
}

/** Every purchase in the database, oldest first. */
export async function listSold(pool: Pick<pg.Pool, "query">): Promise<readonly SoldRow[]> {
  const { rows } = await pool.query<SoldRow>(
    `select p.phone, p.status, b.network
       from purchases p
       join products pr on pr.id = p.product_id
       join billers b on b.slug = pr.biller_slug
      order by p.id`,
  );
  return rows;
}

/** Compares what the client concluded with what is true. `sells`: the case is one in which everybody can buy. */
export function verdictOf(
  { conclusion, order, purchasesBefore = 0 }: Play,
  sold: readonly SoldRow[],
  sells: boolean,
): Verdict {
  const [purchase, second] = sold.filter(({ phone }) => phone === order.phone).slice(purchasesBefore);
  if (second !== undefined) return "wrong";
  if (purchase !== undefined && purchase.network !== order.network) return "wrong";
  if (conclusion === "success") return purchase?.status === "successful" ? "right" : "wrong";
  if (conclusion === "failed") {
    if (purchase === undefined && sells) return "cannot buy";
    return purchase === undefined || purchase.status === "failed" ? "right" : "wrong";
  }
  return conclusion === "pending" && purchase?.status === "pending" ? "right" : "doubt";
}

const marks: Readonly<Record<Verdict, string>> = { right: "+", doubt: "?", "cannot buy": "-", wrong: "X" };
const worstFirst: readonly Verdict[] = ["wrong", "cannot buy", "doubt", "right"];

/** The worst of several verdicts. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return worstFirst.find((verdict) => verdicts.includes(verdict)) ?? "right";
}

/** By case, what each client's conclusions are worth. */
export type Verdicts = ReadonlyMap<string, ReadonlyMap<ClientProfile, Verdict>>;

/** A client in a line, a case in a column. */
export function tableOf(verdicts: Verdicts): string {
  const cases = [...verdicts.keys()];
  const lines = clientProfiles.map((profile) => {
    const cells = cases.map((name) => marks[verdicts.get(name)?.get(profile) ?? "right"]);
    return `${profile.name.padEnd(8)} ${profile.language.padEnd(6)} ${cells.join("  ")}`;
  });
  const legend = cases.map((name, index) => `  ${String.fromCharCode(97 + index)} ${name}`);
  const head = `${" ".repeat(16)}${cases.map((_, index) => String.fromCharCode(97 + index)).join("  ")}`;
  return [head, ...lines, "+ right  ? doubt  - cannot buy  X wrong", ...legend, ""].join("\n");
}
