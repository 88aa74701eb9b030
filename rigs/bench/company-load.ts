import { randomBytes } from "node:crypto";
import { insertClosedDay } from "../../src/domain/history/closed-days/queries.ts";
import { hashToken } from "../../src/domain/identity/people/sessions.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { firstPurchaseIdAt } from "../../src/kernel/ids.ts";
import { type Database, type Statement, statement } from "../../src/platform/database/database.ts";
import { liftAllLimits, newMerchants, plenty } from "../base/merchants.ts";
import type { Shop } from "../base/shop.ts";
import { writeCheckpoint } from "./database.ts";
import { countAll, loadYear, vacuum, yearMs } from "./growth-load.ts";
import { progress } from "./report.ts";

/** What a folder holds that is loaded: everything to measure it again. */
export interface LoadedCompany {
  readonly rows: number;
  /** The id of the merchant of every second sale. */
  readonly merchantId: number;
  /** Sandbox keys of those who buy beside. */
  readonly buyers: readonly string[];
  /** The live key of the big merchant. */
  readonly liveKey: string;
  /** Sessions of admins, as their browsers keep them. */
  readonly sessions: readonly string[];
  readonly loadSeconds: number;
}

const merchantsLoaded = 1_001;
export const productsOnOffer = 20_000;
/** Of them so many are sold. */
const productsSold = 2_000;
/** A person opens 600 pages a minute. */
const adminsLoaded = 40;
const zone = wallTime("Africa/Lagos");
const dayMs = 86_400_000;

const insertSuppliers = statement(
  "load_bench_suppliers",
  `insert into suppliers (name, connector)
   select name, 'manual' from unnest('{first,second,third}'::text[]) as name`,
);

// Copies of what a fresh installation sells, each with a price for every tier and a route to every supplier.
const insertProducts = statement(
  "load_bench_products",
  `with copied as (
     insert into products (
       id, code, biller_slug, name, plan, plan_type, validity, amount_type, face_amount, price, price_basis_points, attributes
     )
     select 100000 + row_number() over (order by k, p.id), p.code || '-' || k, p.biller_slug, left(p.name || ' ' || k, 150),
            p.plan, p.plan_type, p.validity, p.amount_type, p.face_amount, p.price, p.price_basis_points, p.attributes
       from products p
      cross join generate_series(1, $1::integer) as k
      where p.amount_type = 'fixed' and p.price is not null and p.foreign_face is null and p.available
      limit $1
     returning id, price
   ),
   tiered as (
     insert into tier_prices (tier, product_id, price)
     select tier, id, greatest(1, price * (100 - tier) / 100)
       from copied
      cross join generate_series(2, 3) as tier
   )
   insert into supplier_routes (product_id, supplier, supplier_code, cost_basis_points, priority)
   select id, name, 'code-' || id, 9000, place
     from copied
    cross join unnest('{first,second,third}'::text[]) with ordinality as s (name, place)`,
);

const raiseRevisions = statement(
  "raise_bench_revisions",
  "update revisions set revision = revision + 1 where subject in ('catalogue', 'routes')",
);

const insertHours = statement(
  "load_bench_supplier_hours",
  `insert into supplier_hours (hour, supplier, product_id, vended, declined, unknown, cost, took_ms, slowest_ms)
   select date_trunc('hour', p.purchased_at), p.supplier, p.product_id, count(*) filter (where p.status = 'successful'),
          count(*) filter (where p.status = 'failed'), 0, sum(p.cost), 300 * count(*), 2000
     from purchases p
    where p.wallet_id > 0 and p.id >= $1
    group by 1, 2, 3`,
);

const insertBalances = statement(
  "load_bench_supplier_balances",
  `insert into supplier_balances (supplier, balance, reported_at, alarm_below)
   select name, 500000000, now(), 100000000 from suppliers
       on conflict (supplier) do nothing`,
);

// Entries of staff and commands, chained as the log chains them by nothing: a list shows them, no check reads them here.
const insertAudit = statement(
  "load_bench_audit_log",
  `insert into audit_log (number, at, who, command, details, previous_hash, hash)
   select last.number + n, now() - interval '2 minutes' - ($1 - n) * interval '3 seconds',
          case when n % 10 = 0 then 'operator' else 'staff:admin-' || n % 40 || '@bench.example' end,
          (array['console sale look', 'console merchant look', 'console credit', 'console approval approve'])[1 + n % 4],
          '{"merchant":"mer_' || 1 + n % 1000 || '"}', sha256((n - 1)::text::bytea), sha256(n::text::bytea)
     from (select coalesce(max(number), 0) as number from audit_log) last
    cross join generate_series(1, $1::bigint) as n`,
);
const auditEntries = 1_000_000;

const insertCredits = statement(
  "load_bench_credits",
  `insert into wallet_credits (
     merchant_id, amount, reason, bank_reference, status, needs_approval, proposed_by, proposed_at, expires_at, ended_at,
     withdrawn_by
   )
   select $1, 500000, 'Transfer', 'BENCH' || n, 'withdrawn', true, 'ada@bench.example', at, at + interval '1 day', at, 'ada@bench.example'
     from generate_series(1, $2::integer) as n
    cross join lateral (select now() - n * interval '5 minutes' as at) as t`,
);
const creditsLoaded = 100_000;

const insertEmails = statement(
  "load_bench_emails",
  `insert into emails (recipient, subject, body, created_at, sent_at)
   select 'shop-' || n || '@bench.example', 'Your statement', 'Read it.', at, at
     from generate_series(1, $1::integer) as n
    cross join lateral (select now() - n * interval '5 minutes' as at) as t`,
);
const emailsLoaded = 100_000;

const insertAdmins = statement(
  "load_bench_admins",
  `with entered as (
     insert into people (realm, email, name, email_verified_at, created_at, totp_seed, totp_confirmed_at)
     select 'staff', 'admin-' || n || '@bench.example', 'Ada Bench', now(), now(), 'a.b.c', now()
       from generate_series(1, cardinality($1::bytea[])) as n
     returning id
   ),
   placed as (
     insert into staff (person_id, role, created_at) select id, 'admin', now() from entered
   )
   insert into sessions (token_hash, person_id, realm, level, factor_at, created_at, seen_at, ends_at, address, agent)
   select ($1::bytea[])[row_number() over (order by id)], id, 'staff', 'second_factor', now(), now(), now(),
          now() + interval '10 days', '', 'bench'
     from entered`,
);

const listScattered = statement(
  "list_bench_scattered_indexes",
  `select indexname as name, indexdef as text
     from pg_indexes
    where schemaname = 'public' and indexname in ('purchases_reference_once', 'purchases_by_customer')`,
);

/**
 * Loads a year of live sales of a thousand merchants through three suppliers, and what the company's pages read beside
 * them: closed days, hours of suppliers, prices, credits, emails, the audit log.
 */
export async function loadCompany(opened: Pick<Shop, "database">, rows: number): Promise<LoadedCompany> {
  const { database } = opened;
  const startedMs = performance.now();
  const wish = { name: "Bench", email: "bench@example.com", approved: true, credit: plenty, testCredit: plenty };
  const merchants = await newMerchants(database, { ...wish, count: merchantsLoaded });
  const big = merchants.at(-1);
  if (big?.liveKey == null) throw new Error("no merchant may sell live");
  await liftAllLimits(database);
  await database.query(insertSuppliers);
  await database.query(insertProducts, [productsOnOffer]);
  await database.query(raiseRevisions);
  await withoutScattered(database, () => loadYear(database, rows, { mode: "live", products: productsSold, progress }));
  progress("counting\n");
  await countAll(database);
  progress("closing days\n");
  await closeDays(database);
  await database.query(insertHours, [firstPurchaseIdAt(Date.now() - 7 * dayMs)]);
  await database.query(insertBalances);
  await database.query(insertAudit, [auditEntries]);
  await database.query(insertCredits, [big.id, creditsLoaded]);
  await database.query(insertEmails, [emailsLoaded]);
  const sessions = Array.from({ length: adminsLoaded }, () => randomBytes(32).toString("base64url"));
  await database.query(insertAdmins, [sessions.map(hashToken)]);
  progress("vacuuming\n");
  await vacuum(database);
  await database.query(statement("analyze_company", "analyze"));
  await writeCheckpoint(database);
  return {
    ...{ rows, merchantId: big.id, liveKey: big.liveKey, sessions },
    buyers: merchants.slice(0, -1).map(({ testKey }) => testKey),
    loadSeconds: Math.round((performance.now() - startedMs) / 1_000),
  };
}

/** What lies scattered in an index is sorted in one go at the end: a fifth of the time. */
async function withoutScattered(database: Database, load: () => Promise<unknown>): Promise<void> {
  const indexes = await database.query<Statement>(listScattered);
  for (const { name } of indexes) await database.query({ name: `drop_${name}`, text: `drop index ${name}` });
  await load();
  for (const { name, text } of indexes) {
    progress(`indexing ${name}\n`);
    await database.query({ name: `make_${name}`, text });
  }
}

/** Every day but today, as the worker does, without the check of the books. */
async function closeDays(database: Database): Promise<void> {
  const today = zone.dayOf(Date.now());
  let day = zone.dayOf(today.start - yearMs);
  while (day.start < today.start) {
    const closing = {
      now: day.end + 1_800_000,
      timeZone: zone.timeZone,
      brokenInvariants: [],
      booksCheckedAt: day.end,
    };
    await database.transaction((tx) => insertClosedDay(tx, day, closing));
    progress(`\r${day.date} closed `);
    day = zone.dayOf(day.end);
  }
  progress("\n");
}
