import type { CategorySlug } from "../../../categories/category-slugs.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { Endpoint, EndpointOwner } from "../endpoints/endpoint.ts";
import { listEndpoints } from "../endpoints/queries.ts";

/** Which changes are being told, and which endpoint was the last to be told. */
interface Round {
  readonly upToId: bigint;
  readonly after: { readonly merchantId: number };
}

// A round that is under way goes on. Else one begins: when the changes have come to rest, or the first has waited long.
const findRoundOf = statement(
  "find_catalogue_round",
  `select coalesce(
            r.up_to_id,
            (
              select case
                       when max(c.changed_at) <= now() - make_interval(secs => $1)
                         or min(c.changed_at) <= now() - make_interval(secs => $2)
                       then max(c.id)
                     end
                from (
                       select n.id, n.changed_at
                         from catalogue_changes n
                        order by n.id
                        limit $3
                     ) c
            )
          ) as "upToId",
          r.merchant_id as "merchantId"
     from catalogue_round r`,
);

/** When a round begins, and how much it tells. */
export interface RoundRule {
  readonly restSeconds: number;
  readonly waitSecondsMax: number;
  readonly changesMax: number;
}

/** The round that is under way, or begins now; null when nothing is to be told. */
export async function findRound(db: Queryable, rule: RoundRule): Promise<Round | null> {
  const [row] = await db.query<{ upToId: bigint | null; merchantId: number }>(findRoundOf, [
    rule.restSeconds,
    rule.waitSecondsMax,
    rule.changesMax,
  ]);
  if (row === undefined || row.upToId === null) return null;
  const { upToId, ...after } = row;
  return { upToId, after };
}

const findRoundLocked = statement(
  "find_catalogue_round_for_update",
  "select r.is_only from catalogue_round r for update",
);

/** Waits for the right to tell, and has it until the transaction ends. What it waited for is read afterwards. */
export async function lockRound(tx: Tx): Promise<void> {
  await tx.query(findRoundLocked);
}

const updateRoundTo = statement(
  "update_catalogue_round",
  `update catalogue_round
      set up_to_id = $1,
          merchant_id = $2`,
);

/** Notes how far a round got; null: it is over. The caller holds the row (`lockRound`). */
export async function updateRound(tx: Tx, round: Round | null): Promise<void> {
  await tx.query(updateRoundTo, [round?.upToId ?? null, round?.after.merchantId ?? 0]);
}

/** A change of the catalogue. */
export interface CatalogueChange {
  readonly kind: "price" | "rate" | "availability" | "name" | "visibility";
  readonly biller: string;
  readonly category: CategorySlug;
  /** Null where a whole category was hidden or shown. */
  readonly product: ProductId | null;
  /** The price tier or the merchant that the change concerns; both null: everyone. */
  readonly tier: number | null;
  readonly merchantId: MerchantId | null;
  /** Price tiers that have a price of their own for the product. */
  readonly pricedTiers: readonly number[];
  readonly changedAt: Instant;
}

const listChangesUpTo = statement(
  "list_catalogue_changes",
  `select c.kind,
          b.slug as biller,
          b.category,
          c.product_id as product,
          c.tier,
          c.merchant_id as "merchantId",
          array(select t.tier from tier_prices t where t.product_id = c.product_id) as "pricedTiers",
          c.changed_at as "changedAt"
     from catalogue_changes c
     join billers b
       on b.slug = c.biller_slug
    where c.id <= $1
    order by c.id`,
);

export function listChanges(tx: Tx, upToId: bigint): Promise<CatalogueChange[]> {
  return tx.query<CatalogueChange>(listChangesUpTo, [upToId]);
}

/** A merchant that has endpoints, with all that decides which changes concern it. */
export interface Recipient extends EndpointOwner {
  readonly endpoints: readonly Endpoint[];
  readonly isActive: boolean;
  /** In which its keys work. */
  readonly modes: readonly Mode[];
  readonly priceTier: number;
  readonly hiddenCategories: readonly CategorySlug[];
  /** Products that it has prices of its own for. */
  readonly ownPrices: readonly ProductId[];
}

// Each merchant with endpoints has a row of number 1.
const listListenersAfter = statement(
  "list_webhook_listeners_after",
  `select w.merchant_id as "merchantId",
          m.status = 'active' as "isActive",
          case when m.api_approved_at is null then '{test}'::text[] else '{live,test}'::text[] end as modes,
          m.price_tier as "priceTier",
          array(select h.category from hidden_categories h where h.merchant_id = m.id) as "hiddenCategories",
          array(select p.product_id from merchant_prices p where p.merchant_id = m.id) as "ownPrices"
     from webhook_endpoints w
     join merchants m
       on m.id = w.merchant_id
    where w.merchant_id > $1
      and w.endpoint_number = 1
      and exists (
            select 1
              from webhook_endpoints e
             where e.merchant_id = w.merchant_id
               and e.url is not null
               and e.disabled_at is null
          )
    order by w.merchant_id
    limit $2`,
);

/** The next `limit` merchants with an endpoint that is on, in the order of their keys: fewer when no more are behind. */
export async function listRecipients(tx: Tx, after: Round["after"], limit: number): Promise<Recipient[]> {
  const rows = await tx.query<Omit<Recipient, "endpoints">>(listListenersAfter, [after.merchantId, limit]);
  const endpoints = await listEndpoints(tx, rows);
  return rows.map((row, index) => ({ ...row, endpoints: endpoints[index] ?? [] }));
}
