import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../base/own-postgres.ts";
import { openPort, startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { observe, openSales, startShop } from "./sales.ts";
import { databaseFolder, startTool } from "./stage.ts";

/** PgBouncer, set up as the guide says, is killed and started again. */
export const pooler: Rehearsal = {
  name: "pooler",
  says: "PgBouncer between the service and the database is killed and started again.",
  programs: ["pgbouncer"],
  async perform(stage) {
    const postgres = await startDatabase(stage);
    const { url } = postgres;
    const port = await freePort();
    const folder = databaseFolder(path.join(stage.folder, "pgbouncer"));
    const file = path.join(folder, "pgbouncer.ini");
    writeFileSync(
      file,
      [
        "[databases]",
        `dispense = host=127.0.0.1 port=${await openPort(stage, () => postgres.socket)} user=dispense`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = any",
        // docs/operations/install.md, A pooler.
        "pool_mode = session",
        "default_pool_size = 40",
        "max_client_conn = 100",
      ].join("\n"),
      { mode: 0o644 },
    );
    const start = (turn: number) =>
      startTool(stage, ["pgbouncer", "-q", file], { name: `pgbouncer-${turn}`, isOfDatabase: true });
    let bouncer = start(1);
    await delay(1_000);
    const shop = await startShop(stage, { DATABASE_URL: `postgresql://dispense@127.0.0.1:${port}/dispense` });
    const sales = await openSales(shop.url, url);
    const rows = [["away for", "seconds without a sale", "answers meanwhile", "warnings and errors"]];
    for (const seconds of [0, 5]) {
      await delay(3_000);
      stage.say(`PgBouncer is killed, and started again after ${seconds} s`);
      const seen = await observe({ sales, shop }, async () => {
        await bouncer.kill("SIGKILL");
        await delay(seconds * 1_000);
        bouncer = start(2 + seconds);
        await delay(8_000);
      });
      rows.push([`${seconds} s`, ...seen]);
    }
    return { rows, verdict: await sales.end() };
  },
};
