import { type Database, statement } from "../src/platform/database/database.ts";
import type { Driver } from "./driver.ts";
import { countWhatIsNew, type Loaded, loadedPrefix } from "./growth-load.ts";
import { type Frame, getFrames, type Load, numbersMax } from "./load.ts";
import { type Basket, type Buyers, purchaseFrames, requeryFrames } from "./merchants.ts";
import { familyCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import type { Service } from "./service.ts";

/** What is measured at each size, in this order: purchases last, as lists read what is not counted yet. */
export const growthPhases = [
  "requery",
  "first",
  "fiftieth",
  "failed",
  "month",
  "channel",
  "customer",
  "deliveries",
  "purchase",
  "tail",
] as const;
export type GrowthPhase = (typeof growthPhases)[number];

/** One measure at one size. */
export interface Figure {
  /** The latency of one request at a time. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The rate of 16 connections. */
  readonly perSecond: number;
  /** Processor time of service and PostgreSQL a request, with 16 connections. */
  readonly cpuMicros: number;
  readonly errors: number;
}

export type Figures = Readonly<Partial<Record<GrowthPhase, Figure>>>;

export interface GrowthRig {
  readonly driver: Driver;
  readonly service: Service;
  readonly database: Database;
  readonly buyers: Buyers;
  readonly basket: Basket;
  readonly loaded: Loaded;
  readonly seconds: number;
  readonly progress: (text: string) => void;
}

const api = "/api/v1/merchant";
const connections = 16;

/** A month in the middle of the year, whole days. */
function month(): { readonly from: string; readonly to: string } {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { from: day(180), to: day(151) };
}

/** The lists whose totals are compared with what is there. `phone` is that of a customer. */
const listPaths = (phone: string) => ({
  first: "/transactions",
  fiftieth: "/transactions?page=50",
  failed: "/transactions?status=failed",
  month: `/transactions?category=data&from=${month().from}&to=${month().to}`,
  channel: "/transactions?channel=legacy",
  customer: `/transactions?phone=${phone}`,
  deliveries: "/webhook/deliveries",
  tail: "/transactions?status=failed",
});

type Part = Omit<Load, "seconds" | "connections">;

/** Measures everything against the big merchant. Errors are counted, wrong totals are complaints. */
export async function measureSize(rig: GrowthRig, complaints: string[]): Promise<Figures> {
  const key = rig.buyers.hot[0] ?? "";
  const list = (path: string): Part => toService(rig, listFrames(path, key), { status: 200 });
  const requery = toService(rig, requeryFrames([key]), {
    status: 200,
    prefix: loadedPrefix,
    numbers: rig.loaded.bigPurchases,
  });
  const phone = await findCustomer(rig);
  const lists = listPaths(phone);
  await warmUp(rig, requery, list(lists.month));

  const figures: Partial<Record<GrowthPhase, Figure>> = {};
  for (const phase of growthPhases) {
    if (phase === "purchase") complaints.push(...(await wrongTotals(rig, key, phone)));
    const path = phase === "requery" || phase === "purchase" ? null : lists[phase];
    if (path !== null && !(await exists(rig, path, key))) {
      rig.progress(`${phase} not measured: there is no such endpoint\n`);
      continue;
    }
    const partOf = (run: string) => {
      if (phase === "requery") return requery;
      if (path !== null) return list(path);
      const prefix = `new-${run}-`;
      return toService(rig, purchaseFrames([key], rig.basket, prefix), { status: 201, prefix });
    };
    figures[phase] = await measure(rig, partOf, complaints);
    rig.progress(`${phase} ${figures[phase]?.p50Ms.toFixed(2)} ms, ${Math.round(figures[phase]?.perSecond ?? 0)}/s\n`);
  }
  return figures;
}

/** The number of a request goes into a header that means nothing. */
function listFrames(path: string, key: string): Frame[] {
  return getFrames({ path: "", keys: [key] }).map(({ before, after }) => ({
    before: `${before}${api}${path}${after.slice(0, -2)}user-agent: bench-`,
    after: "\r\n\r\n",
  }));
}

function toService(
  rig: GrowthRig,
  frames: readonly Frame[],
  options: { readonly status: number; readonly prefix?: string; readonly numbers?: number },
): Part {
  const { status, prefix = "", numbers = numbersMax } = options;
  return { port: rig.service.port, frames, prefix, numbers, expectedStatus: status };
}

/** Unmeasured. Buys with the others' keys: what is bought and not counted yet would be read by the lists. */
async function warmUp(
  { driver, database, buyers, basket, ...rig }: GrowthRig,
  requery: Part,
  list: Part,
): Promise<void> {
  const prefix = "warm-";
  const purchases = { ...requery, frames: purchaseFrames(buyers.spread, basket, prefix), prefix, numbers: numbersMax };
  rig.progress("warming up\n");
  await driver.drive({ ...purchases, expectedStatus: 201, connections, seconds: 3 });
  await driver.drive({ ...requery, connections, seconds: 1 });
  await driver.drive({ ...list, connections, seconds: 2 });
  await countWhatIsNew(database);
}

async function measure(rig: GrowthRig, partOf: (run: string) => Part, complaints: string[]): Promise<Figure> {
  const { driver, service, seconds } = rig;
  const single = await driver.drive({ ...partOf("one"), connections: 1, seconds });
  const cpu = () => processCpuSeconds(service.pid) + familyCpuSeconds(service.postgresPid);
  const before = cpu();
  const many = await driver.drive({ ...partOf("many"), connections, seconds });
  const cpuSeconds = cpu() - before;
  const errors = single.errors + many.errors;
  if (errors > 0) complaints.push(`${JSON.stringify(single.unexpected)} ${JSON.stringify(many.unexpected)}`);
  return {
    p50Ms: single.p50Ms,
    p99Ms: single.p99Ms,
    perSecond: Math.round(many.answered / many.seconds),
    cpuMicros: Math.round((cpuSeconds * 1_000_000) / Math.max(1, many.answered)),
    errors,
  };
}

async function exists(rig: GrowthRig, path: string, key: string): Promise<boolean> {
  return (await ask(rig, path, key)).status !== 404;
}

function ask(rig: GrowthRig, path: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, connection: "close" };
  return fetch(`http://127.0.0.1:${rig.service.port}${api}${path}`, { headers });
}

const countAll = statement(
  "count_of_list",
  `select count(*) as total,
          count(*) filter (where p.status = 'failed') as failed,
          count(*) filter (
            where b.category = 'data'
              and p.purchased_at >= ($3 || 'T00:00:00+01:00')::timestamptz
              and p.purchased_at < ($4 || 'T00:00:00+01:00')::timestamptz + interval '1 day'
          ) as month,
          count(*) filter (where p.channel = 'legacy') as channel,
          count(*) filter (where p.phone = $5) as customer
     from purchases p
     join products g on g.id = p.product_id
     join billers b on b.slug = g.biller_slug
    where p.bucket = $1 and p.merchant_id = $2 and p.mode = 'test'`,
);

const findPhone = statement(
  "find_bench_customer",
  `select p.phone
     from purchases p
    where p.bucket = $1 and p.merchant_id = $2 and p.mode = 'test' and p.id > 0
    order by p.id
    limit 1`,
);

/** The phone of the oldest purchase: the furthest from what was read last. */
async function findCustomer({ database, loaded: { big } }: GrowthRig): Promise<string> {
  const [row] = await database.query<{ phone: string }>(findPhone, [big.bucket, big.merchantId]);
  if (row === undefined) throw new Error("nothing was loaded");
  return row.phone;
}

/** Every list tells the exact total: compared with what is really there, read row by row. */
async function wrongTotals(rig: GrowthRig, key: string, phone: string): Promise<string[]> {
  const { big, attempts } = rig.loaded;
  const { from, to } = month();
  const values = [big.bucket, big.merchantId, from, to, phone];
  const lists = listPaths(phone);
  const [row] = await rig.database.query<Record<"total" | "failed" | "month" | "channel" | "customer", bigint>>(
    countAll,
    values,
  );
  if (row === undefined) throw new Error("count answers with one row");
  const expected = {
    first: row.total,
    fiftieth: row.total,
    failed: row.failed,
    month: row.month,
    channel: row.channel,
    customer: row.customer,
    deliveries: attempts,
  };
  const complaints: string[] = [];
  for (const [name, total] of Object.entries(expected)) {
    const answer = await ask(rig, lists[name as keyof typeof expected], key);
    if (answer.status === 404) continue;
    const { meta } = (await answer.json()) as { meta?: { total: number } };
    if (meta?.total !== Number(total)) complaints.push(`${name}: a total of ${meta?.total}, where ${total} are there`);
  }
  return complaints;
}
