import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, setGlobalDispatcher } from "undici";
import { call } from "../base/client.ts";
import { projectRoot } from "../base/program.ts";
import { type Docker, dockerHindrance, dockerPrograms, startDocker } from "./docker.ts";
import { openPort } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, openSales, type Sales } from "./sales.ts";
import { runTool, type Stage, until } from "./stage.ts";

/** A copy of the checkout that Docker runs, and what came of what was done to it. */
interface Site {
  readonly docker: Docker;
  readonly folder: string;
  readonly stage: Stage;
  readonly rows: string[][];
  sales: Sales | null;
}

/** compose.yaml and its scripts, by the steps of docs/operations/install.md, run.md and incidents.md. */
export const compose: Rehearsal = {
  name: "compose",
  says: "Docker starts compose.yaml, updates it, and it is broken in each of its parts, failed over and restored.",
  programs: dockerPrograms,
  hindrance: dockerHindrance,
  async perform(stage) {
    const head = ["what happened", "seconds without a sale", "answers other than a sale", "seen"];
    const site: Site = {
      docker: await startDocker(stage),
      folder: path.join(stage.folder, "site"),
      stage,
      rows: [head],
      sales: null,
    };
    await firstStart(site);
    const ownerUrl = await ownerUrlOf(site);
    const sales = await openSales("https://localhost", ownerUrl);
    site.sales = sales;
    await secondUp(site);
    await brokenParts(site);
    await updates(site);
    await standby(site);
    await watching(site);
    const verdict = await sales.end();
    site.sales = null;
    const kept = await restored(site);
    if (kept !== verdict.acknowledged) throw new Error(`${kept} of ${verdict.acknowledged} purchases were restored`);
    const versions = await shell(
      site,
      "docker version --format 'Docker {{.Server.Version}}' && docker compose version",
    );
    const notes = [
      `${versions.trim().replace("\n", ", ")}. PostgreSQL, Caddy, Prometheus, Alertmanager and Node.js are Debian's, under the official images' paths, users and commands.`,
      "NOT RUN HERE: Grafana and the official images, which no registry at hand has; a certificate of Let's Encrypt (Caddy's own authority signs here); a pull.",
    ];
    return { rows: site.rows, notes, verdict };
  },
};

/** Runs a line of a shell in the site's folder, as an operator does. */
function shell({ docker, folder }: Site, line: string, input?: string): Promise<string> {
  return docker.run(["bash", "-c", line], folder, input);
}

/** What a line that has to fail wrote. */
async function refused(site: Site, line: string, pattern: RegExp): Promise<string> {
  const said = await shell(site, line).then(
    () => "nothing",
    (error: Error) => error.message,
  );
  const [found] = pattern.exec(said) ?? [];
  if (found === undefined) throw new Error(`${line} was to be refused with ${pattern}: ${said}`);
  return found;
}

/** Does it while purchases are made, and notes what they met. `sells`: nothing may be refused meanwhile. */
async function play(site: Site, what: string, work: () => Promise<string>, { sells = false } = {}): Promise<void> {
  site.stage.say(what);
  site.sales?.longestPause();
  site.sales?.refusals();
  const seen = await work();
  const refusals = site.sales?.refusals() ?? {};
  site.rows.push([what, site.sales === null ? "–" : String(site.sales.longestPause()), list(refusals), seen]);
  if (sells && Object.keys(refusals).length > 0) throw new Error(`${what}: ${list(refusals)}`);
}

const idOf = async (site: Site, service: string) =>
  (await shell(site, `docker compose --profile '*' ps --all --quiet ${service}`)).trim();
const inspect = async ({ docker }: Site, id: string, format: string) =>
  (await docker.run(["docker", "inspect", "--format", format, id])).trim();

async function firstStart(site: Site): Promise<void> {
  const { folder, stage } = site;
  const files = runTool(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { folder: projectRoot });
  for (const file of files.trim().split("\n")) cpSync(path.join(projectRoot, file), path.join(folder, file));
  const settings = readFileSync(path.join(folder, "deploy/compose.env.example"), "utf8")
    .replaceAll(/^((?:OWNER|SERVICE)_PASSWORD=)$/gm, (line) => line + randomBytes(24).toString("hex"))
    .replace(/^ENCRYPTION_KEY=$/m, (line) => line + randomBytes(32).toString("base64"));
  writeFileSync(path.join(folder, ".env"), `${settings}RATE_LIMIT_PER_MINUTE=1000000000\n`, { mode: 0o600 });
  await play(site, "a name in .env is misspelt", async () => {
    await shell(site, "sed -i s/^SMTP_URL=/SMPT_URL=/ .env");
    const said = await refused(site, "deploy/update.sh", /\.env has .*/);
    await shell(site, "sed -i s/^SMPT_URL=/SMTP_URL=/ .env");
    return said;
  });
  stage.after(() => shell(site, "docker compose --profile '*' down --volumes"));
  const startedMs = performance.now();
  await play(site, "first start, with the image's build", async () => {
    await shell(site, "deploy/update.sh");
    return `all healthy after ${Math.round((performance.now() - startedMs) / 1_000)} s, ${await facts(site)}`;
  });
  await play(site, "first merchant, first sale over TLS", () => firstSale(site));
}

/** What is worth knowing of the image. */
async function facts(site: Site): Promise<string> {
  const size = Number(await inspect(site, "dispense:0.2.0", "{{.Size}}")) / 1e6;
  const base = Number(await inspect(site, "rehearsal/node", "{{.Size}}")) / 1e6;
  const tools = "which npm npx corepack gcc make python3 git curl || true";
  const found = await shell(site, `docker compose exec -T api-a sh -c '${tools}'`);
  return `image ${size.toFixed(0)} MB (base ${base.toFixed(0)} MB), tools in it: ${found.trim() || "none"}`;
}

const create = "create-merchant --name 'Kobo House' --email ada@kobo.example --test-credit 5000.00";

/** As a person does it by the documents; later calls go over TLS as well, trusting the proxy's own authority alone. */
async function firstSale(site: Site): Promise<string> {
  const nameless = await refused(site, `docker compose run --rm operator ${create}`, /Say who.*/);
  const told = await shell(site, `docker compose run --rm operator --as ada@kobo.example ${create}`);
  const [key = ""] = /ds_test_\w+/.exec(told) ?? [];
  const ca = await shell(site, "docker compose exec -T proxy cat /data/caddy/pki/authorities/local/root.crt");
  const { there, thereIpv6 } = site.docker.addresses;
  const by = (address: string, family: 4 | 6) =>
    new Agent({
      connect: {
        ca,
        lookup: (_host, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
      },
    });
  setGlobalDispatcher(by(there, 4));
  const body = { product_id: 1001, phone: "08031234567", reference: "first-1" };
  const { status } = await call({ url: "https://localhost" }, key, "/data/purchase", { body });
  await call({ url: "https://localhost" }, key, "/wallet/balance", { dispatcher: by(thereIpv6, 6) });
  const ask = "docker compose exec -T database psql -U dispense_owner dispense -Atc";
  const source = "select string_agg(distinct host(address), ', ') from request_log";
  await delay(2_000);
  if (status !== 201) throw new Error(`the first sale was answered ${status}`);
  return `${status}; clients' addresses as the service sees them: ${(await shell(site, `${ask} "${source}"`)).trim()}; without --as: ${nameless}`;
}

/** The database as its owner, by its socket in the container that is the database just then. */
async function ownerUrlOf(site: Site): Promise<string> {
  const port = await openPort(site.stage, () => {
    const options = { environment: { ...site.docker.environment }, folder: site.folder };
    const id = runTool(["docker", "compose", "ps", "--quiet", "database"], options).trim();
    const pid = runTool(["docker", "inspect", "--format", "{{.State.Pid}}", id], options).trim();
    return `/proc/${pid}/root/run/postgresql/.s.PGSQL.5432`;
  });
  return `postgresql://dispense_owner@127.0.0.1:${port}/dispense`;
}

async function secondUp(site: Site): Promise<void> {
  const containers = () => shell(site, "docker compose --profile '*' ps --all --quiet --no-trunc | sort");
  await play(
    site,
    "docker compose up again, also with --profile watch",
    async () => {
      const before = (await containers()).trim().split("\n");
      await shell(
        site,
        "docker compose up --detach --wait && docker compose --profile watch up --detach --wait prometheus alertmanager",
      );
      const after = await containers();
      return `${before.filter((id) => !after.includes(id)).length} of ${before.length} containers recreated`;
    },
    { sells: true },
  );
  await shell(site, "docker compose --profile watch rm --stop --force prometheus alertmanager");
}

const parts = ["api-a", "api-b", "worker", "console", "backup", "proxy", "database"];

async function brokenParts(site: Site): Promise<void> {
  for (const service of parts) {
    await play(site, `kill -9 of ${service}`, async () => {
      const [id, before] = [await idOf(site, service), await pidOf(site, service)];
      process.kill(Number(before), "SIGKILL");
      const isBack = async () =>
        (await pidOf(site, service)) !== before && (await inspect(site, id, "{{.State.Health.Status}}")) === "healthy";
      const seconds = await until(`${service} is healthy again`, isBack, 90);
      return `healthy again after ${seconds.toFixed(0)} s`;
    });
  }
  for (const network of ["front", "inside"]) {
    await play(
      site,
      `api-a is cut off from ${network === "front" ? "the proxy" : "the database"} for 20 s`,
      async () => {
        const id = await idOf(site, "api-a");
        const before = site.sales?.count() ?? 0;
        await shell(site, `docker network disconnect dispense_${network} ${id}`);
        await delay(20_000);
        const meanwhile = (site.sales?.count() ?? 0) - before;
        await shell(site, `docker network connect --alias api-a dispense_${network} ${id}`);
        return `${meanwhile} sold meanwhile`;
      },
    );
  }
  await play(site, "docker compose restart database", async () => {
    await shell(site, "docker compose restart database");
    await delay(5_000);
    return "";
  });
}

async function pidOf(site: Site, service: string): Promise<string> {
  return inspect(site, await idOf(site, service), "{{.State.Pid}}");
}

/** Another release as an image: the one before with a migration more. */
async function release(site: Site, [version, base, sql]: readonly [string, string, string]): Promise<void> {
  const file = [
    `FROM dispense:${base}`,
    "USER root",
    `RUN sed -i 's/"version": ".*"/"version": "${version}"/' package.json && printf '%b' '${sql}' > migrations/9999_planted.sql`,
    "USER 1000:1000",
  ];
  await shell(site, `docker build --quiet --tag dispense:${version} -`, file.join("\n"));
}

async function updates(site: Site): Promise<void> {
  const update = (version: string) => async () => {
    const startedMs = performance.now();
    const said = await shell(site, `deploy/update.sh ${version}`);
    return `${said.trim().split("\n").at(-1)} After ${Math.round((performance.now() - startedMs) / 1_000)} s`;
  };
  const sells = { sells: true };
  await shell(site, `sed -i 's/"version": "0.2.0"/"version": "0.2.1"/' package.json`);
  await play(site, "deploy/update.sh to a newer release, built meanwhile", update(""), sells);
  await play(site, "deploy/update.sh to the same release", update("0.2.1"), sells);
  await play(site, "deploy/update.sh back", update("0.2.0"), sells);
  await play(
    site,
    "two updates at once",
    async () => {
      const first = shell(site, "deploy/update.sh 0.2.1");
      await delay(1_000);
      const said = await refused(site, "deploy/update.sh 0.2.0", /Another update.*/);
      await first;
      return `the second: ${said}`;
    },
    sells,
  );
  await release(site, ["0.2.2", "0.2.1", "select 1/0;"]);
  await play(
    site,
    "a release whose migration fails",
    () => refused(site, "deploy/update.sh 0.2.2", /Migration .*/),
    sells,
  );
  await release(site, ["0.2.3", "0.2.1", "-- oldest release: 0.2.3\\nselect 1;"]);
  await play(site, "a release that contracts", update("0.2.3"), sells);
  await play(site, "back over it", () => refused(site, "deploy/update.sh 0.2.1", /This database was .*/), sells);
}

const psql = "docker compose exec -T database psql -U dispense_owner dispense -Atc";
const waitFor = "alter system set synchronous_standby_names = 'standby'";
const waitForNobody = "alter system reset synchronous_standby_names";

async function standby(site: Site): Promise<void> {
  const make = "docker compose --profile ha up --detach --wait standby";
  const reload = `${psql} 'select pg_reload_conf()'`;
  const isSynchronous = async () =>
    (await shell(site, `${psql} 'select sync_state from pg_stat_replication'`)).trim() === "sync";
  const synchronise = async () => {
    await shell(site, `${psql} "${waitFor}" && ${reload}`);
    await until("commits wait for the standby", isSynchronous);
  };
  await play(
    site,
    "--profile ha: a standby, killed in the middle of its first copy",
    async () => {
      await shell(site, "docker compose --profile ha up --detach standby");
      await until("the copy begins", async () =>
        (
          await shell(site, "docker compose --profile ha exec -T standby sh -c 'ls -d $PGDATA.copy' || true")
        ).startsWith("/var"),
      );
      process.kill(Number(await pidOf(site, "standby")), "SIGKILL");
      await shell(site, make);
      await synchronise();
      return "streams, and commits wait for it";
    },
    { sells: true },
  );
  await play(site, "the synchronous standby stops, for 10 s nobody does anything", async () => {
    await shell(site, "docker compose --profile ha stop standby");
    await delay(10_000);
    await shell(site, `${psql} "${waitForNobody}" && ${reload}`);
    await delay(5_000);
    await shell(site, make);
    await synchronise();
    return "sold on after alter system reset";
  });
  await play(site, "deploy/failover.sh", async () => {
    const startedMs = performance.now();
    await shell(site, "deploy/failover.sh");
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
    await delay(8_000);
    return `done after ${seconds} s; ${(await shell(site, "grep ^DATABASE_VOLUME .env")).trim()}`;
  });
  await play(
    site,
    "a new standby on the old volume",
    async () => {
      await shell(site, `docker volume rm dispense_database-1 && ${make}`);
      await synchronise();
      return "streams, and commits wait for it";
    },
    { sells: true },
  );
  await shell(site, `${psql} "${waitForNobody}" && ${reload} && docker compose --profile ha rm --stop --force standby`);
}

/** Prometheus sees all, and what it raises is heard: one that has its cause, then each by its name. */
async function watching(site: Site): Promise<void> {
  const heard: string[] = [];
  const receiver = createServer((arrived, answer) => {
    arrived
      .setEncoding("utf8")
      .on("data", (text: string) => heard.push(text))
      .on("end", () => answer.end("ok"));
  }).listen(0, site.docker.addresses.here);
  await once(receiver, "listening");
  site.stage.after(async () => void receiver.close());
  const { port } = receiver.address() as { port: number };
  await shell(site, `sed -i 's#^ALARM_WEBHOOK=.*#ALARM_WEBHOOK=http://${site.docker.addresses.here}:${port}/#' .env`);
  await shell(site, "docker compose --profile watch up --detach --wait prometheus alertmanager");
  const ask = async (service: string, url: string) =>
    shell(site, `docker compose --profile watch exec -T ${service} wget -qO- ${url}`);
  const health = async () =>
    [...(await ask("prometheus", "http://127.0.0.1:9090/api/v1/targets")).matchAll(/"health":"(\w+)"/g)].map(
      ([, one]) => one,
    );
  await play(
    site,
    "--profile watch",
    async () => {
      await until("all targets are up", async () => (await health()).join() === "up,up,up,up");
      return "4 of 4 targets up";
    },
    { sells: true },
  );
  await play(site, "api-b is stopped until somebody hears of it", async () => {
    await shell(site, "docker compose stop api-b");
    const seconds = await until("the receiver hears of it", () => heard.join().includes("api-b:8080"), 240);
    await shell(site, "docker compose up --detach --wait --no-deps api-b");
    return `ServiceDown of api-b:8080 came after ${seconds.toFixed(0)} s`;
  });
  await play(site, "each alarm, given to Alertmanager", async () => {
    const alarms = readFileSync(path.join(site.folder, "deploy/prometheus/alarms.yml"), "utf8");
    const found = [...alarms.matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(([, alertname, severity]) => ({
      labels: { alertname, severity },
    }));
    await shell(
      site,
      "docker compose --profile watch exec -T alertmanager wget -qO- --header 'Content-Type: application/json' --post-file=/dev/stdin http://127.0.0.1:9093/api/v2/alerts",
      JSON.stringify(found),
    );
    await until(
      "the receiver hears of each",
      () => found.every(({ labels }) => heard.join().includes(labels.alertname ?? "")),
      120,
    );
    return `${found.length} of ${found.length} heard`;
  });
}

/** @returns how many purchases of the rehearsal are there again */
async function restored(site: Site): Promise<number> {
  const operator = "docker compose run --rm operator --as ada@kobo.example";
  await play(site, "a dump; the database's volume is removed", async () => {
    await shell(site, "docker compose restart backup");
    await delay(1_000);
    await until(
      "the dump is there",
      async () => (await inspect(site, await idOf(site, "backup"), "{{.State.Health.Status}}")) === "healthy",
    );
    await shell(
      site,
      "docker compose stop api-a api-b worker console backup && docker compose rm --stop --force database && docker volume rm dispense_database-2",
    );
    await shell(site, "docker compose up --detach --wait database || true");
    const said = await shell(site, "docker compose logs --no-log-prefix database");
    return /The database's volume is empty.*/.exec(said)?.[0] ?? "it started empty";
  });
  await play(site, "restored", async () => {
    await shell(site, "docker compose rm --stop --force database && mv backups backups.before");
    await shell(site, "docker compose up --detach --wait database");
    await shell(
      site,
      "docker compose exec -T database pg_restore -U dispense_owner -d dispense --single-transaction --no-owner < $(ls backups.before/*.dump | tail -n 1)",
    );
    await shell(site, `${operator} after-restore && ${operator} check-ledger && ${operator} keys status`);
    await shell(site, "docker compose up --detach --wait");
    return "after-restore, check-ledger and keys status have nothing to say against it";
  });
  return Number(await shell(site, `${psql} "select count(*) from purchases where reference like 'rehearsal-%'"`));
}
