import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { healthOf, idOf, pidOf, play, playOn, psql, refused, type Site, shell } from "./compose-site.ts";
import { until } from "./stage.ts";

export async function secondUp(site: Site, when: "again" | "after updates"): Promise<void> {
  const containers = () => shell(site, "docker compose --profile '*' ps --all --quiet --no-trunc | sort");
  await playOn(site, `docker compose up ${when}, also with --profile watch`, async () => {
    const before = (await containers()).trim().split("\n");
    await shell(
      site,
      "docker compose up --detach --wait && docker compose --profile watch up --detach --wait prometheus alertmanager blackbox",
    );
    const after = await containers();
    const gone = before.filter((id) => !after.includes(id));
    if (gone.length > 0) throw new Error(`${gone.length} of ${before.length} containers were recreated`);
    return `none of ${before.length} containers recreated`;
  });
  await shell(site, "docker compose --profile watch rm --stop --force prometheus alertmanager blackbox");
}

const parts = ["api-a", "api-b", "worker", "console", "backup", "proxy", "database"];

export async function brokenParts(site: Site): Promise<void> {
  for (const service of parts) {
    await play(site, `kill -9 of ${service}`, async () => {
      const before = await pidOf(site, service);
      process.kill(Number(before), "SIGKILL");
      const isBack = async () =>
        (await pidOf(site, service)) !== before && (await healthOf(site, service)) === "healthy";
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

export async function updates(site: Site): Promise<void> {
  const update = (version: string) => async () => {
    const startedMs = performance.now();
    const said = await shell(site, `deploy/update.sh ${version}`);
    return `${said.trim().split("\n").at(-1)} After ${Math.round((performance.now() - startedMs) / 1_000)} s`;
  };
  await shell(site, `sed -i 's/"version": "0.2.0"/"version": "0.2.1"/' package.json`);
  await playOn(site, "deploy/update.sh to a newer release, built meanwhile", update(""));
  await playOn(site, "deploy/update.sh to the same release", update("0.2.1"));
  await playOn(site, "deploy/update.sh back", update("0.2.0"));
  await secondUp(site, "after updates");
  await playOn(site, "two updates at once", async () => {
    const first = shell(site, "deploy/update.sh 0.2.1");
    await delay(1_000);
    const said = await refused(site, "deploy/update.sh 0.2.0", /Another update.*/);
    await first;
    return `the second: ${said}`;
  });
  await release(site, ["0.2.2", "0.2.1", "select 1/0;"]);
  await playOn(site, "a release whose migration fails", () => refused(site, "deploy/update.sh 0.2.2", /Migration .*/));
  await release(site, ["0.2.3", "0.2.1", "-- oldest release: 0.2.3\\nselect 1;"]);
  await playOn(site, "a release that contracts", update("0.2.3"));
  await playOn(site, "back over it", () => refused(site, "deploy/update.sh 0.2.1", /This database was .*/));
}

const waitFor = "alter system set synchronous_standby_names = 'standby'";
const waitForNobody = "alter system reset synchronous_standby_names";

export async function standby(site: Site): Promise<void> {
  const make = "docker compose --profile ha up --detach --wait standby";
  const leave = "docker compose --profile ha rm --stop --force standby";
  const reload = `${psql} 'select pg_reload_conf()'`;
  const isSynchronous = async () =>
    (await shell(site, `${psql} 'select sync_state from pg_stat_replication'`)).trim() === "sync";
  const synchronise = async () => {
    await shell(site, `${psql} "${waitFor}" && ${reload}`);
    await until("commits wait for the standby", isSynchronous);
  };
  await playOn(site, "--profile ha: a standby, killed in the middle of its first copy", async () => {
    await shell(site, "docker compose --profile ha up --detach standby");
    await until("the copy begins", async () =>
      (await shell(site, "docker compose --profile ha exec -T standby sh -c 'ls -d $PGDATA.copy' || true")).startsWith(
        "/var",
      ),
    );
    process.kill(Number(await pidOf(site, "standby")), "SIGKILL");
    await shell(site, make);
    await synchronise();
    return "streams, and commits wait for it";
  });
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
  await playOn(site, "the standby is started on the volume of before", async () => {
    await shell(site, "docker compose --profile ha up --detach standby");
    let said: string | undefined;
    await until("it refuses", async () => {
      const log = await shell(site, "docker compose --profile ha logs --no-log-prefix --tail 1 standby");
      // Compose 2.26 clears the terminal's line before each of the log's.
      [said] = /This volume .*/.exec(log) ?? [];
      return said !== undefined;
    });
    return said ?? "";
  });
  await playOn(site, "a new standby on the old volume", async () => {
    await shell(site, `${leave} && docker volume rm dispense_database-1 && ${make}`);
    await synchronise();
    return "streams, and commits wait for it";
  });
  await shell(site, `${psql} "${waitForNobody}" && ${reload} && docker compose --profile ha rm --stop --force standby`);
}

/** Prometheus sees all, and what it raises is heard: one that has its cause, then each by its name. */
export async function watching(site: Site): Promise<void> {
  const received: string[] = [];
  const receiver = createServer((arrived, answer) => {
    arrived
      .setEncoding("utf8")
      .on("data", (text: string) => received.push(text))
      .on("end", () => answer.end("ok"));
  }).listen(0, site.docker.addresses.here);
  await once(receiver, "listening");
  site.stage.after(async () => void receiver.close());
  const { port } = receiver.address() as { port: number };
  await shell(site, `sed -i 's#^ALARM_WEBHOOK=.*#ALARM_WEBHOOK=http://${site.docker.addresses.here}:${port}/#' .env`);
  await shell(site, "docker compose --profile watch up --detach --wait prometheus alertmanager blackbox");
  const ask = async (service: string, url: string) =>
    shell(site, `docker compose --profile watch exec -T ${service} wget -qO- ${url}`);
  const health = async () =>
    [...(await ask("prometheus", "http://127.0.0.1:9090/api/v1/targets")).matchAll(/"health":"(\w+)"/g)].map(
      ([, one]) => one,
    );
  await playOn(site, "--profile watch", async () => {
    await until("all targets are up", async () => (await health()).join() === "up,up,up,up,up");
    const expiry = await ask("prometheus", "http://127.0.0.1:9090/api/v1/query?query=probe_ssl_earliest_cert_expiry");
    if (!expiry.includes('"value"')) throw new Error(`no end of the certificate is seen: ${expiry}`);
    return "5 of 5 targets up, the end of the certificate is seen";
  });
  await play(site, "api-b is stopped until somebody hears of it", async () => {
    await shell(site, "docker compose stop api-b");
    const seconds = await until("the receiver hears of it", () => received.join().includes("api-b:8080"), 240);
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
      `docker compose --profile watch exec -T alertmanager sh -c 'wget -qO- --header "Content-Type: application/json" --post-data="$(cat)" http://127.0.0.1:9093/api/v2/alerts'`,
      JSON.stringify(found),
    );
    await until(
      "the receiver hears of each",
      () => found.every(({ labels }) => received.join().includes(labels.alertname ?? "")),
      120,
    );
    return `${found.length} of ${found.length} heard`;
  });
}
