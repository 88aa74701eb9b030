import { setTimeout as delay } from "node:timers/promises";
import { clusterPrograms, sellOnCluster } from "./cluster.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { observe } from "./sales.ts";

/** The standby's machine dies: commits wait for it until the primary is told to go on alone; then it comes back. */
export const standbyAway: Rehearsal = {
  name: "standby-away",
  says: "The machine of the standby dies under load and comes back.",
  programs: clusterPrograms,
  async perform(stage) {
    const { cluster, shop, sales } = await sellOnCluster(stage);
    const rows: string[][] = [["what happened", "seconds without a sale", "answers meanwhile", "warnings and errors"]];
    const step = async (what: string, happen: () => Promise<void>) => {
      stage.say(what);
      rows.push([what, ...(await observe({ sales, shop }, happen))]);
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
