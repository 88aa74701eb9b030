import { setTimeout as delay } from "node:timers/promises";
import { clusterPrograms, sellOnCluster } from "./cluster.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { observe } from "./sales.ts";

const runs = 3;

/** The primary's machine dies under load, three times: the standby takes over, and the dead one comes back as standby. */
export const failover: Rehearsal = {
  name: "failover",
  says: "The machine of the primary dies under load; the standby takes over.",
  programs: clusterPrograms,
  async perform(stage) {
    const { cluster, shop, sales } = await sellOnCluster(stage);
    const rows: string[][] = [
      ["run", "sold before", "seconds without a sale", "answers meanwhile", "warnings and errors"],
    ];
    for (let run = 1; run <= runs; run++) {
      await cluster.untilWhole();
      await delay(4_000);
      const [before, { primary }] = [sales.count(), await cluster.roles()];
      stage.say(`run ${run}: ${primary.name} dies`);
      const seen = await observe({ sales, shop }, async () => {
        await primary.die();
        const at = sales.count();
        for (let waited = 0; waited < 90 && sales.count() < at + 100; waited++) await delay(1_000);
      });
      rows.push([String(run), String(before), ...seen]);
      stage.say(`${seen[0]} s without a sale`);
      primary.start();
    }
    await cluster.untilWhole();
    const verdict = await sales.end();
    return { rows, verdict };
  },
};
