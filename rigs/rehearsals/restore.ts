import { once } from "node:events";
import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "../../scripts/build.mjs";
import { killAll } from "../../src/platform/embedded-postgres/processes.ts";
import { brokenInvariants, connectTo } from "../base/database.ts";
import { freePort } from "../base/own-postgres.ts";
import { projectRoot } from "../base/program.ts";
import { usualEnvironment } from "../base/service.ts";
import { kitFile } from "./cluster.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { openSales, startShop } from "./sales.ts";
import { databaseFolder, runTool, type Stage, startTool, until } from "./stage.ts";

type Command = readonly [string, ...string[]];

/** A person drops the ledger; pgBackRest brings the database back to the moment before it, and the service sells on. */
export const restore: Rehearsal = {
  name: "restore",
  says: "A person drops the ledger; the database is restored as it was a moment before.",
  programs: ["pgbackrest", "initdb", "pg_ctl", "psql"],
  async perform(stage) {
    await build("operator");
    const archived = await startArchived(stage);
    const urls = { DATABASE_URL: archived.serviceUrl, MIGRATIONS_DATABASE_URL: archived.ownerUrl };
    const shop = await startShop(stage, urls);
    const sales = await openSales(shop.url, archived.ownerUrl);
    const rows = [["step", "seconds"]];
    const step = async (what: string, work: () => Promise<unknown>) => {
      stage.say(what);
      const startedMs = performance.now();
      await work();
      rows.push([what, ((performance.now() - startedMs) / 1_000).toFixed(1)]);
    };
    for (const type of ["full", "diff"]) {
      await delay(3_000);
      await step(`${type} backup, under load`, () => archived.backrest(`--type=${type}`, "backup"));
    }
    await delay(3_000);
    const { acknowledged } = await sales.end();
    const moment = archived.ask("select now()");
    const afterwards = await openSales(shop.url, archived.ownerUrl);
    await delay(5_000);
    const { acknowledged: undone } = await afterwards.end();
    stage.say("the ledger is dropped");
    archived.ask("drop table ledger_entries cascade", "dispense");

    await step("the service stops", () => shop.program.end());
    await step("PostgreSQL stops, and archives what was committed last", archived.stop);
    await step("the files come back", () => archived.restoreTo(moment));
    await step("the log is replayed up to the moment, and commits are taken", archived.start);
    for (const words of [["after-restore"], ["check-ledger"], ["keys", "status"]]) {
      await step(words.join(" "), async () => operate(stage, urls, words));
    }
    const found = await look(archived.ownerUrl);
    let seller = { url: "" };
    await step("the service starts", async () => {
      seller = await startShop(stage, urls, { name: "restored" });
    });
    const again = await openSales(seller.url, archived.ownerUrl);
    await delay(3_000);
    const sold = await again.end();
    const missing = Math.max(0, acknowledged - found.purchases);
    const extra = Math.max(0, found.purchases - acknowledged);
    return {
      rows,
      notes: [
        `Of ${undone} purchases after the moment ${extra} were there; ${sold.acknowledged} were sold once it was restored.`,
      ],
      verdict: {
        acknowledged,
        lost: missing + extra,
        brokenInvariants: [...found.broken, ...sold.brokenInvariants],
      },
    };
  },
};

/** A PostgreSQL of the installed packages whose log pgBackRest archives, both set up by the kit's files. */
interface ArchivedDatabase {
  readonly serviceUrl: string;
  readonly ownerUrl: string;
  /** One value, as the superuser. */
  ask(statement: string, database?: string): string;
  backrest(...words: string[]): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when it takes commits. */
  start(): Promise<void>;
  restoreTo(moment: string): Promise<void>;
}

async function startArchived(stage: Stage): Promise<ArchivedDatabase> {
  stage.say("starting PostgreSQL, and archiving by pgBackRest");
  const folder = databaseFolder(path.join(stage.folder, "archived"));
  const data = path.join(folder, "main");
  const port = await freePort();
  const configuration = path.join(folder, "pgbackrest.conf");
  writeFileSync(configuration, backrestFile(folder, { data, port }), { mode: 0o644 });
  const asDatabase = (command: Command) => runTool(command, { isOfDatabase: true, folder });
  let turn = 0;
  const run = async (name: string, command: Command) => {
    const tool = startTool(stage, command, { name: `${name}-${++turn}`, isOfDatabase: true });
    const [code] = await once(tool.child, "exit");
    if (code !== 0) throw new Error(`${command.join(" ")}: ${tool.log()}`);
  };
  const backrest = (...words: string[]) =>
    run("pgbackrest", ["pgbackrest", `--config=${configuration}`, "--stanza=dispense", ...words]);
  const ask = (statement: string, database = "postgres") => {
    const address = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-d", database];
    return runTool(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", ...address, "-c", statement]).trim();
  };
  const isPrimary = () => {
    try {
      return ask("select pg_is_in_recovery()") === "f";
    } catch {
      return false;
    }
  };
  const start = async () => {
    await run("pg_ctl", ["pg_ctl", "-D", data, "-l", path.join(folder, "postgres.log"), "-w", "start"]);
    await until("the database takes commits", isPrimary, 120);
  };

  asDatabase(["initdb", "-D", data, "-U", "postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust"]);
  const own = { port, listen_addresses: "'127.0.0.1'", unix_socket_directories: `'${folder}'` };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}\n`);
  const archiving = kitFile("pgbackrest/postgresql.conf", { "--stanza": `--config=${configuration} --stanza` });
  appendFileSync(path.join(data, "postgresql.conf"), `${archiving}\n${lines.join("")}`);
  stage.after(() => killAll(data));
  await start();
  await backrest("stanza-create");
  await backrest("check");
  ask("create role dispense_owner login");
  ask("create role dispense_service login");
  ask("create database dispense owner dispense_owner encoding 'UTF8' template template0");
  const urlOf = (role: string) => `postgresql://${role}@127.0.0.1:${port}/dispense`;
  return {
    serviceUrl: urlOf("dispense_service"),
    ownerUrl: urlOf("dispense_owner"),
    ask,
    backrest,
    start,
    stop: () => run("pg_ctl", ["pg_ctl", "-D", data, "-m", "fast", "-w", "stop"]),
    async restoreTo(moment) {
      renameSync(data, `${data}.broken`);
      databaseFolder(data);
      await backrest("--type=time", `--target=${moment}`, "--target-action=promote", "restore");
    },
  };
}

/** The kit's file, with all folders in this one. */
function backrestFile(folder: string, { data, port }: { readonly data: string; readonly port: number }): string {
  const text = kitFile("pgbackrest/pgbackrest.conf", {
    "/var/lib/pgbackrest": databaseFolder(path.join(folder, "repository")),
    "/var/lib/postgresql/15/main": data,
    "pg1-port=5432": `pg1-port=${port}`,
    "CHANGE-ME": "rehearsal",
  });
  const folders = ["log", "spool", "lock"].map((name) => `${name}-path=${databaseFolder(path.join(folder, name))}`);
  return [text, `pg1-socket-path=${folder}`, "pg1-user=postgres", "[global]", ...folders, ""].join("\n");
}

/** A command of the operator. @throws Error where it fails, such as check-ledger with a broken invariant */
function operate(stage: Stage, urls: Readonly<Record<string, string>>, words: readonly string[]): string {
  return runTool([process.execPath, "--enable-source-maps", "dist/operator.js", ...words], {
    environment: { ...usualEnvironment, ...urls, DATA_DIR: path.join(stage.folder, "service") },
    folder: projectRoot,
  });
}

const countRehearsed = "select count(*) as purchases from purchases where reference like 'rehearsal-%'";

async function look(ownerUrl: string): Promise<{ readonly purchases: number; readonly broken: readonly string[] }> {
  const database = connectTo(ownerUrl);
  try {
    const [row] = await database.query<{ purchases: bigint }>({ name: "count_rehearsed", text: countRehearsed });
    return { purchases: Number(row?.purchases), broken: await brokenInvariants(database) };
  } finally {
    await database.close();
  }
}
