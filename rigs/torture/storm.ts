import { setTimeout as delay } from "node:timers/promises";
import { type Chance, openChance } from "./chance.ts";
import type { Ground } from "./ground.ts";
import {
  beginOutage,
  cut,
  endBackends,
  kill,
  runningOf,
  type StormFigures,
  type Striker,
  type StruckStatements,
  statementsOfPurchases,
  stopDatabase,
  stopPastLease,
} from "./strikes.ts";

export interface Storm {
  readonly figures: StormFigures;
  /** Begins nothing new; resolves when everything runs again. */
  stop(): Promise<void>;
}

export type Strike =
  | "kill a process"
  | "kill an API in the middle of a statement"
  | "kill a worker in the middle of a statement"
  | "stop an API past its lease"
  | "stop a worker past its lease"
  | "stop the database at once"
  | "end its backends"
  | "cut a statement of an API"
  | "cut a statement of a worker"
  | "supplier outage";

/** How often each comes in a round: a round has all of them, in an order by chance. */
export type Round = Readonly<Partial<Record<Strike, number>>>;

const usualRound: Round = {
  "kill a process": 2,
  "kill an API in the middle of a statement": 2,
  "kill a worker in the middle of a statement": 2,
  "stop an API past its lease": 4,
  "stop a worker past its lease": 2,
  "stop the database at once": 3,
  "end its backends": 1,
  "cut a statement of an API": 2,
  "cut a statement of a worker": 2,
  "supplier outage": 1,
};

interface StormOptions {
  readonly ground: Ground;
  readonly seed: number;
  /** Whether there is time to stop a process for as long as its lease in truth. */
  readonly isLong: boolean;
  /** Between two strikes, in the mean. */
  readonly pauseMs: number;
  readonly round?: Round;
  readonly statements?: StruckStatements;
}

/** Begins at once. What is struck, whom and when comes from the seed. */
export function openStorm(options: StormOptions): Storm {
  const { ground, seed, isLong, pauseMs, round = usualRound, statements = statementsOfPurchases } = options;
  const figures = { databaseStops: 0, kills: 0, processStops: 0, cuts: 0, backendsEnded: 0, outages: 0 };
  const chance = openChance(seed, "storm");
  const striker: Striker = { ground, chance, figures, background: new Set(), stopped: new Set(), isLong, statements };
  let isOver = false;

  async function rage(): Promise<void> {
    while (!isOver) {
      for (const next of drawRound(chance, round)) {
        if (isOver) break;
        await strike(striker, next);
        await delay(pauseMs * (0.4 + 1.2 * chance.next()));
      }
    }
  }

  const raging = rage();
  return {
    figures,
    async stop() {
      isOver = true;
      await raging;
      while (striker.background.size > 0) await Promise.all(striker.background);
    },
  };
}

function drawRound(chance: Chance, round: Round): Strike[] {
  const strikes = Object.entries(round) as [Strike, number][];
  return chance.shuffled(strikes.flatMap(([name, times]) => Array.from({ length: times }, () => name)));
}

async function strike(striker: Striker, name: Strike): Promise<void> {
  const { apis, workers } = striker.ground;
  switch (name) {
    case "kill a process":
      return kill(striker, runningOf(striker, [...apis, ...workers]));
    case "kill an API in the middle of a statement":
      return cut(striker, runningOf(striker, apis), { kills: true });
    case "kill a worker in the middle of a statement":
      return cut(striker, runningOf(striker, workers), { kills: true });
    case "stop an API past its lease":
      return stopPastLease(striker, runningOf(striker, apis));
    case "stop a worker past its lease":
      return stopPastLease(striker, runningOf(striker, workers));
    case "stop the database at once":
      return stopDatabase(striker);
    case "end its backends":
      return endBackends(striker);
    case "cut a statement of an API":
      return cut(striker, runningOf(striker, apis), { kills: false });
    case "cut a statement of a worker":
      return cut(striker, runningOf(striker, workers), { kills: false });
    case "supplier outage":
      return beginOutage(striker);
  }
}
