import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

// A bound for each room: a change that takes lines away lowers it, and one that needs more raises it on purpose.
const linesMax: Readonly<Record<string, number>> = {
  "src/categories": 3_232,
  "src/cli": 6_093,
  "src/console": 35_878,
  "src/http": 7_505,
  "src/kernel": 1_193,
  "src/legacy": 3_021,
  "src/main": 2_762,
  "src/platform": 7_138,
  "src/providers": 5_883,
  "src/site": 393,
  "src/workers": 1_614,
  "src/domain/alerts": 643,
  "src/domain/audit": 376,
  "src/domain/bulk-orders": 1_187,
  "src/domain/catalogue": 3_601,
  "src/domain/history": 5_969,
  "src/domain/identity": 3_628,
  "src/domain/maintenance": 152,
  "src/domain/members": 2_583,
  "src/domain/merchants": 1_717,
  "src/domain/moving-in": 2_501,
  "src/domain/purchases": 4_023,
  "src/domain/request-log": 1_188,
  "src/domain/resolution": 3_479,
  "src/domain/staff": 1_459,
  "src/domain/suppliers": 6_378,
  "src/domain/wallet": 1_192,
  "src/domain/webhooks": 4_551,
  tests: 85_977,
  rig: 1_220,
  bench: 3_119,
  torture: 4_439,
  attacks: 1_194,
  rehearsals: 1_372,
  scripts: 3_654,
};

const endings = [".ts", ".tsx", ".mjs", ".css"];

function linesOf(folder: string): number {
  const texts = listFiles([folder], endings).map((file) => readFileSync(join(projectRoot, file), "utf8"));
  return texts.reduce((lines, text) => lines + text.split("\n").length - 1, 0);
}

test.each(Object.entries(linesMax))("%s has at most %i lines", (folder, max) => {
  expect(linesOf(folder)).toBeLessThanOrEqual(max);
});

test("every room has its number, and each number its room", () => {
  const roomsIn = (folder: string) =>
    readdirSync(join(projectRoot, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}/${name}`);
  const rooms = [...roomsIn("src").filter((room) => room !== "src/domain"), ...roomsIn("src/domain")];
  const others = ["tests", "rig", "bench", "torture", "attacks", "rehearsals", "scripts"];
  expect(Object.keys(linesMax).sort()).toEqual([...rooms, ...others].sort());
});
