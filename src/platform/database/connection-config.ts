import pg from "pg";
import { parse } from "pg-connection-string";
import { StartError } from "../../kernel/start-error.ts";

/** How a session's statements are planned; `PoolOptions` says what for. */
export type Plans = "batched" | "ordinary";

/** The settings that an address may give: where the server is, who connects, and the timeouts. We set all others. */
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
 * Settings that this program relies on, whatever the server, the database or the role prefers: how values are written,
 * that a commit is on disk, and that a statement sees what was committed before. Values are as PostgreSQL shows
 * them.
 */
const everySession = {
  timezone: "UTC",
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  bytea_output: "hex",
  array_nulls: "on",
  standard_conforming_strings: "on",
  default_transaction_isolation: "read committed",
  synchronous_commit: "on",
  client_min_messages: "warning",
  // Debian's PostgreSQL would compile each claim for seconds, as its plan looks dear: some ways of reading are switched off.
  jit: "off",
  // A statement that took too long is given up with its connection. Its server process must not outlive that: behind a
  // lock they would pile up, past the pool, until nobody else gets a connection.
  client_connection_check_interval: "1s",
  // Nor may a transaction whose process was stopped in the middle, or whose machine is gone: others wait for the wallets
  // that it holds.
  idle_in_transaction_session_timeout: "5s",
} as const;

/** Settings of a connection over the network; a socket of the same machine has none of them. */
const everyNetworkSession = { tcp_keepalives_idle: "15", tcp_keepalives_interval: "5", tcp_keepalives_count: "3" };

/** PostgreSQL then refuses whatever would write. */
const readOnlySession = { default_transaction_read_only: "on" };

const planSettings: Record<Plans, Settings> = {
  batched: {
    plan_cache_mode: "force_generic_plan",
    enable_seqscan: "off",
    enable_hashjoin: "off",
    enable_mergejoin: "off",
  },
  ordinary: { plan_cache_mode: "force_custom_plan" },
};

export type Settings = Readonly<Record<string, string>>;

/** How to connect to an address, and what is done on each connection before it is used. */
export type ConnectionConfig = pg.ClientConfig & { readonly onConnect: (client: pg.ClientBase) => Promise<void> };

/**
 * How to connect to an address. Left to itself, pg lets the address win over everything that is said beside it; here its
 * `options` come first and ours behind, where the last word wins, and the name is always ours: operators go by it.
 *
 * Ours are set by a statement: a pooler between us and PostgreSQL refuses or drops what is said in connecting.
 * @throws StartError when the address can't be read, in one sentence which never holds the password
 */
export function connectionConfig(options: {
  readonly connectionString: string;
  readonly applicationName: string;
  readonly plans: Plans;
  readonly isReadOnly?: boolean | undefined;
}): ConnectionConfig {
  const address = parseAddress(options.connectionString);
  const settings = {
    ...settingsOf(options.connectionString, options.plans),
    ...everyNetworkSession,
    ...(options.isReadOnly === true && readOnlySession),
  };
  return {
    ...Object.fromEntries(takenFromAddress.map((name) => [name, address[name]])),
    // Without TLS there is nothing to negotiate, whatever PGSSLNEGOTIATION says.
    ...(address.ssl === false && { sslnegotiation: "postgres" }),
    ...(address.options !== undefined && { options: address.options }),
    application_name: options.applicationName,
    onConnect: (client) => applySettings(client, settings),
  };
}

/** The settings of our sessions at this address, as PostgreSQL shows them. */
export function settingsOf(connectionString: string, plans: Plans): Settings {
  const { idle_in_transaction_session_timeout: theirs, options = "" } = parseAddress(connectionString);
  const { idle_in_transaction_session_timeout: ours, ...settings } = everySession;
  // How long something may take the address may say.
  const ourTimeout = theirs === undefined ? { idle_in_transaction_session_timeout: ours } : {};
  // An engine that cuts statements up for its nodes has no generic plan of them (docs/operations/scale.md).
  const theirPlans = plans === "batched" && options.includes("plan_cache_mode=auto") ? { plan_cache_mode: "auto" } : {};
  return { ...settings, ...ourTimeout, ...planSettings[plans], ...theirPlans };
}

const setAll = "select set_config(name, value, false) from unnest($1::text[], $2::text[]) as setting (name, value)";
/** A pooler takes the connection, and has this statement wait where it has no session left. */
const setSecondsMax = 2;

async function applySettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  const values = [Object.keys(settings), Object.values(settings)];
  await client.query({ text: setAll, values, query_timeout: setSecondsMax * 1_000 } as pg.QueryConfig);
}

/** A client beside those of a pool, to the same place. A pool hides its password from whoever copies its options. */
export function siblingClient(poolOptions: pg.PoolConfig, own: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...poolOptions, password: poolOptions.password, ...own });
}

/** Connects such a client with the settings that the pool's connections have. */
export async function connectBeside(poolOptions: pg.PoolConfig, client: pg.Client): Promise<pg.Client> {
  await client.connect();
  try {
    await poolOptions.onConnect?.(client);
  } catch (error) {
    void client.end();
    throw error;
  }
  return client;
}

function parseAddress(connectionString: string): ReturnType<typeof parse> {
  const hosts = /^[a-z]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(connectionString)?.[1] ?? "";
  if (hosts.includes(",") || /[?&]target_session_attrs=/.test(connectionString)) throw new StartError(severalHosts);
  try {
    return parse(connectionString);
  } catch (error) {
    throw new StartError(sentenceFor(error as Error), { cause: error });
  }
}

const severalHosts =
  "DATABASE_URL names several hosts or target_session_attrs, which are not taken: name one address that always leads to " +
  "the primary (docs/operations/incidents.md, under failover).";

function sentenceFor(error: Error & { readonly code?: string }): string {
  if (error.code === "ERR_INVALID_URL" || error instanceof URIError) return "DATABASE_URL is no valid address.";
  // A certificate that the address names.
  if (error.message.includes(", open '")) return `DATABASE_URL names a file that can't be read (${error.message}).`;
  return `DATABASE_URL can't be used (${error.message}).`;
}
