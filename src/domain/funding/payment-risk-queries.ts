import type { Instant } from "../../kernel/clock.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";

/** Payments that a person should look at. */
export interface PaymentRisks {
  /** Verified, nobody's, and not given back. */
  readonly unmatched: { readonly count: number; readonly total: Kobo; readonly since: Instant | null };
  /** Not verified for so long. */
  readonly unverified: { readonly count: number; readonly since: Instant | null };
  /** Their providers said something else later, and no person has ended that. */
  readonly contradicted: number;
  /** Taken back after they were spent, and what merchants still owe of such. */
  readonly debts: { readonly payments: number; readonly merchants: number; readonly total: Kobo };
}

const findRisks = statement(
  "find_payment_risks",
  `select u.unmatched, u.total, u.since, h.unverified, h.since as "unverifiedSince", d.merchants, d.debts, t.payments,
          c.contradicted
     from (
            select count(*)::integer as unmatched, coalesce(sum(p.amount), 0)::bigint as total, min(p.heard_at) as since
              from payments p
             where p.state = 'unmatched' and p.taken_back = 0
          ) u
    cross join (
            select count(*)::integer as unverified, min(p.heard_at) as since
              from payments p
             where p.state = 'heard' and p.due_at is not null and p.heard_at < $1
          ) h
    cross join (
            select count(*)::integer as merchants, coalesce(sum(w.debt), 0)::bigint as debts
              from wallets w
             where w.debt > 0
          ) d
    cross join (
            select count(*)::integer as payments
              from wallets w
              join payments p
                on p.wallet_id = w.wallet_id
             where w.debt > 0 and p.taken_back > 0
          ) t
    cross join (
            select count(*)::integer as contradicted
              from payments p
             where p.contradiction is not null and p.contradiction_end is null
          ) c`,
);

interface RiskRow {
  readonly unmatched: number;
  readonly total: Kobo;
  readonly since: Instant | null;
  readonly unverified: number;
  readonly unverifiedSince: Instant | null;
  readonly merchants: number;
  readonly debts: Kobo;
  readonly payments: number;
  readonly contradicted: number;
}

/** Few rows, by their own indexes. `receivedBefore`: what was heard of then should be verified. */
export async function findPaymentRisks(db: Queryable, receivedBefore: Instant): Promise<PaymentRisks> {
  const [row] = await db.query<RiskRow>(findRisks, [new Date(receivedBefore)]);
  const { unmatched = 0, total = zeroKobo, since = null, unverified = 0, unverifiedSince = null } = row ?? {};
  return {
    unmatched: { count: unmatched, total, since },
    unverified: { count: unverified, since: unverifiedSince },
    contradicted: row?.contradicted ?? 0,
    debts: { payments: row?.payments ?? 0, merchants: row?.merchants ?? 0, total: row?.debts ?? zeroKobo },
  };
}

/** A provider that tells nothing for longer than it usually does. */
export interface SilentProvider {
  readonly provider: string;
  readonly lastAt: Instant;
  /** Its longest silence of the two weeks before the last event, to the hour. */
  readonly usualMs: number;
}

// From hour to hour with an event, by the index: some hundred steps, however many events there are; none for a provider
// that told something lately.
const listSilent = statement(
  "list_silent_payment_providers",
  `with recursive last as (
     select v.name as provider,
            (
              select max(p.heard_at)
                from payments p
               where p.provider = v.name and p.heard_by = 'event'
            ) as at
       from payment_providers v
      where v.state = 'enabled'
   ),
   hours as (
     select l.provider, l.at as last_at,
            (
              select min(p.heard_at)
                from payments p
               where p.provider = l.provider and p.heard_by = 'event' and p.heard_at >= l.at - interval '14 days'
            ) as at
       from last l
      where l.at < $1::timestamptz - interval '2 hours'
      union all
     select h.provider, h.last_at,
            (
              select min(p.heard_at)
                from payments p
               where p.provider = h.provider
                 and p.heard_by = 'event'
                 and p.heard_at >= date_trunc('hour', h.at) + interval '1 hour'
            )
       from hours h
      where h.at is not null
   ),
   gaps as (
     select h.provider, h.last_at, h.at - lag(h.at) over (partition by h.provider order by h.at) as gap
       from hours h
      where h.at is not null
   )
   select g.provider, g.last_at as "lastAt", (extract(epoch from max(g.gap)) * 1000)::float8 as "usualMs"
     from gaps g
    group by g.provider, g.last_at
   having $1::timestamptz - g.last_at > 3 * max(g.gap)
    order by g.provider`,
);

/** Enabled providers without an event for two hours and three times their longest silence. One that never had two is none. */
export function listSilentProviders(db: Queryable, now: Instant): Promise<SilentProvider[]> {
  return db.query<SilentProvider>(listSilent, [new Date(now)]);
}

/** How a provider does, beside its settings. */
export interface ProviderStanding {
  readonly provider: string;
  /** Receiving accounts that merchants have there. */
  readonly accounts: number;
  /** Merchants whom it refused one. */
  readonly refused: number;
  readonly lastEventAt: Instant | null;
  /** Up to when its own list was read. */
  readonly listedTo: Instant;
}

const listStandings = statement(
  "list_payment_provider_standings",
  `select v.name as provider,
          a.accounts,
          a.refused,
          (
            select max(p.heard_at)
              from payments p
             where p.provider = v.name and p.heard_by = 'event'
          ) as "lastEventAt",
          v.listed_to as "listedTo"
     from payment_providers v
    cross join lateral (
            select count(*) filter (where f.state = 'active')::integer as accounts,
                   count(*) filter (where f.state = 'refused')::integer as refused
              from funding_accounts f
             where f.provider = v.name
          ) a
    order by v.name`,
);

/** By name. */
export function listProviderStandings(db: Queryable): Promise<ProviderStanding[]> {
  return db.query<ProviderStanding>(listStandings);
}
