import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pack } from "../../scripts/build.mjs";
import { type ReleaseTree, releaseBefore } from "../base/releases.ts";
import { startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, openSales, type Shop, startShop } from "./sales.ts";
import { runTool, type Stage } from "./stage.ts";

/** Two processes are replaced one after the other by those of the next release, and then by the ones before. */
export const update: Rehearsal = {
  name: "update",
  says: "Two processes of the release before are replaced one by one by this release, from its one file, and back.",
  programs: ["git", "tar", "npm"],
  async perform(stage) {
    const older = releaseBefore(path.join(stage.folder, "older"));
    const newer = await unpacked(stage);
    const { url } = await startDatabase(stage);
    let started = 0;
    const start = ({ folder }: ReleaseTree) => {
      started += 1;
      return startShop(stage, { DATABASE_URL: url, CONSOLE: "off" }, { name: `process-${started}`, folder });
    };
    const shops = [await start(older), await start(older)];
    const sales = await openSales((shops[0] as Shop).url, url);
    sales.urls.push((shops[1] as Shop).url);
    const rows = [["what happened", "seconds without a sale", "answers other than a sale", "warnings and errors"]];
    for (const tree of [newer, older]) {
      for (const index of [0, 1]) {
        const before = shops[index] as Shop;
        sales.longestPause();
        sales.refusals();
        const after = await start(tree);
        sales.urls.push(after.url);
        await delay(1_000);
        // As a proxy does that takes a process out before it is stopped.
        sales.urls.splice(sales.urls.indexOf(before.url), 1);
        await delay(300);
        await before.program.end();
        await delay(1_000);
        shops[index] = after;
        const what = `process ${index + 1} becomes ${tree.release}`;
        stage.say(what);
        rows.push([what, String(sales.longestPause()), list(sales.refusals()), list(after.events())]);
      }
    }
    return { rows, verdict: await sales.end() };
  },
};

/** This release as an operator gets it: one file, by its checksum, with packages of its own. */
async function unpacked(stage: Stage): Promise<ReleaseTree> {
  stage.say("packing this release");
  const file = await pack();
  runTool(["sha256sum", "--check", `${path.basename(file)}.sha256`], { folder: path.dirname(file) });
  runTool(["tar", "-xzf", file, "-C", stage.folder]);
  const name = path.basename(file, ".tar.gz");
  return { folder: path.join(stage.folder, name), release: name.split("-")[1] ?? "" };
}
