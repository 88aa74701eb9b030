import { type Queryable, statement } from "./database/database.ts";
import { isNotSent } from "./database/database-errors.ts";

/** A worker that claims due work, carries it out, and claims again. */
export interface WorkLoop {
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Claims nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

export interface WorkLoopOptions<Job> {
  /** Leases at most `limit` due jobs. A crash afterwards is no loss: the lease runs out and the job is due again. */
  readonly claim: (limit: number) => Promise<readonly Job[]>;
  /** Carries one job out. Its failure is logged; the job comes due again when its lease runs out. */
  readonly act: (job: Job) => Promise<void>;
  readonly concurrencyMax: number;
  /** How long an idle loop waits before it asks again. */
  readonly pollMs: number;
  readonly onError: (error: unknown, job: Job | null) => void;
}

/** After a failed claim the loop waits this many polls: a database that is away is not hammered. */
const pollsAfterError = 4;

/** Starts a work loop: claim → act → record, with bounded concurrency. Two loops share work by their leases. */
export function startWorkLoop<Job>(options: WorkLoopOptions<Job>): WorkLoop {
  const active = new Set<Promise<void>>();
  const wakeUp = openWakeUp();
  let stopped = false;
  let failed = false;

  async function carryOut(job: Job): Promise<void> {
    try {
      await options.act(job);
    } catch (error) {
      failed = true;
      options.onError(error, job);
    }
  }

  function start(job: Job): void {
    const work = carryOut(job).finally(() => {
      active.delete(work);
      if (active.size === options.concurrencyMax - 1) wakeUp.call();
    });
    active.add(work);
  }

  /** Claims once and starts what it got. @returns how long to wait before the next claim */
  async function turn(): Promise<number> {
    const free = options.concurrencyMax - active.size;
    if (free <= 0) return options.pollMs;
    try {
      const jobs = await options.claim(free);
      for (const job of jobs) start(job);
      // Something was due, so there may be more. But after a failure work that has no lease would come back at once.
      return jobs.length === 0 || failed ? options.pollMs : 0;
    } catch (error) {
      // That there is no connection is said once, by the watch over them, and not by each loop.
      if (!isNotSent(error)) options.onError(error, null);
      return options.pollMs * pollsAfterError;
    } finally {
      failed = false;
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const pauseMs = await turn();
      if (pauseMs > 0 && !stopped) await wakeUp.called(pauseMs);
    }
  }

  const running = run();
  return {
    wake: () => wakeUp.call(),
    async stop() {
      stopped = true;
      wakeUp.call();
      await running;
      await Promise.all(active);
    },
  };
}

/** A bell that is also heard when it rang just before somebody listened. */
function openWakeUp(): { call(): void; called(timeoutMs: number): Promise<void> } {
  let rang = false;
  let listener: (() => void) | null = null;
  return {
    call() {
      rang = true;
      listener?.();
    },
    async called(timeoutMs) {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          listener = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rang = false;
      listener = null;
    },
  };
}

const claimFreeTurns = statement(
  "claim_turns",
  `insert into turns as t (name, free_at)
   select n.name, now() + make_interval(secs => $2)
     from unnest($1::text[]) as n (name)
    where not exists (
            select 1
              from turns taken
             where taken.name = n.name
               and taken.free_at > now()
               and taken.free_at <= now() + interval '25 hours'
          )
    order by n.name
    limit $3
       on conflict (name) do update
          set free_at = excluded.free_at
        where t.free_at <= now() or t.free_at > now() + interval '25 hours'
   returning name`,
);

/**
 * Takes at most `limit` of these turns, which all processes on the database share: each goes to one of them, and is free
 * again after so many seconds. None is taken for more than a day: one that says so was taken while the database's clock was
 * ahead, and is free. @returns the names of those taken
 */
export async function claimTurns(
  db: Queryable,
  names: readonly string[],
  { seconds, limit }: { readonly seconds: number; readonly limit: number },
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const claimed = await db.query<{ name: string }>(claimFreeTurns, [names, seconds, limit]);
  return new Set(claimed.map(({ name }) => name));
}

/** Takes the one turn of this name. */
export async function isOurTurn(db: Queryable, name: string, seconds: number): Promise<boolean> {
  return (await claimTurns(db, [name], { seconds, limit: 1 })).has(name);
}

const claimSteady = statement("claim_steady_turn", "select claim_steady_turn($1, $2) as steady");

/**
 * Takes the one turn of this name, for what can't be taken back. @returns false as well where the database's clock has
 * moved on or back by more than a day since the last turn: what was wrong for moments does nothing, and a true time, as
 * after a long rest, is believed at the next turn
 */
export async function claimSteadyTurn(db: Queryable, name: string, seconds: number): Promise<boolean> {
  return (await db.query<{ steady: boolean }>(claimSteady, [name, seconds]))[0]?.steady === true;
}

const insertTurn = statement(
  "insert_turn",
  `insert into turns (name, free_at)
   values ($1, now() + make_interval(secs => $2))
       on conflict (name) do update
          set free_at = excluded.free_at`,
);

/** Frees the turn in so many seconds, whoever has it; 0: at once. */
export async function freeTurn(db: Queryable, name: string, seconds: number): Promise<void> {
  await db.query(insertTurn, [name, seconds]);
}

const storeFigures = statement("update_turn_figures", "update turns set figures = $2 where name = $1");

/** Stores what was found in this turn, as JSON. */
export async function storeTurnFigures(db: Queryable, name: string, figures: unknown): Promise<void> {
  await db.query(storeFigures, [name, JSON.stringify(figures)]);
}

const findFigures = statement("find_turn_figures", "select figures from turns where name = $1");

/** What was found in the last turn that stored it; null where none has. */
export async function findTurnFigures<Figures>(db: Queryable, name: string): Promise<Figures | null> {
  return (await db.query<{ figures: Figures | null }>(findFigures, [name]))[0]?.figures ?? null;
}
