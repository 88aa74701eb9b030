import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { brokenInvariants, connectTo } from "../../../rigs/base/database.ts";
import { newMerchants } from "../../../rigs/base/merchants.ts";
import { loadStartingCatalogue } from "../../../src/domain/catalogue/starting/starting-catalogue.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { openDatabase } from "../../../src/platform/database/database.ts";
import { enterSuppliers } from "../fake-supplier.ts";
import { type OwnPostgres, startOwnPostgres } from "../own-postgres.ts";
import { comingDue } from "../pass-time.ts";
import { type RememberingSupplier, rememberingSupplier, type Verdict } from "./remembering-supplier.ts";
import { type RunningService, startService } from "./running-service.ts";

/** The buyer of one case: a merchant of its own, buying for a phone number of its own. */
export interface Buyer {
  readonly merchant: RegisteredMerchant;
  readonly phone: string;
}

export const startingBalance = 100_000n;

/** What the client hears: an answer, or nothing. */
export type Received = { readonly status: number; readonly replayed: boolean; readonly body: Transaction } | null;

/** What of an answer must never change, and what may only change once. */
export interface Transaction {
  readonly status: "pending" | "successful" | "failed";
  readonly transaction_id: string;
  readonly balance_before: string;
  readonly balance_after: string;
  readonly total_deducted: string;
}

/** One durable PostgreSQL, one supplier, a service to break and another one that survives and asks about what is due. */
export interface Stage {
  readonly postgres: OwnPostgres;
  readonly supplier: RememberingSupplier;
  /** Alive and listening, whatever was done to it before. */
  victim(): Promise<RunningService>;
  killVictim(): Promise<void>;
  nextBuyer(verdict: Verdict): Buyer;
  lastBuyer(): Buyer;
  /** Sends the buyer's one purchase to the victim: each time the same request. */
  buy(buyer: Buyer): Promise<Received>;
  killPostgres(): Promise<void>;
  restartPostgres(): Promise<void>;
  /** How long after the buyer came PostgreSQL was back; 0 where it never went. */
  backAfterMs(): number;
  /** Cuts every connection of the services, whatever is under way on it. */
  cutConnections(): Promise<void>;
  /** Lets time pass for the buyer's purchase until it is pending no more, or there is none. */
  letItEnd(buyer: Buyer): Promise<void>;
  brokenInvariants(): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts everything. Some five seconds. */
export async function setStage(buyers: number): Promise<Stage> {
  const postgres = await startOwnPostgres({ migrated: true });
  const { pool, url } = postgres;
  // The log is written for a commit that waits for it, never by the way: a commit that did not wait is lost.
  await pool.query("alter system set wal_writer_delay = '10s'");
  await pool.query("select pg_reload_conf()");
  const merchants = await prepare(url, buyers);
  await enterSuppliers(pool, [{ name: "remembering" }, { name: "spare" }]);
  const supplier = rememberingSupplier();
  const start = (role: "tapped" | "worker") => startService({ url, role, supplier });
  const [first, survivor] = await Promise.all([start("tapped"), start("worker")]);
  let victim = first;
  // Started while others play: a start takes a second of a core.
  let spare = start("tapped");
  let next = Promise.resolve(first);
  let used = 0;
  let last: Buyer | undefined;
  let cameAt = 0;
  let backAfterMs = 0;
  return {
    postgres,
    supplier,
    async victim() {
      victim = await next;
      return victim;
    },
    async killVictim() {
      await victim.kill();
      next = spare;
      spare = start("tapped");
      for (const started of [next, spare]) started.catch(() => {}); // `victim` and `close` tell
    },
    nextBuyer(verdict) {
      const merchant = merchants[used]!;
      const phone = `0803123${String(used).padStart(4, "0")}`;
      used += 1;
      cameAt = performance.now();
      backAfterMs = 0;
      supplier.script(phone, verdict);
      last = { merchant, phone };
      return last;
    },
    lastBuyer: () => last!,
    buy: async (buyer) => send(await next, buyer),
    async killPostgres() {
      await spare; // a start needs the database
      await postgres.kill();
    },
    async restartPostgres() {
      await postgres.restart();
      backAfterMs = performance.now() - cameAt;
    },
    backAfterMs: () => backAfterMs,
    async cutConnections() {
      await spare;
      await pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('dispense batched', 'dispense ordinary')",
      );
    },
    letItEnd: (buyer) => letItEnd(pool, buyer),
    brokenInvariants: () => brokenInvariants(openDatabase(pool)),
    async close() {
      for (const service of [await next, await spare, survivor]) await service.kill();
      await postgres.stop();
    },
  };
}

async function prepare(url: string, count: number): Promise<RegisteredMerchant[]> {
  const database = connectTo(url);
  try {
    await loadStartingCatalogue(database);
    return await newMerchants(database, { count, approved: true, credit: kobo(startingBalance) });
  } finally {
    await database.close();
  }
}

/** Sends until it is let in: 503 says that nothing was done, because the database was away for a moment. */
async function send(service: RunningService, buyer: Buyer): Promise<Received> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const received = await sendOnce(service, buyer);
    if (received?.status !== 503) return received;
    await delay(100);
  }
  throw new Error("the service stayed away");
}

async function sendOnce(service: RunningService, { merchant, phone }: Buyer): Promise<Received> {
  try {
    const response = await fetch(`${service.url}/api/v1/merchant/airtime/purchase`, {
      method: "POST",
      headers: { authorization: `Bearer ${merchant.liveKey}`, "content-type": "application/json" },
      body: JSON.stringify({ reference: "the-only-one", network: "MTN", phone, amount: "200.00" }),
      signal: AbortSignal.timeout(45_000),
    });
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { status: response.status, replayed, body: (await response.json()) as Transaction };
  } catch {
    return null;
  }
}

async function letItEnd(pool: pg.Pool, { merchant }: Buyer): Promise<void> {
  for (let look = 0; look < 1_500; look++) {
    const { rowCount } = await pool.query("select 1 from inflight where abs(wallet_id) = $1", [merchant.id]);
    if (rowCount === 0) return;
    await pool.query(`${comingDue(1)} and abs(wallet_id) = $1`, [merchant.id]);
    await delay(20);
  }
  throw new Error("the purchase stayed pending");
}
