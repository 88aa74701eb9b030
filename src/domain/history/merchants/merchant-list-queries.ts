import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

/** How a merchant stands: sells, waits for live access that it asked for, has the sandbox alone, or is suspended. */
export const merchantStates = ["live", "waiting", "sandbox", "suspended"] as const;
export type MerchantState = (typeof merchantStates)[number];

/** A merchant as the company's list shows it. */
export interface ListedMerchant {
  readonly id: MerchantId;
  readonly name: string;
  readonly email: string;
  readonly state: MerchantState;
  readonly createdAt: Instant;
  /** Of its live wallet. */
  readonly balance: Kobo;
  /** When it last bought something live; null where it never did. */
  readonly lastSaleAt: Instant | null;
}

// What is shown of each is looked up for the page's merchants alone.
const list = statement(
  "list_merchants_of_company",
  `select c.id,
          c.name,
          c.email,
          c."createdAt",
          c.state,
          w.balance,
          (select p.purchased_at
             from purchases p
            where p.wallet_id = c.id
            order by p.id desc
            limit 1) as "lastSaleAt"
     from (
            select m.id,
                   m.name,
                   m.email,
                   m.created_at as "createdAt",
                   s.state
              from merchants m
             cross join lateral (
                     select case when m.status = 'suspended' then 'suspended'
                                 when m.api_approved_at is not null then 'live'
                                 when exists (
                                        select 1
                                          from live_access_requests r
                                         where r.merchant_id = m.id and r.requested_at is not null
                                      ) then 'waiting'
                                 else 'sandbox'
                            end as state
                   ) s
             where m.id < $1
               and ($2::text is null
                    or m.id = $3::integer
                    or strpos(lower(m.name), $2) > 0
                    or strpos(lower(m.email), $2) > 0
                    or m.id in (
                         select b.merchant_id
                           from people p
                           join members b on b.person_id = p.id
                          where p.realm = 'merchant' and p.email = $2
                       ))
               and ($4::text is null or s.state = $4)
               and ($6::timestamptz is null
                    or m.id in (
                         select f.merchant_id
                           from webhook_failing_endpoints f
                           join webhook_endpoints e
                             on e.merchant_id = f.merchant_id and e.endpoint_number = f.endpoint_number
                          where f.failing_since <= $6 and e.url is not null and e.disabled_at is null
                       ))
             order by m.id desc
             limit $5
          ) c
     join wallets w on w.wallet_id = c.id
    order by c.id desc`,
);

const afterAll = 2_147_483_647;

/** Merchants by id, the newest first. `text` is part of a name or email; with a digit in it, an id as well. */
export function listCompanyMerchants(
  db: Queryable,
  sought: {
    readonly text: string | null;
    readonly id: MerchantId | null;
    readonly state: MerchantState | null;
    readonly before: MerchantId | null;
    /** Merchants alone whose webhooks have failed since then. */
    readonly failingSince?: Instant | null;
    readonly limit: number;
  },
): Promise<ListedMerchant[]> {
  const { text, id, state, before, failingSince = null, limit } = sought;
  const failing = failingSince === null ? null : new Date(failingSince);
  return db.query<ListedMerchant>(list, [before ?? afterAll, text?.toLowerCase() ?? null, id, state, limit, failing]);
}
