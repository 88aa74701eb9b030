import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { killAll } from "../../src/platform/embedded-postgres/processes.ts";
import { freePort } from "../base/own-postgres.ts";
import { projectRoot } from "../base/program.ts";
import { openSales, startShop } from "./sales.ts";
import { databaseFolder, isOk, type Stage, startTool, type Tool, until } from "./stage.ts";

/** Two machines of a database that Patroni looks after, behind HAProxy; each is a group of processes here. */
export interface Cluster {
  /** Through HAProxy, as the role that serves and as the one that owns everything. */
  readonly serviceUrl: string;
  readonly ownerUrl: string;
  /** The machine that is the primary now, and the other one. */
  roles(): Promise<{ readonly primary: Node; readonly standby: Node }>;
  /** Waits until the standby follows, and commits wait for it. */
  untilWhole(): Promise<number>;
}

export interface Node {
  readonly name: string;
  readonly databasePort: number;
  readonly restPort: number;
  /** Starts Patroni, and by it PostgreSQL, on what is there. */
  start(): void;
  /** Ends all of its processes at once, as a power cut does. */
  die(): Promise<void>;
}

const password = "rehearsal";

/** What the rehearsals of the cluster need. */
export const clusterPrograms = ["etcd", "patroni", "haproxy", "initdb"];

/** A file of the kit with its capitals filled in. */
export function kitFile(name: string, values: Readonly<Record<string, string | number>>): string {
  const text = readFileSync(path.join(projectRoot, "deploy", name), "utf8");
  const names = Object.keys(values).sort((one, other) => other.length - one.length);
  return names.reduce((filled, key) => filled.replaceAll(key, String(values[key])), text);
}

/** A service on such a cluster, and who buys there. */
export async function sellOnCluster(stage: Stage) {
  const cluster = await startCluster(stage);
  const urls = { DATABASE_URL: cluster.serviceUrl, MIGRATIONS_DATABASE_URL: cluster.ownerUrl };
  const shop = await startShop(stage, urls);
  return { cluster, shop, sales: await openSales(shop.url, cluster.ownerUrl) };
}

/** Starts etcd, two nodes and HAProxy from the kit's files, and makes the database and its two roles. */
async function startCluster(stage: Stage): Promise<Cluster> {
  stage.say("starting etcd, two nodes of Patroni and HAProxy");
  const etcd = await startEtcd(stage);
  const nodes = [await makeNode(stage, "one", etcd), await makeNode(stage, "two", etcd)] as const;
  nodes[0].start();
  await until("the first node leads", () => hasRole(nodes[0], "primary"), 90);
  nodes[1].start();
  await until("the second node follows", () => hasRole(nodes[1], "replica"), 90);
  const port = await startHaproxy(stage, nodes);
  const [superuser, owner, service] = ["postgres", "dispense_owner", "dispense_service"].map(
    (user) => `postgresql://${user}:${password}@127.0.0.1:${port}`,
  );
  // Until its first checks HAProxy takes both for the primary.
  await delay(3_000);
  await until("HAProxy leads to the primary", () => leadsToPrimary(`${superuser}/postgres`));
  await administrate(`${superuser}/postgres`, [
    `create role dispense_owner login password '${password}'`,
    `create role dispense_service login password '${password}'`,
    "create database dispense owner dispense_owner encoding 'UTF8' template template0",
  ]);
  const cluster: Cluster = {
    serviceUrl: `${service}/dispense`,
    ownerUrl: `${owner}/dispense`,
    async roles() {
      const isFirst = await hasRole(nodes[0], "primary");
      return isFirst ? { primary: nodes[0], standby: nodes[1] } : { primary: nodes[1], standby: nodes[0] };
    },
    untilWhole: () => until("the standby is synchronous", () => isSynchronous(`${superuser}/postgres`), 120),
  };
  await cluster.untilWhole();
  return cluster;
}

async function startEtcd(stage: Stage): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()];
  const [clientUrl, peerUrl] = [client, peer].map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const urls = { listenClient: clientUrl, advertiseClient: clientUrl };
  startTool(
    stage,
    [
      ...(["etcd", "--data-dir", path.join(stage.folder, "etcd"), "--listen-client-urls", urls.listenClient] as const),
      ...["--advertise-client-urls", urls.advertiseClient, "--listen-peer-urls", peerUrl],
      ...["--initial-advertise-peer-urls", peerUrl, "--initial-cluster", `default=${peerUrl}`],
    ],
    { name: "etcd" },
  );
  await until("etcd answers", () => isOk(`${clientUrl}/health`));
  return `127.0.0.1:${client}`;
}

async function makeNode(stage: Stage, name: string, etcd: string): Promise<Node> {
  const folder = databaseFolder(path.join(stage.folder, name));
  const [databasePort, restPort] = [await freePort(), await freePort()];
  const file = path.join(folder, "patroni.yml");
  const text = kitFile("patroni/patroni.yml", {
    NODE: name,
    ADDRESS: "127.0.0.1",
    RESTPORT: restPort,
    DATABASEPORT: databasePort,
    ETCDHOSTS: `"${etcd}"`,
    DATAFOLDER: path.join(folder, "data"),
    SOCKETFOLDER: folder,
    PASSFILE: path.join(folder, "pgpass"),
    SUPERUSERPASSWORD: password,
    REPLICATIONPASSWORD: password,
    REWINDPASSWORD: password,
  });
  writeFileSync(file, text, { mode: 0o644 });
  let patroni: Tool | undefined;
  const die = async () => {
    await patroni?.kill("SIGKILL");
    // Not of its group: PostgreSQL would outlive its Patroni.
    await killAll(path.join(folder, "data"));
  };
  stage.after(die);
  return {
    name,
    databasePort,
    restPort,
    start() {
      patroni = startTool(stage, ["patroni", file], { name: `patroni-${name}`, isOfDatabase: true });
    },
    die,
  };
}

async function startHaproxy(stage: Stage, [one, two]: readonly [Node, Node]): Promise<number> {
  const port = await freePort();
  const file = path.join(stage.folder, "haproxy.cfg");
  const text = kitFile("haproxy/database.cfg", {
    LISTENADDRESS: `127.0.0.1:${port}`,
    ADDRESSONE: `127.0.0.1:${one.databasePort}`,
    ADDRESSTWO: `127.0.0.1:${two.databasePort}`,
    RESTPORTONE: one.restPort,
    RESTPORTTWO: two.restPort,
  });
  writeFileSync(file, text);
  startTool(stage, ["haproxy", "-db", "-f", file], { name: "haproxy" });
  return port;
}

function hasRole({ restPort }: Node, role: "primary" | "replica"): Promise<boolean> {
  return isOk(`http://127.0.0.1:${restPort}/${role}`);
}

async function isSynchronous(url: string): Promise<boolean> {
  const rows = await ask<{ count: number }>(
    url,
    "select count(*)::int from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
  ).catch(() => []);
  return rows[0]?.count === 1;
}

async function leadsToPrimary(url: string): Promise<boolean> {
  const rows = await ask<{ is_standby: boolean }>(url, "select pg_is_in_recovery() as is_standby").catch(() => []);
  return rows[0]?.is_standby === false;
}

/** Asks one question, which is answered soon. */
export async function ask<Row>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end().catch(() => {});
  }
}

/** Carries out statements, one after the other. */
export async function administrate(url: string, statements: readonly string[]): Promise<void> {
  for (const text of statements) await ask(url, text);
}
