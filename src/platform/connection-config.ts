import pg from "pg";
import { parse } from "pg-connection-string";
import { StartError } from "../kernel/start-error.ts";

/** How a session's statements are planned; `PoolOptions` says what for. */
export type Plans = "batched" | "ordinary";

/** What an address may say: where the server is, who asks, and how long it may take. All else is ours to say. */
const takenFromAddress = [
  "host",
  "port",
  "user",
  "password",
  "database",
  "ssl",
  "sslnegotiation",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
] as const;

/**
 * What this program relies on, whatever the server, the database or the role prefers: how values are written and read,
 * that a commit is on disk, and that a statement sees what was committed before it began.
 */
const everySession = [
  "-c timezone=UTC",
  "-c datestyle=ISO",
  "-c intervalstyle=postgres",
  "-c bytea_output=hex",
  "-c array_nulls=on",
  "-c standard_conforming_strings=on",
  "-c default_transaction_isolation=read\\ committed",
  "-c synchronous_commit=on",
  "-c client_min_messages=warning",
  // A statement that took too long is given up with its connection. Its server process must not outlive that: behind a
  // lock they would pile up, past the pool, until nobody else gets a connection.
  "-c client_connection_check_interval=1000",
  // Nor may a transaction whose process was stopped in the middle, or whose machine is gone: others wait for the wallets
  // that it holds.
  "-c idle_in_transaction_session_timeout=5000",
  "-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
];

const planSettings: Record<Plans, readonly string[]> = {
  batched: [
    "-c plan_cache_mode=force_generic_plan",
    "-c enable_seqscan=off",
    "-c enable_hashjoin=off",
    "-c enable_mergejoin=off",
    "-c jit=off",
  ],
  ordinary: ["-c plan_cache_mode=force_custom_plan"],
};

/**
 * How to connect to an address. Left to itself, pg lets the address win over everything that is said beside it; here its
 * `options` come first and ours behind, where the last word wins, and the name is always ours: operators go by it.
 * @throws StartError when the address can't be read, in one sentence which never holds the password
 */
export function connectionConfig(options: {
  readonly connectionString: string;
  readonly applicationName: string;
  readonly plans: Plans;
}): pg.ClientConfig {
  const address = parseAddress(options.connectionString);
  const theirs = address.options === undefined ? [] : [address.options];
  return {
    ...Object.fromEntries(takenFromAddress.map((name) => [name, address[name]])),
    // Without TLS there is nothing to negotiate, whatever PGSSLNEGOTIATION says.
    ...(address.ssl === false && { sslnegotiation: "postgres" }),
    application_name: options.applicationName,
    options: [...theirs, ...everySession, ...planSettings[options.plans]].join(" "),
  };
}

/** A client beside those of a pool, to the same place. A pool hides its password from whoever copies its options. */
export function clientBeside(poolOptions: pg.ClientConfig, own: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...poolOptions, password: poolOptions.password, ...own });
}

function parseAddress(connectionString: string): ReturnType<typeof parse> {
  try {
    return parse(connectionString);
  } catch (error) {
    throw new StartError(sentenceFor(error as Error), { cause: error });
  }
}

function sentenceFor(error: Error & { readonly code?: string }): string {
  if (error.code === "ERR_INVALID_URL" || error instanceof URIError) return "DATABASE_URL is no valid address.";
  // A certificate that the address names.
  if (error.message.includes(", open '")) return `DATABASE_URL names a file that can't be read (${error.message}).`;
  return `DATABASE_URL can't be used (${error.message}).`;
}
