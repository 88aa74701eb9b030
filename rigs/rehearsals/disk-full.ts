import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { observe, openSales, startShop } from "./sales.ts";
import { runTool } from "./stage.ts";

const megabytes = 400;
const fullSeconds = 12;

/** The disk of the database fills up to the last byte, and is freed. */
export const diskFull: Rehearsal = {
  name: "disk-full",
  says: "The disk of the database is full, and is then freed.",
  programs: ["mount"],
  hindrance: () => (process.getuid?.() === 0 ? null : "mounting a small disk takes root"),
  async perform(stage) {
    const disk = path.join(stage.folder, "disk");
    mkdirSync(disk);
    runTool(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "tmpfs", disk]);
    stage.after(async () => void runTool(["umount", "-l", disk]));
    const postgres = await startDatabase(stage, {
      folder: disk,
      settings: { max_wal_size: "64MB", min_wal_size: "32MB" },
    });
    const { url } = postgres;
    const shop = await startShop(stage, { DATABASE_URL: url });
    const sales = await openSales(shop.url, url);
    await delay(2_000);
    let readiness = 0;
    const [pause, refusals, events] = await observe({ sales, shop }, async () => {
      stage.say("filling the disk");
      const ballast = path.join(disk, "ballast");
      fill(ballast);
      await delay(fullSeconds * 1_000);
      readiness = (await fetch(`${shop.url}/readyz`)).status;
      stage.say("freeing it");
      rmSync(ballast);
      await delay(2_000);
      // A server that found no place for its log has ended; whoever keeps it (systemd, Patroni) starts it again.
      if (postgres.pid === 0 || !isAlive(postgres.pid)) await postgres.start();
      await delay(8_000);
    });
    const rows = [
      ["full for", "seconds without a sale", "/readyz meanwhile", "answers meanwhile", "warnings and errors"],
      [`${fullSeconds} s`, pause, String(readiness), refusals, events],
    ];
    return { rows, verdict: await sales.end() };
  },
};

/** Until the disk takes no more. */
function fill(file: string): void {
  try {
    for (let block = 0; block < megabytes; block++) writeFileSync(file, Buffer.alloc(1_000_000), { flag: "a" });
  } catch {
    // full
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
