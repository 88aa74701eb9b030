import { setTimeout as delay } from "node:timers/promises";
import { statement } from "../../src/platform/database/database.ts";
import { table } from "../base/figures.ts";
import { numbersMax } from "../base/load.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { startServer } from "../base/service.ts";
import { createEndpoints, idsFrom } from "../base/webhook-load.ts";
import { openLiveShop } from "./live.ts";
import { progress } from "./report.ts";

const listSizes = statement(
  "list_bench_sizes",
  `select c.relname as name,
          pg_table_size(c.oid)::float8 as rows,
          pg_indexes_size(c.oid)::float8 as indexes,
          round(100.0 * s.n_tup_hot_upd / nullif(s.n_tup_upd, 0)) || ' %' as "inPlace"
     from pg_class c
     join pg_stat_user_tables s
       on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_total_relation_size(c.oid) > 200000
    order by pg_total_relation_size(c.oid) desc`,
);

interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly indexes: number;
  /** The share of updates that no index saw; null without updates. */
  readonly inPlace: string | null;
}

/** Sells live purchases with a webhook each, and tells what a purchase takes on disk, table by table. */
export async function benchBytes(): Promise<void> {
  await inScratchFolder(async (folder, undo) => {
    const shop = await openLiveShop({ folder, undo, progress });
    const receiver = await startServer("rigs/base/receiver.ts", folder);
    undo.push(receiver.stop);
    await createEndpoints(shop.database, receiver, { group: "good", mode: "live", merchantIds: idsFrom(2, 1_000) });
    await shop.database.query({ name: "update_bench_notify", text: "update webhook_endpoints set notify = 'all'" });
    await shop.database.query({ name: "update_bench_webhooks", text: "update revisions set revision = revision + 1" });
    await delay(2_000);
    const before = new Map((await read()).map((row) => [row.name, row]));
    const prefix = "bytes-";
    const part = { prefix, connections: 64, frames: shop.framesOf("live", prefix), numbers: numbersMax };
    const sold = await shop.driver.drive({ port: shop.service.port, expectedStatus: 201, seconds: 8, ...part });
    await delay(15_000);
    await shop.database.query({ name: "vacuum_bench", text: "vacuum" });
    const rows = (await read()).map(({ name, ...after }) => {
      const { rows = 0, indexes = 0 } = before.get(name) ?? {};
      const each = (bytes: number) => Math.round(bytes / sold.answered);
      return { name, rows: each(after.rows - rows), indexes: each(after.indexes - indexes), inPlace: after.inPlace };
    });
    const bytesOf = (sizes: typeof rows) => sizes.reduce((sum, one) => sum + one.rows + one.indexes, 0);
    const lasting = rows.filter(({ name }) => ["purchases", "vend_attempts", "ledger_entries"].includes(name));
    const logged = rows.filter(({ name }) => /^(webhook_(deliveries|attempts)|request_log)_/.test(name));
    const shown = rows.filter((one) => one.rows + one.indexes > 5);
    console.log(
      table([
        ["", "rows", "indexes", "updates in place"],
        ...shown.map((one) => [one.name, `${one.rows} B`, `${one.indexes} B`, one.inPlace ?? "none"]),
      ]),
    );
    console.log(
      `${sold.answered} live purchases: ${bytesOf(lasting) + bytesOf(logged)} B each, ${bytesOf(lasting)} B once the logs ` +
        "are dropped; the other tables are written over.",
    );
    function read() {
      return shop.database.query<TableSize>(listSizes);
    }
  });
}
