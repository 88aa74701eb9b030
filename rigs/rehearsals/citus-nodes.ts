import { appendFileSync, existsSync } from "node:fs";
import path from "node:path";
import { killAll } from "../../src/platform/embedded-postgres/processes.ts";
import { freePort } from "../base/own-postgres.ts";
import { administrate, ask } from "./cluster.ts";
import { databaseFolder, runTool, type Stage, startTool, until } from "./stage.ts";

/** A coordinator and two workers of Citus; each is a server of its own here. */
export interface CitusNodes {
  readonly coordinator: CitusNode;
  readonly workers: readonly [CitusNode, CitusNode];
}

export interface CitusNode {
  readonly name: string;
  readonly port: number;
  /** The product's database there, as one of its roles. */
  urlOf(role: Role): string;
  /** Starts it on what is there, and resolves when it answers, with the seconds that took. */
  start(): Promise<number>;
  /** Ends all of its processes at once, as a power cut does. */
  die(): Promise<void>;
}

/** The roles: one owns the cluster, one the database, one serves. */
type Role = "postgres" | "dispense_owner" | "dispense_service";

const variable = "CITUS_BIN";
const programs = ["initdb", "postgres"];

/** Why there is no Citus here; null where there is one. */
export function citusHindrance(): string | null {
  const folder = process.env[variable];
  const how = "(docs/operations/scale.md)";
  if (folder === undefined || folder === "") return `${variable} names no PostgreSQL with Citus ${how}`;
  const missing = programs.filter((name) => !existsSync(path.join(folder, name)));
  return missing.length === 0 ? null : `${variable}=${folder} has no ${missing.join(", ")} ${how}`;
}

const settings = {
  listen_addresses: "'127.0.0.1'",
  shared_preload_libraries: "'citus'",
  wal_level: "logical",
  max_connections: "200",
  max_prepared_transactions: "200",
  max_worker_processes: "24",
  max_replication_slots: "20",
  max_wal_senders: "20",
  max_wal_size: "'2GB'",
};

/** Starts all three with an empty database that they know each other by, and the two roles of the product. */
export async function startCitus(stage: Stage): Promise<CitusNodes> {
  stage.say("starting a coordinator and two workers");
  const coordinator = await makeNode(stage, "coordinator");
  const workers = [await makeNode(stage, "worker-one"), await makeNode(stage, "worker-two")] as const;
  for (const node of [coordinator, ...workers]) {
    await node.start();
    const server = `postgresql://postgres@127.0.0.1:${node.port}/postgres`;
    await administrate(server, [
      "create role dispense_owner login",
      "create role dispense_service login",
      "create database dispense owner dispense_owner encoding 'UTF8' template template0",
    ]);
    await administrate(node.urlOf("postgres"), ["create extension citus"]);
  }
  await administrate(coordinator.urlOf("postgres"), [
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
  ]);
  return { coordinator, workers };
}

async function makeNode(stage: Stage, name: string): Promise<CitusNode> {
  const bin = process.env[variable] ?? "";
  const folder = databaseFolder(path.join(stage.folder, name));
  const data = path.join(folder, "data");
  const port = await freePort();
  // Nodes ask each other as whoever asked them, without a password: of this machine alone.
  const initdb = ["-D", data, "-U", "postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust"];
  runTool([path.join(bin, "initdb"), ...initdb], { isOfDatabase: true, folder });
  const lines = Object.entries({ ...settings, port, unix_socket_directories: `'${folder}'` });
  appendFileSync(path.join(data, "postgresql.conf"), lines.map(([key, value]) => `${key} = ${value}\n`).join(""));
  const urlOf = (role: Role) => `postgresql://${role}@127.0.0.1:${port}/dispense`;
  const answers = () =>
    ask(`postgresql://postgres@127.0.0.1:${port}/postgres`, "select 1").then(
      () => true,
      () => false,
    );
  // Not with the group of its first process alone: each of its processes is a group of its own.
  const die = () => killAll(data);
  stage.after(die);
  return {
    name,
    port,
    urlOf,
    async start() {
      startTool(stage, [path.join(bin, "postgres"), "-D", data], { name, isOfDatabase: true });
      return until(`${name} answers`, answers, 120);
    },
    die,
  };
}
