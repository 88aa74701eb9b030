import { type Database, statement } from "../../src/platform/database/database.ts";
import { openPasswordHash } from "../../src/platform/password-hash.ts";
import { call } from "../base/client.ts";
import { numbersMax, openDriver, referenceDigits } from "../base/load.ts";
import { purchaseFrames } from "../base/merchants.ts";
import { type Shop, stockShop } from "../base/shop.ts";
import { writeCheckpoint } from "./database.ts";
import {
  countAll,
  countWhatIsNew,
  type Loaded,
  loadedPrefix,
  loadYear,
  productsLoaded,
  stride,
  vacuum,
  yearMs,
} from "./growth-load.ts";
import { progress } from "./report.ts";

/** What a folder holds that is loaded: everything to measure it again. */
export interface LoadedShop extends Pick<Shop, "spread" | "hot" | "basket"> {
  readonly rows: number;
  readonly loaded: Loaded;
  /** Owners of the big merchant. */
  readonly people: readonly string[];
  readonly loadSeconds: number;
}

export const peoplePassword = "a long word for the benchmark";
/** A person opens 600 pages a minute. */
const peopleLoaded = 80;
const ordersLoaded = 10;
const linesPerOrder = 10_000;
const beneficiariesLoaded = 10_000;

const insertPeople = statement(
  "load_bench_people",
  `with entered as (
     insert into people (realm, email, name, password_hash, email_verified_at, created_at)
     select 'merchant', email, 'Ada Bench', $2, now(), now()
       from unnest($1::text[]) as email
     returning id
   )
   insert into members (merchant_id, person_id, role, created_at)
   select $3, id, 'owner', now()
     from entered`,
);

const insertBeneficiaries = statement(
  "load_bench_beneficiaries",
  `insert into beneficiaries (
     merchant_id, id, label, category, customer_ref, network, customer_name, created_at, updated_at
   )
   select $1, 'ben_01' || upper(substr(md5(n::text), 1, 24)), 'Customer ' || n,
          case when n % 4 = 0 then 'airtime' else 'data' end, '0803' || lpad(n::text, 7, '0'), 'MTN', 'Name ' || n, now(), now()
     from generate_series(1, $2::integer) as n`,
);

const listOthers = statement(
  "list_bench_others",
  "select id from merchants where email = 'bench@example.com' and id <> $1 order by id",
);

const vacuumMore = statement(
  "vacuum_console_tables",
  "vacuum (analyze) request_log, request_error_days, beneficiaries, bulk_orders, people, members",
);

type OpenedShop = Pick<Shop, "service" | "database" | "hot" | "basket">;

/** Tens of thousands of purchases for one number, as a merchant has whose customers all give the same. */
async function sellToOne({ service: { port }, hot, basket }: OpenedShop): Promise<void> {
  const driver = openDriver();
  const prefix = "one-";
  const frames = purchaseFrames([hot], basket, prefix);
  const load = { port, prefix, frames, numbers: numbersMax, expectedStatus: 201, connections: 64, seconds: 10 };
  await driver.drive(load);
  await driver.close();
}

/** Every line is a line of its own, as a merchant with many customers sends them. @throws Error unless all succeeded */
async function placeOrder({ service, hot, basket }: OpenedShop, reference: string): Promise<void> {
  const phones = Array.from({ length: linesPerOrder }, (_, n) => `0803${String(1_000_000 + n * 10 + 1)}`);
  const { status, body } = await call(service, hot, "/data/bulk", {
    body: { reference, product_id: basket.product_id, phones },
  });
  if (status !== 201 || body.successful !== linesPerOrder) {
    throw new Error(`${reference} answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  }
}

/** Loads what `bench -- growth` does, and what the console's other lists read. Counted, vacuumed and written out. */
export async function loadShop(opened: Pick<Shop, "service" | "database">, rows: number): Promise<LoadedShop> {
  const { database } = opened;
  const startedMs = performance.now();
  const shop = { ...opened, ...(await stockShop(opened)) };
  const loaded = await loadYear(database, rows, { mode: "test", products: productsLoaded, progress });
  const { merchantId } = loaded.big;
  const others = (await database.query<{ id: number }>(listOthers, [merchantId])).map(({ id }) => id);
  await loadRequestLog(database, { rows, bigMerchant: merchantId, others, progress });
  await database.query(insertBeneficiaries, [merchantId, beneficiariesLoaded]);
  const people = Array.from({ length: peopleLoaded }, (_, n) => `ada-${n + 1}@bench.example`);
  await database.query(insertPeople, [people, await openPasswordHash().hash(peoplePassword), merchantId]);
  progress("counting\n");
  await countAll(database);
  progress("selling to one customer\n");
  await sellToOne(shop);
  progress(`placing ${ordersLoaded} bulk orders\n`);
  for (let n = 1; n <= ordersLoaded; n++) await placeOrder(shop, `order-${n}`);
  await countWhatIsNew(database);
  progress("vacuuming\n");
  await vacuum(database);
  await database.query(vacuumMore);
  await writeCheckpoint(database);
  const loadSeconds = Math.round((performance.now() - startedMs) / 1_000);
  const { spread, hot, basket } = shop;
  return { rows, loaded, spread, hot, basket, people, loadSeconds };
}

const rowsPerSlice = 100_000;
/** As long as the log is kept, less an hour: nothing is purged while it is measured. */
const logMs = 30 * 86_400_000 - 3_600_000;
/** Nothing of the benchmark's own requests is older. */
const endedMs = 60_000;

/** Of one request in a million: far apart, so that they are sought among all others. */
export const rareCode = "PRICE_CHANGED";
/** Where one request in a million came from. */
export const rareAddress = "203.0.113.9";
const codes = ["INSUFFICIENT_BALANCE", "VALIDATION_ERROR", "INVALID_PHONE", "RATE_LIMITED", "SANDBOX_FORCED_FAILURE"];
const statuses = [402, 400, 400, 429, 422];

// In the order of time; even numbers are the big merchant's, as its purchases are. Six of ten requests buy, three ask
// for what was bought, one for the balance; three in a hundred failed. Those about one purchase are neighbours: a dozen
// where log and purchases have as many rows. One client in twenty chooses its requests' ids, others have ids of ours.
const loadSlice = statement(
  "load_log_slice",
  `insert into request_log (
     wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
     request_id, is_request_id_sent, reference, body
   )
   select -i.merchant_id, to_timestamp(i.ms / 1000.0), i.n % 2147483647,
          case when i.kind < 600 then 'POST' else 'GET' end,
          '/api/v1/merchant/' || case when i.kind < 600 then 'data/purchase'
                                      when i.kind < 900 then 'transactions/:reference'
                                      else 'wallet/balance' end,
          '/api/v1/merchant/' || case when i.kind < 600 then 'data/purchase'
                                      when i.kind < 900 then 'transactions/' || r.reference
                                      else 'wallet/balance' end,
          coalesce(f.status, case when i.kind < 600 then 201 else 200 end), f.code, 5 + i.hash & 63, k.id,
          case when i.n % 1000000 < 2 then '${rareAddress}' else '198.51.100.' || (i.hash >> 30) % 16 end::inet,
          case when i.kind % 20 = 0 then 'client-' || i.n
               else 'req_' || t.made || upper(substr(md5(i.n::text), 1, 16)) end,
          i.kind % 20 = 0,
          case when i.kind < 900 then r.reference end,
          case when i.kind < 600
               then '{"reference":"' || r.reference || '","product_id":101,"phone":"0803***' || (i.hash >> 34) % 9000 || '"}' end
     from (
            select n, hash, hash & 1023 as kind, $3::bigint + n * ${logMs} / $5::bigint as ms,
                   case when n % 2 = 0 then $6::integer else ($7::integer[])[1 + (n / 2) % cardinality($7)] end
                     as merchant_id,
                   ($4::bigint * (365 - 30) / 365 + n * ($4::bigint * 30 / 365) / $5::bigint) / 2 * 2 + n % 2 as bought
              from generate_series($1::bigint, $2::bigint - 1) as n
             cross join lateral (select (hashint8extended(n, 3) >> 1) & 9007199254740991) as h (hash)
          ) i
    cross join lateral (
            select '${loadedPrefix}' || lpad((i.bought / 2 * ${stride} % (($4 + 1) / 2))::text, ${referenceDigits}, '0')
                     || case when i.n % 2 = 0 then '' else '-' || i.bought end
          ) as r (reference)
    cross join lateral (
            select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((i.ms >> 5 * place) & 31)::integer + 1, 1), ''
                     order by place desc)
              from generate_series(0, 9) as place
          ) as t (made)
    cross join lateral (
            select case when i.n % 1000000 < 2 then '${rareCode}'
                        when (i.hash >> 10) & 1023 < 30 then ($8::text[])[1 + (i.hash >> 20) % cardinality($8)] end,
                   case when i.n % 1000000 < 2 then 409
                        when (i.hash >> 10) & 1023 < 30 then ($9::smallint[])[1 + (i.hash >> 20) % cardinality($9)] end
          ) as f (code, status)
     join api_keys k
       on k.merchant_id = i.merchant_id and k.mode = 'test' and k.slot = 1
    order by i.n`,
);

// As the service counts them with each batch.
const countErrors = statement(
  "load_error_days",
  `insert into request_error_days as d (wallet_id, day, endpoint, code, requests, first_at, last_at)
   select wallet_id, (at at time zone 'Africa/Lagos')::date, endpoint, code, count(*), min(at), max(at)
     from request_log
    where code is not null
    group by wallet_id, (at at time zone 'Africa/Lagos')::date, endpoint, code
       on conflict (wallet_id, day, endpoint, code) do update
          set requests = excluded.requests, first_at = excluded.first_at, last_at = excluded.last_at`,
);

interface LogLoad {
  /** As many as there are purchases. */
  readonly rows: number;
  readonly bigMerchant: number;
  readonly others: readonly number[];
  readonly progress: (text: string) => void;
}

/** Loads a month of the request log: as many rows as there are purchases, half of them the big merchant's. */
export async function loadRequestLog(database: Database, load: LogLoad): Promise<void> {
  const { rows, bigMerchant, others, progress } = load;
  const startMs = Date.now() - endedMs - logMs;
  for (let first = 0; first < rows; first += rowsPerSlice) {
    const before = Math.min(rows, first + rowsPerSlice);
    await database.query(loadSlice, [first, before, startMs, rows, rows, bigMerchant, others, codes, statuses]);
    progress(`\r${before.toLocaleString("en-GB")} requests loaded `);
  }
  progress("\n");
  await database.query(countErrors);
}

/** When the oldest purchase that the log tells of was made. */
export function firstLoggedMs(): number {
  return Date.now() - yearMs * (30 / 365);
}
