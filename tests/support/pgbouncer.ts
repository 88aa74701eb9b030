import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { openDatabaseWay } from "./database-way.ts";
import { waitUntil } from "./receiver.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";

/** A PgBouncer of one's own before a database, on 127.0.0.1. */
export interface PgBouncer {
  readonly url: string;
  close(): Promise<void>;
}

// Debian has it where only root's path leads.
const environment = { PATH: `${process.env.PATH}:/usr/sbin` };

export const hasPgBouncer = spawnSync("pgbouncer", ["--version"], { env: environment }).status === 0;

/** Starts one with these settings over the usual ones. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<PgBouncer> {
  const scratch = await makeScratchDirectory();
  // It may run as a user who cannot enter the folder of PostgreSQL's socket.
  const way = await openDatabaseWay(databaseUrl);
  const upstream = new pg.Client({ connectionString: way.url });
  const port = await freePort();
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    default_pool_size: 30,
    max_client_conn: 500,
    ...settings,
  };
  const password = upstream.password ? ` password=${upstream.password}` : "";
  const file = path.join(scratch.folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]\n* = host=127.0.0.1 port=${upstream.port} user=${upstream.user}${password}\n[pgbouncer]\n` +
      Object.entries(all)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(""),
  );
  await chmod(scratch.folder, 0o755);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...user, file], { env: environment, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  const url = `postgresql://${upstream.user}@127.0.0.1:${port}/${upstream.database}`;
  await waitUntil(() => child.exitCode !== null || answers(url), `PgBouncer: ${said}`);
  if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
  return {
    url,
    async close() {
      await end(child);
      await way.close();
      await scratch.remove();
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
