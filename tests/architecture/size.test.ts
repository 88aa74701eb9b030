import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

// A bound for each room, round and somewhat above its size: most changes leave it alone. One that needs more raises it on
// purpose and says why; one that makes a room clearly smaller lowers it.
const linesMax: Readonly<Record<string, number>> = {
  "src/categories": 3_300,
  "src/cli": 7_000,
  "src/console": 38_800,
  "src/http": 7_700,
  "src/kernel": 1_300,
  "src/legacy": 3_100,
  "src/main": 3_050,
  "src/platform": 7_850,
  "src/providers": 7_250,
  "src/site": 400,
  "src/workers": 1_900,
  "src/domain/alerts": 650,
  "src/domain/audit": 400,
  "src/domain/bulk-orders": 1_200,
  "src/domain/catalogue": 3_800,
  "src/domain/funding": 4_200,
  "src/domain/history": 6_300,
  "src/domain/identity": 3_700,
  "src/domain/maintenance": 250,
  "src/domain/members": 2_700,
  "src/domain/merchants": 1_800,
  "src/domain/moving-in": 2_600,
  "src/domain/purchases": 4_050,
  "src/domain/request-log": 1_200,
  "src/domain/resolution": 3_600,
  "src/domain/staff": 1_650,
  "src/domain/suppliers": 6_500,
  "src/domain/wallet": 1_350,
  "src/domain/webhooks": 4_600,
  tests: 93_000,
  rigs: 14_500,
  scripts: 4_300,
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
  const others = ["tests", "rigs", "scripts"];
  expect(Object.keys(linesMax).sort()).toEqual([...rooms, ...others].sort());
});
