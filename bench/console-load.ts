import { call } from "../rig/client.ts";
import { numbersMax, openDriver } from "../rig/load.ts";
import { purchaseFrames } from "../rig/merchants.ts";
import { type Shop, stockShop } from "../rig/shop.ts";
import { statement } from "../src/platform/database/database.ts";
import { openPasswordHash } from "../src/platform/password-hash.ts";
import { loadRequestLog } from "./console-log.ts";
import { writeCheckpoint } from "./database.ts";
import { countAll, countWhatIsNew, type Loaded, loadYear, vacuum } from "./growth-load.ts";
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
const peopleLoaded = 10;
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
   select $1, $2, 'ben_01' || upper(substr(md5(n::text), 1, 24)), 'Customer ' || n,
          case when n % 4 = 0 then 'airtime' else 'data' end, '0803' || lpad(n::text, 7, '0'), 'MTN', 'Name ' || n, now(), now()
     from generate_series(1, $3::integer) as n`,
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
  const loaded = await loadYear(database, rows, progress);
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
