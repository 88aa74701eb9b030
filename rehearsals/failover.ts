import { setTimeout as delay } from "node:timers/promises";
import { clusterPrograms, startCluster } from "./cluster.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { openSales, startShop } from "./sales.ts";

const runs = 3;

/** The primary's machine dies under load, three times: the standby takes over, and the dead one comes back as standby. */
export const failover: Rehearsal = {
  name: "failover",
  says: "The machine of the primary dies under load; the standby takes over.",
  programs: clusterPrograms,
  async perform(stage) {
    const cluster = await startCluster(stage);
    const urls = { DATABASE_URL: cluster.serviceUrl, MIGRATIONS_DATABASE_URL: cluster.ownerUrl };
    const shop = await startShop(stage, urls);
    const sales = await openSales(shop.url, cluster.ownerUrl);
    const rows: string[][] = [
      ["run", "sold before", "seconds without a sale", "answers meanwhile", "warnings and errors"],
    ];
    for (let run = 1; run <= runs; run++) {
      await cluster.untilWhole();
      await delay(4_000);
      const [before, { primary }] = [sales.count(), await cluster.roles()];
      sales.longestPause();
      sales.refusals();
      shop.events();
      stage.say(`run ${run}: ${primary.name} dies`);
      await primary.die();
      const at = sales.count();
      for (let waited = 0; waited < 90 && sales.count() < at + 100; waited++) await delay(1_000);
      const [pause, refusals, events] = [sales.longestPause(), sales.refusals(), shop.events()];
      rows.push([String(run), String(before), String(pause), list(refusals), list(events)]);
      stage.say(`${pause} s without a sale`);
      primary.start();
    }
    await cluster.untilWhole();
    const verdict = await sales.end();
    return { rows, verdict };
  },
};

/** Counts by what was counted, as words. */
export function list(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([what, count]) => `${count} × ${what}`);
  return words.length === 0 ? "none" : words.join(", ");
}
