import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openMovedClock } from "../rig/moved-clock.ts";
import { startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, openSales, startShop } from "./sales.ts";

const aheadSeconds = 60;

/** One of two processes has a clock that runs ahead, and is then set right. */
export const clock: Rehearsal = {
  name: "clock",
  says: `The clock of one of two processes goes ${aheadSeconds} seconds ahead, and is set right again.`,
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
    const sales = await openSales(right.url, url);
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
      const [refusals, pause] = [list(sales.refusals()), String(sales.longestPause())];
      rows.push([what, pause, refusals, list(wrong.events()), list(right.events())]);
    };
    await delay(2_000);
    await step("one clock goes ahead", () => moved.move(aheadSeconds * 1_000), 90);
    await step("it is set right", () => moved.move(-aheadSeconds * 1_000), aheadSeconds + 15);
    const notes = [
      "Ids begin with the time, so the wrong one's purchases of those seconds stand later in lists than they were.",
    ];
    return { rows, notes, verdict: await sales.end() };
  },
};
