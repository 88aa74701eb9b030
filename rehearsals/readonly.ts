import { setTimeout as delay } from "node:timers/promises";
import { administrate } from "./cluster.ts";
import { startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, openSales, startShop } from "./sales.ts";

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
    sales.longestPause();
    shop.events();
    const turn = (to: string) =>
      administrate(url, [`alter system set default_transaction_read_only = ${to}`, "select pg_reload_conf()"]);
    await turn("on");
    await delay(readOnlySeconds * 1_000);
    const readiness = await fetch(`${shop.url}/readyz`);
    await administrate(`${url}&options=${encodeURIComponent("-c default_transaction_read_only=off")}`, [
      "alter system reset default_transaction_read_only",
      "select pg_reload_conf()",
    ]);
    await delay(5_000);
    const rows = [
      ["read-only for", "seconds without a sale", "/readyz meanwhile", "answers meanwhile", "warnings and errors"],
      [
        `${readOnlySeconds} s`,
        String(sales.longestPause()),
        String(readiness.status),
        list(sales.refusals()),
        list(shop.events()),
      ],
    ];
    return { rows, verdict: await sales.end() };
  },
};
