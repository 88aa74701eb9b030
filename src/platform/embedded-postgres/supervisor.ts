import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../../kernel/start-error.ts";
import type { Cluster } from "./cluster.ts";
import { launch, type Postmaster, waitUntilReady } from "./postmaster.ts";
import { clearRemains } from "./processes.ts";

const patienceMs = 30_000;
/** Having answered for so long it was well: the next death starts the patience anew. */
const wellMs = 1_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** A PostgreSQL that is started again whenever it dies. */
export interface SupervisedPostgres {
  pid(): number | undefined;
  /** Resolves, with the reason, when it died and could not be kept alive for half a minute. Never after `stop`. */
  readonly givenUp: Promise<StartError>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and resolves when it answers; from then on a death is answered with a new start at the same socket,
 * so that clients only have to connect again.
 * @throws StartError when the first start fails
 */
export async function supervise(
  cluster: Cluster,
  connectionString: string,
  log: (message: string) => void,
  troubleMsMax = patienceMs,
): Promise<SupervisedPostgres> {
  let current: Postmaster = launch(cluster);
  let stopped: Promise<void> | undefined;
  let readyAt = 0;
  let troubleSince = performance.now();

  const bringUp = async () => {
    try {
      await waitUntilReady(cluster, current, connectionString, log);
      readyAt = performance.now();
    } catch (error) {
      await current.stop();
      throw error;
    }
  };
  const restart = async (): Promise<StartError | undefined> => {
    const now = performance.now();
    if (now - readyAt > wellMs) troubleSince = now;
    let said = "";
    for (let pauseMs = firstPauseMs; stopped === undefined; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await clearRemains(cluster.folder, log);
        if (stopped !== undefined) break;
        current = launch(cluster);
        await bringUp();
        if (performance.now() - troubleSince > troubleMsMax) throw new StartError("PostgreSQL dies again and again.");
        log("PostgreSQL is back");
        return undefined;
      } catch (error) {
        if (performance.now() - troubleSince > troubleMsMax) return asStartError(error);
        const reason = (error as Error).message;
        if (reason !== said) log(`PostgreSQL did not start again: ${reason}`);
        said = reason;
      }
      await delay(pauseMs);
    }
    return undefined;
  };
  const watch = async (): Promise<StartError | undefined> => {
    while (stopped === undefined) {
      const { how } = await current.ended;
      if (stopped !== undefined) break;
      log(`PostgreSQL ended unexpectedly (${how}), starting it again`);
      const failure = await restart();
      if (failure !== undefined) return failure;
    }
    return undefined;
  };

  await bringUp();
  const watching = watch();
  return {
    pid: () => (current.hasEnded() ? undefined : current.pid),
    givenUp: new Promise((resolve) => {
      void watching.then((failure) => failure !== undefined && resolve(failure));
    }),
    stop: () => {
      stopped ??= Promise.resolve().then(async () => {
        await current.stop();
        await watching;
        await current.stop(); // one that was being launched meanwhile
      });
      return stopped;
    },
  };
}

function asStartError(error: unknown): StartError {
  return error instanceof StartError ? error : new StartError(`PostgreSQL ended: ${(error as Error).message}`);
}
