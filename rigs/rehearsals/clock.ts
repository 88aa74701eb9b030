import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../src/platform/database/database.ts";
import { connectTo } from "../base/database.ts";
import { openMovedClock } from "../base/moved-clock.ts";
import { startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, openSales, type Shop, startShop } from "./sales.ts";

const aheadSeconds = 60;
const hourMs = 3_600_000;
/** Clocks of processes that start with them, sell with a webhook, and are stopped after so many seconds. */
const starts = [
  ["a process starts 30 hours ahead", 30 * hourMs],
  ["a process starts 100 days ahead", 2_400 * hourMs],
  ["a process starts a day behind", -24 * hourMs],
] as const;
const wrongSeconds = 25;

/** One of two processes has a clock that runs ahead, and is then set right; others start with one that is far off. */
export const clock: Rehearsal = {
  name: "clock",
  says: `The clock of one of two processes goes ${aheadSeconds} seconds ahead, and is set right again. Others start 30 hours ahead, 100 days ahead and a day behind, and are stopped after ${wrongSeconds} seconds.`,
  programs: [],
  async perform(stage) {
    const { url } = await startDatabase(stage);
    const moved = openMovedClock(path.join(stage.folder, "clock"));
    stage.after(async () => moved.close());
    const right = await startShop(stage, { DATABASE_URL: url });
    const wrong = await startShop(
      stage,
      { DATABASE_URL: url, ...moved.environment },
      { name: "ahead", args: moved.args },
    );
    const database = connectTo(url);
    stage.after(() => database.close());
    await database.query({ name: "insert_rehearsed_day", text: insertYesterday });
    const sales = await openSales(right.url, url, "https://example.com/hook");
    sales.urls.push(wrong.url);
    const rows = [
      ["what happened", "seconds without a sale", "answers meanwhile", "the wrong one's log", "the other's"],
    ];
    const step = async (what: string, happen: () => void, seconds: number) => {
      sales.longestPause();
      sales.refusals();
      for (const shop of [right, wrong]) shop.events();
      stage.say(what);
      happen();
      await delay(seconds * 1_000);
      row(what, wrong);
    };
    const row = (what: string, shop: Shop) => {
      const [refusals, pause] = [list(sales.refusals()), String(sales.longestPause())];
      rows.push([what, pause, refusals, list(shop.events()), list(right.events())]);
    };
    await delay(2_000);
    await step("one clock goes ahead", () => moved.move(aheadSeconds * 1_000), 90);
    await step("it is set right", () => moved.move(-aheadSeconds * 1_000), aheadSeconds + 15);
    const before = await listKept(database);
    for (const [what, ms] of starts) {
      stage.say(what);
      moved.move(ms);
      const environment = { DATABASE_URL: url, ...moved.environment };
      const far = await startShop(stage, environment, { name: what.replaceAll(" ", "-"), args: moved.args });
      sales.longestPause();
      sales.refusals();
      sales.urls.push(far.url);
      await delay(wrongSeconds * 1_000);
      sales.urls.pop();
      row(what, far);
      await far.program.end();
      moved.move(-ms);
    }
    const notes = [
      "Ids begin with the time, so the wrong one's purchases of those seconds stand later in lists than they were.",
    ];
    const verdict = await sales.end();
    const after = await listKept(database);
    const gone = before.filter((each) => !after.includes(each)).map((each) => `${each} is gone`);
    const added = after.filter((each) => !before.includes(each));
    return { rows, notes, verdict: { ...verdict, brokenInvariants: [...verdict.brokenInvariants, ...gone, ...added] } };
  },
};

/** So that the next day is the one that goes on. */
const insertYesterday = `
  insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants)
  select current_date - 1, now(), current_date - interval '25 hours', current_date - interval '1 hour', '{}'`;

const keptText = `
  select p.name as kept
    from unnest(array['request_log', 'webhook_deliveries', 'webhook_attempts']) as l (log), list_log_months(l.log) p
   union all
  select 'closed day ' || d.day from closed_days d
   union all
  select 'pending sale ' || p.reference from purchases p where p.status = 'pending'`;

/** Months of the logs, closed days, and sales that have not ended: nothing of it changes by a clock that is wrong. */
async function listKept(database: Database): Promise<string[]> {
  return (await database.query<{ kept: string }>({ name: "list_rehearsed_kept", text: keptText })).map(
    ({ kept }) => kept,
  );
}
