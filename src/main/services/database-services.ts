import { insertPurchases } from "../../domain/purchases/queries.ts";
import { type CommitState, openCommitState } from "../../platform/database/commit-state.ts";
import type { Plans } from "../../platform/database/connection-config.ts";
import { type OpenDatabase, openDatabase, openPool, type PoolOptions } from "../../platform/database/database.ts";
import type { Needs } from "../../platform/database/reach-database.ts";
import { refusalWhenAway } from "../../platform/database/refuse-when-away.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Metrics, measurePool } from "../../platform/telemetry/metrics.ts";

/** The database by two pools. */
export interface Databases {
  /** For statements whose plan depends on their values: lists, reports. */
  readonly ordinary: OpenDatabase;
  /** For what many calls share: each statement is planned once. */
  readonly batched: OpenDatabase;
  /** Whether commits of the batched pool come back. */
  readonly commits: CommitState;
}

/** Read by reference, rate leases, claim and record deliveries: each has one statement under way. */
const pooledConnections = 6;
/** Accept and settle have a connection each. */
const pipelined = ["accept_purchases", "settle_purchases"];
const batchedConnections = pooledConnections + pipelined.length;

/** What a process with such a pool opens, and for what. */
export function connectionsFor(connectionsMax: number): Needs {
  return { charge: batchedConnections, read: Math.max(2, connectionsMax - batchedConnections) };
}

/** `connect`: how a pool is opened, where not as usual. */
export function openDatabases(options: {
  readonly connectionString: string;
  readonly connectionsMax: number;
  readonly secretBox: SecretBox;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly connect?: ((options: PoolOptions) => OpenDatabase) | undefined;
}): Databases {
  const { connectionString, secretBox, log, metrics } = options;
  const { read: ordinary = 0 } = connectionsFor(options.connectionsMax);
  const connect = (plans: Plans) => {
    const pool: PoolOptions = {
      connectionString,
      connectionsMax: plans === "batched" ? pooledConnections : ordinary,
      // Tells an operator who looks at the connections which keys this process holds: `keys rotate` asks.
      applicationName: ["dispense", plans, ...secretBox.keyIds].join(" "),
      plans,
      onLost: (error) => log.warn({ event: "database.connection_lost", error: String(error) }),
    };
    return options.connect?.(pool) ?? openMeasured(pool, metrics);
  };
  const { commits, batched } = openCommitState({
    database: connect("batched"),
    monotonicMs: () => performance.now(),
    // On whichever day.
    chargeNothing: (database) => insertPurchases(database, [], "2020-01-01"),
  });
  return { ordinary: connect("ordinary"), batched, commits };
}

function openMeasured(options: PoolOptions, metrics: Metrics): OpenDatabase {
  const pool = openPool(options);
  measurePool(pool, metrics, options.plans);
  return openDatabase(pool, options.plans === "batched" ? pipelined : []);
}

/** Refuses calls that would commit, before anything is sent, while no commit comes back. */
export function refusingWhileStill<Given extends readonly unknown[], Result>(
  commits: CommitState,
  act: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return (...given) => {
    const refusal = commits.refusal();
    return refusal === null ? act(...given) : Promise.reject(refusalWhenAway(refusal));
  };
}
