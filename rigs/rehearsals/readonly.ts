import { setTimeout as delay } from "node:timers/promises";
import { administrate } from "./cluster.ts";
import { startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { observe, openSales, startShop } from "./sales.ts";

const readOnlySeconds = 10;

/** The primary turns read-only, as a cloud's does when its disk is nearly full or it was demoted, and back. */
export const readonly: Rehearsal = {
  name: "readonly",
  says: `The primary takes no commits for ${readOnlySeconds} seconds, as a demoted one does.`,
  programs: [],
  async perform(stage) {
    const { url } = await startDatabase(stage);
    const shop = await startShop(stage, { DATABASE_URL: url });
    const sales = await openSales(shop.url, url);
    await delay(3_000);
    let readiness = 0;
    const [pause, refusals, events] = await observe({ sales, shop }, async () => {
      await turnReadOnly(url);
      await delay(readOnlySeconds * 1_000);
      readiness = (await fetch(`${shop.url}/readyz`)).status;
      await turnBack(url);
      await delay(5_000);
    });
    const rows = [
      ["read-only for", "seconds without a sale", "/readyz meanwhile", "answers meanwhile", "warnings and errors"],
      [`${readOnlySeconds} s`, pause, String(readiness), refusals, events],
    ];
    return { rows, verdict: await sales.end() };
  },
};

const reload = "select pg_reload_conf()";

function turnReadOnly(url: string): Promise<void> {
  return administrate(url, ["alter system set default_transaction_read_only = on", reload]);
}

function turnBack(url: string): Promise<void> {
  const writing = `${url}&options=${encodeURIComponent("-c default_transaction_read_only=off")}`;
  return administrate(writing, ["alter system reset default_transaction_read_only", reload]);
}
