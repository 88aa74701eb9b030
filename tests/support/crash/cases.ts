import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Verdict } from "./remembering-supplier.ts";
import type { Taken } from "./running-service.ts";
import type { Buyer, Received, Stage } from "./stage.ts";
import type { Leave, Tap } from "./taps.ts";

/** A purchase on its way, stopped at a point. */
export interface Stopped {
  /** Lets it go on, where it still can. */
  go(leave?: Leave): Promise<void>;
  /** What its client hears in the end. */
  readonly received: Promise<Received>;
}

export interface Point {
  readonly name: string;
  /** Whether the supplier has heard of the purchase by then: before, its verdict cannot make a difference. */
  readonly isSupplierReached: boolean;
  /** Whether a purchase whose outcome is not known is answered before: putting it off is nobody's wait. */
  readonly answersUnknown: boolean;
  /** The verdicts that lead there; absent where all do. */
  readonly verdicts?: readonly Verdict[];
  reach(stage: Stage, buyer: Buyer): Promise<Stopped>;
}

/** The points of a purchase at which it can be struck, in their order. */
export const points = {
  beforeC1: atTap("before C1", false, "C1 about to be sent"),
  duringC1: behindLock("during C1", false, "C1 about to be sent", "wallets"),
  c1Unreceived: atTap("after C1, its acknowledgement lost", false, "C1 answered", { lost: true }),
  beforeRequest: atTap("before any byte left", false, "request about to leave"),
  requestSent: supplierSilent("after the request was written, unanswered"),
  beforeC2: atTap("with the supplier's answer not stored", true, "C2 about to be sent"),
  duringC2: behindLock("during C2", true, "C2 about to be sent", "inflight"),
  c2Unreceived: atTap("after C2, its acknowledgement lost", true, "C2 answered", { lost: true }),
  answerLost: atTap("after C2, the HTTP answer unsent", true, "answer about to leave"),
  afterC1: atTap("after C1", false, "C1 answered"),
} satisfies Record<string, Point>;

const afterANo = { verdicts: ["rerouted", "declined"] } as const;

/** The points of a purchase that its first supplier declines, so that the next one is asked. */
export const reroutePoints = {
  beforeReroute: { ...atTap("before the reroute's commit", true, "reroute about to be sent"), ...afterANo },
  duringReroute: {
    ...behindLock("during the reroute's commit", true, "reroute about to be sent", "inflight"),
    ...afterANo,
  },
  rerouteUnreceived: {
    ...atTap("after the reroute's commit, its acknowledgement lost", true, "reroute answered", { lost: true }),
    ...afterANo,
  },
  beforeNextRequest: { ...atTap("between the reroute's commit and its call", true, "reroute answered"), ...afterANo },
} satisfies Record<string, Point>;

export interface Fault {
  readonly name: string;
  /** Whether the process that held the purchase lives on, so that its client is answered. */
  readonly survived: boolean;
  strike(stage: Stage, stopped: Stopped): Promise<void>;
}

export const faults: readonly Fault[] = [
  {
    name: "the API process is killed",
    survived: false,
    async strike(stage, stopped) {
      await stage.killVictim();
      await stopped.go();
    },
  },
  {
    name: "PostgreSQL is killed",
    survived: true,
    async strike(stage, stopped) {
      await stage.killPostgres();
      await stopped.go();
      await stage.restartPostgres();
    },
  },
  {
    name: "all connections are cut",
    survived: true,
    async strike(stage, stopped) {
      await stage.cutConnections();
      await stopped.go();
    },
  },
];

/** The process is stopped until its lease is over and another one has brought the purchase to its end. */
export const zombie: Fault = {
  name: "the process is stopped until its lease has run out",
  survived: true,
  async strike(stage, stopped) {
    const victim = await stage.victim();
    victim.stop();
    try {
      await stage.letItEnd(stage.lastBuyer());
    } finally {
      victim.resume();
    }
    await stopped.go({ stoppedMs: 61_000 });
  },
};

export interface Case {
  readonly point: Point;
  readonly verdict: Verdict;
  readonly fault: Fault;
}

const verdicts: readonly Verdict[] = ["vended", "declined", "unknown"];

/**
 * Each point with each fault, and with each verdict where connections are cut, or a process is stopped, which are soon
 * well again. A process or a PostgreSQL takes a second to start: those meet one verdict at each point, the next point's
 * another, as what is stored and what is on the wire is the same where a connection is cut.
 */
export function casesOf(point: Point, fault: Fault, at = 0): readonly Case[] {
  const among = point.verdicts ?? verdicts;
  const [killed, , cut] = faults;
  const isEach = fault === cut || (fault === zombie && point.isSupplierReached);
  if (isEach) return among.map((verdict) => ({ point, verdict, fault }));
  // Before the supplier is reached, a dead process never asks: its verdict makes no difference.
  const chosen = point.isSupplierReached ? (at + (fault === killed ? 0 : 1)) % among.length : 0;
  return [{ point, verdict: among[chosen]!, fault }];
}

function atTap(name: string, isSupplierReached: boolean, tap: Tap, lost: Leave = {}): Point {
  return {
    name,
    isSupplierReached,
    answersUnknown: tap.startsWith("C2"),
    async reach(stage, buyer) {
      const { kept, received } = await stopAt(stage, buyer, tap);
      return { go: async (leave) => kept.go({ ...lost, ...leave }), received };
    },
  };
}

function supplierSilent(name: string): Point {
  return {
    name,
    isSupplierReached: true,
    answersUnknown: false,
    async reach(stage, buyer) {
      const victim = await stage.victim();
      const silent = victim.holdSupplier();
      const received = stage.buy(buyer);
      const kept = await silent;
      return { go: async (leave) => kept.go(leave), received };
    },
  };
}

/** The statement hangs in the server, because the test holds a lock that it needs. */
function behindLock(name: string, isSupplierReached: boolean, tap: Tap, table: "wallets" | "inflight"): Point {
  return {
    name,
    isSupplierReached,
    answersUnknown: tap.startsWith("C2"),
    async reach(stage, buyer) {
      const { kept, received } = await stopAt(stage, buyer, tap);
      const holder = await lockRows(stage.postgres.pool, buyer, table);
      kept.go();
      try {
        await waitForWaiter(stage.postgres.pool);
      } catch (error) {
        await unlock(holder);
        throw error;
      }
      return { go: async () => unlock(holder), received };
    },
  };
}

async function stopAt(stage: Stage, buyer: Buyer, tap: Tap): Promise<{ kept: Taken; received: Promise<Received> }> {
  const victim = await stage.victim();
  const reached = victim.hold(tap);
  const received = stage.buy(buyer);
  return { kept: await reached, received };
}

const locks = {
  wallets: "select 1 from wallets where abs(wallet_id) = $1 for update",
  inflight: "select 1 from inflight where abs(wallet_id) = $1 for update",
};

async function lockRows(pool: pg.Pool, buyer: Buyer, table: keyof typeof locks): Promise<pg.PoolClient> {
  const holder = await pool.connect();
  holder.on("error", () => {}); // PostgreSQL may be killed under it
  await holder.query("begin");
  await holder.query(locks[table], [buyer.merchant.id]);
  return holder;
}

async function unlock(holder: pg.PoolClient): Promise<void> {
  const broken = await holder.query("commit").then(
    () => undefined,
    (error: Error) => error,
  );
  holder.release(broken);
}

async function waitForWaiter(pool: pg.Pool): Promise<void> {
  const look = async () => {
    const { rows } = await pool.query<{ state: string; wait: string | null; query: string }>(
      `select state, wait_event_type as wait, left(query, 60) as query
         from pg_stat_activity
        where application_name like 'dispense%'`,
    );
    return rows;
  };
  for (let i = 0; i < 500; i++) {
    if ((await look()).some(({ wait }) => wait === "Lock")) return;
    await delay(10);
  }
  throw new Error(`no statement waits for the lock: ${JSON.stringify(await look())}`);
}
