import { randomBytes } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, setGlobalDispatcher } from "undici";
import { call } from "../base/client.ts";
import { projectRoot } from "../base/program.ts";
import { brokenParts, secondUp, standby, updates, watching } from "./compose-cases.ts";
import { healthOf, inspect, ownerUrlOf, play, psql, refused, type Site, shell } from "./compose-site.ts";
import { dockerHindrance, dockerPrograms, startDocker } from "./docker.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { openSales } from "./sales.ts";
import { runTool, until } from "./stage.ts";

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
    await secondUp(site, "again");
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
  const printed = await shell(site, `docker compose run --rm operator --as ada@kobo.example ${create}`);
  const [key = ""] = /ds_test_\w+/.exec(printed) ?? [];
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

/** @returns how many purchases of the rehearsal are there again */
async function restored(site: Site): Promise<number> {
  const operator = "docker compose run --rm operator --as ada@kobo.example";
  await play(site, "a dump; the database's volume is removed", async () => {
    await shell(site, "docker compose restart backup");
    await delay(1_000);
    await until("the dump is there", async () => (await healthOf(site, "backup")) === "healthy");
    await shell(
      site,
      "docker compose stop api-a api-b worker console backup && docker compose rm --stop --force database && docker volume rm dispense_database-2",
    );
    await shell(site, "docker compose up --detach --wait database || true");
    const said = await shell(site, "docker compose logs --no-log-prefix database");
    return /The database's volume is empty.*/.exec(said)?.[0] ?? "it started empty";
  });
  await play(site, "restored", async () => {
    await shell(site, "docker compose rm --stop --force database && mv backups backups.$(date -u +%Y%m%dT%H%M%SZ)");
    await shell(site, "docker compose up --detach --wait database");
    await shell(
      site,
      "docker compose exec -T database pg_restore -U dispense_owner -d dispense --single-transaction --no-owner < $(ls backups.*/*.dump | tail -n 1)",
    );
    await shell(site, `${operator} after-restore && ${operator} check-ledger && ${operator} keys status`);
    await shell(site, "docker compose up --detach");
    await until("the proxy is healthy", async () => (await healthOf(site, "proxy")) === "healthy", 120);
    return "after-restore, check-ledger and keys status have nothing to say against it";
  });
  return Number(await shell(site, `${psql} "select count(*) from purchases where reference like 'rehearsal-%'"`));
}
