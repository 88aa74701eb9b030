import { setTimeout as delay } from "node:timers/promises";
import { clusterPrograms, startCluster } from "./cluster.ts";
import { list } from "./failover.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { openSales, startShop } from "./sales.ts";

/** The standby's machine dies: commits wait for it until the primary is told to go on alone; then it comes back. */
export const standbyAway: Rehearsal = {
  name: "standby-away",
  says: "The machine of the standby dies under load and comes back.",
  programs: clusterPrograms,
  async perform(stage) {
    const cluster = await startCluster(stage);
    const urls = { DATABASE_URL: cluster.serviceUrl, MIGRATIONS_DATABASE_URL: cluster.ownerUrl };
    const shop = await startShop(stage, urls);
    const sales = await openSales(shop.url, cluster.ownerUrl);
    const rows: string[][] = [["what happened", "seconds without a sale", "answers meanwhile", "warnings and errors"]];
    const step = async (what: string, happen: () => Promise<void>) => {
      sales.longestPause();
      sales.refusals();
      shop.events();
      stage.say(what);
      await happen();
      rows.push([what, String(sales.longestPause()), list(sales.refusals()), list(shop.events())]);
    };
    await delay(3_000);
    const { standby } = await cluster.roles();
    await step("the standby dies", async () => {
      await standby.die();
      await delay(25_000);
    });
    await step("it comes back, and commits wait for it again", async () => {
      standby.start();
      await cluster.untilWhole();
      await delay(3_000);
    });
    return { rows, verdict: await sales.end() };
  },
};
