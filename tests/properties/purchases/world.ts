import type pg from "pg";
import { expect } from "vitest";
import type { NewPurchase } from "../../../src/domain/purchases/queries.ts";
import { claimPendingDue, type PendingClaim } from "../../../src/domain/resolution/requery/pending-queries.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { type PurchaseId, processNumberMax, type WalletKey, walletIdOf } from "../../../src/kernel/ids.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { testTransactionIds } from "../../support/transaction-ids.ts";
import { fundedWallet, walletKey } from "../../support/wallet.ts";
import type { Model, ModelPurchase } from "./model.ts";
import { sandboxStart, spentToday } from "./model.ts";
import { endpointsOf, type Parts, type Process, type ProcessOptions, startProcess, wantsAll, zone } from "./process.ts";
import { openShopWindow, type ShopWindow, totalOf } from "./sale.ts";
import { type ScriptedSupplier, scriptedSupplier } from "./scripted-supplier.ts";

/** What outlives the runs: one database, and which merchants were used up in it. */
export interface Ground {
  readonly pool: pg.Pool;
  readonly database: Database;
  /** Connections of every second process: batches of one process go one behind the other and race with nobody. */
  readonly neighbour: Database;
  readonly plant?: (parts: Parts) => Parts;
  merchantsUsed: number;
  processesStarted: number;
}

/** The real thing, for one run: two merchants of its own, two processes, a supplier, a clock that tests move. */
export interface World {
  readonly ground: Ground;
  readonly wallets: readonly WalletKey[];
  readonly supplier: ScriptedSupplier;
  readonly shop: ShopWindow;
  readonly processes: readonly Process[];
  /** What went through C1, by wallet and reference: a lost acknowledgement sends the same again. */
  readonly accepted: Map<string, NewPurchase>;
  advance(ms: number): void;
  /** Another process of the deployment, as a rule one that is about to die. */
  startProcess(options?: Pick<ProcessOptions, "crash" | "loss" | "onAccepted">): Process;
  /** Resolves when no process does anything in the background. */
  quiet(): Promise<void>;
}

/** Two merchants with a live and a sandbox wallet each; one of them is short of money. */
export const wallets = [
  { merchant: 1, mode: "live", balance: 50_000_000n, wantsAll: true },
  { merchant: 1, mode: "test", balance: sandboxStart, wantsAll: true },
  { merchant: 2, mode: "live", balance: 200_000n, wantsAll: false },
  { merchant: 2, mode: "test", balance: sandboxStart, wantsAll: false },
] as const;

export async function openWorld(ground: Ground): Promise<World> {
  const firstMerchant = ground.merchantsUsed;
  ground.merchantsUsed += 2;
  const keys: WalletKey[] = [];
  for (const { merchant, mode, balance } of wallets) {
    keys.push(await fundedWallet(ground.database, walletKey(firstMerchant + merchant, mode), balance));
  }
  let now = Date.UTC(2026, 10, 20, 9);
  const shop = openShopWindow();
  const supplier = scriptedSupplier();
  const started: Process[] = [];
  const accepted = new Map<string, NewPurchase>();
  const start: World["startProcess"] = (options = {}) => {
    ground.processesStarted += 1;
    const process = startProcess({
      ...options,
      number: ground.processesStarted % processNumberMax,
      database: ground.processesStarted % 2 === 1 ? ground.database : ground.neighbour,
      clock: { now: () => now },
      catalogue: shop,
      supplier,
      plant: ground.plant,
      async onAccepted(purchase, sent) {
        accepted.set(nameOf(purchase.wallet, purchase.reference), sent);
        await options.onAccepted?.(purchase, sent);
      },
    });
    started.push(process);
    return process;
  };
  return {
    ground,
    wallets: keys,
    supplier,
    shop,
    accepted,
    processes: [start(), start()],
    startProcess: start,
    advance: (ms) => {
      now += ms;
    },
    quiet: async () => {
      for (const process of started) await process.idle();
    },
  };
}

export function nameOf(wallet: WalletKey, reference: string): string {
  return `${wallet.merchantId} ${wallet.mode} ${reference}`;
}

function merchantsOf(world: World): number[] {
  return [...new Set(world.wallets.map((wallet) => wallet.merchantId))];
}

/**
 * Time passes for every pending purchase: leases and due times live on the database's clock. Then claims them all. One
 * that was still unknown after a day waits for a person; the model knows no persons, so it is asked about like all others.
 */
export async function claimEverything(world: World): Promise<PendingClaim[]> {
  await world.ground.pool.query(
    `update inflight
        set due_at = now() - interval '1 second',
            step = case when step = 'review' then 'requery' else step end
      where abs(wallet_id) = any ($1)`,
    [merchantsOf(world)],
  );
  const groups = [...new Set(world.wallets.map((wallet) => walletIdOf(wallet) & 63))];
  return claimPendingDue(world.ground.database, { groups, perGroup: 1_000, limit: 1_000, leaseSeconds: 90 });
}

/** Time passes; the given processes share what is pending among them and ask about it at once. */
export async function resolveEverything(world: World, processes = world.processes): Promise<void> {
  const claims = await claimEverything(world);
  await Promise.all(claims.map((claim, i) => processes[i % processes.length]!.resolve(claim)));
}

/**
 * Does something while the wallet is locked by somebody else, until both processes' statements wait for it: whatever
 * they saw when they began is out of date when they go on.
 */
export async function behindLock<T>(world: World, wallet: WalletKey, act: () => Promise<T>): Promise<T> {
  const holder = await world.ground.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from wallets where wallet_id = $1 for update", [walletIdOf(wallet)]);
    const done = act();
    done.catch(() => {}); // it is awaited below
    await waitForWaiters(world, 2);
    await holder.query("commit");
    return await done;
  } finally {
    holder.release();
  }
}

/** Where fewer come, because fewer statements are sent, a moment is enough. */
async function waitForWaiters(world: World, needed: number): Promise<void> {
  for (let look = 0; look < 8; look++) {
    const { rows } = await world.ground.pool.query<{ waiting: number }>(
      "select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if ((rows[0]?.waiting ?? 0) >= needed) return;
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

/** The books must equal the model's: every balance, every purchase with its status and numbers, every lease. */
export async function compare(model: Model, world: World): Promise<void> {
  const merchants = merchantsOf(world);
  const balances = await world.ground.pool.query(
    `select balance::text, seq::text as entries, purchase_count::text as purchases,
            case when day = $2 then day_spent else 0 end::text as spent
       from wallets
      where abs(wallet_id) = any ($1)
      order by abs(wallet_id), wallet_id < 0`,
    [merchants, zone.dayOf(Date.UTC(2026, 10, 20 + model.day, 9)).date],
  );
  expect(balances.rows).toEqual(
    model.wallets.map((wallet) => ({
      balance: `${wallet.balance}`,
      entries: `${wallet.entries}`,
      purchases: `${wallet.purchases.size}`,
      spent: `${spentToday(model, wallet)}`,
    })),
  );
  const purchases = await world.ground.pool.query(
    `select p.reference, p.number::text, p.status, p.total::text, p.balance_before::text, p.error_code, f.epoch,
            p.attempt, p.refunded_at is not null as refunded
       from purchases p
       left join inflight f
         on f.wallet_id = p.wallet_id and f.purchase_id = p.id
      where abs(p.wallet_id) = any ($1)
      order by abs(p.wallet_id), p.wallet_id < 0, p.number`,
    [merchants],
  );
  expect(purchases.rows).toEqual(model.wallets.flatMap((wallet) => byNumber(wallet.purchases.values()).map(rowOf)));
}

function byNumber(purchases: Iterable<ModelPurchase>): ModelPurchase[] {
  return [...purchases].sort((a, b) => Number(a.number - b.number));
}

function rowOf(purchase: ModelPurchase): object {
  return {
    reference: purchase.reference,
    number: `${purchase.number}`,
    status: purchase.status,
    total: `${totalOf(purchase.sale)}`,
    balance_before: `${purchase.balanceBefore}`,
    error_code: purchase.errorCode,
    epoch: purchase.status === "pending" ? purchase.epoch : null,
    attempt: purchase.attempt,
    refunded: purchase.status === "failed",
  };
}

/** At the end of a run: no invariant is broken, and the supplier's own log tells the same story. */
export async function reconcile(world: World): Promise<void> {
  const merchants = merchantsOf(world);
  const checks = await checkLedger(world.ground.database);
  const broken = checks.flatMap(({ invariant, broken: rows }) =>
    rows.filter((row) => merchants.includes(Math.abs(Number(row.wallet_id)))).map((row) => ({ invariant, ...row })),
  );
  expect(broken, "the ledger").toEqual([]);
  await expectEvents(world);

  const { rows } = await world.ground.pool.query<{ id: string; status: string; attempt: number }>(
    "select id, status, attempt from purchases where abs(wallet_id) = any ($1) and wallet_id > 0 and status <> 'pending'",
    [merchants],
  );
  const sold = rows.filter((row) => row.status === "successful").map((row) => `${supplierName(row)} vended 1`);
  const vended = [...world.supplier.vends].filter(([, times]) => times > 0);
  expect(vended.map(([reference, times]) => `${reference} vended ${times}`).sort(), "the supplier's log").toEqual(
    sold.sort(),
  );
}

/**
 * Every end that a merchant wants to hear of has its event, exactly once for each endpoint, and no purchase has another.
 * The invariants compare the two tables; this compares them with what the merchant asked for.
 */
async function expectEvents(world: World): Promise<void> {
  const { rows } = await world.ground.pool.query<{ merchant_id: number; id: string; status: string; events: string[] }>(
    `select abs(p.wallet_id) as merchant_id, p.id, p.status, array_agg(d.event || ' ' || d.endpoint_number order by d.endpoint_number)
              filter (where d.id is not null) as events
       from purchases p
       left join webhook_deliveries d
         on d.wallet_id = p.wallet_id and d.subject_id = p.id
      where abs(p.wallet_id) = any ($1)
      group by p.wallet_id, p.id, p.status`,
    [merchantsOf(world)],
  );
  const wrong = rows.filter(({ merchant_id, status, events }) => {
    if (status === "pending" || (events === null && !wantsAll(merchant_id))) return events !== null;
    const expected = endpointsOf(merchant_id).map(({ endpointNumber }) => `transaction.${status} ${endpointNumber}`);
    return events?.join() !== expected.join();
  });
  expect(wrong, "the events").toEqual([]);
}

/** The supplier of the last attempt, which vended. */
function supplierName({ id, attempt }: { readonly id: string; readonly attempt: number }): string {
  return `${testTransactionIds.format(BigInt(id) as PurchaseId, "live")}-${attempt}`;
}
