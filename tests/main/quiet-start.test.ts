import { afterAll, beforeAll, expect, test } from "vitest";
import type { Program } from "../../rigs/base/program.ts";
import { logFormatOf } from "../../src/main/set-up.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

const linesMax = 15;

let scratch: ScratchDirectory;
const programs = openPrograms();

beforeAll(async () => {
  scratch = await makeScratchDirectory();
});

afterAll(async () => {
  programs.killAll();
  await scratch.remove();
});

async function linesBeforeWelcome(service: Program): Promise<string[]> {
  await service.saying("Docs");
  service.child.kill("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, error: "" });
  const [before = ""] = service.out().split("\nDispense runs at");
  return before.split("\n").filter((line) => line !== "");
}

test("a first start tells its steps in at most fifteen lines, plain or JSON, and all files of tables in one", async () => {
  const start = (format: string) =>
    programs.start(["start"], { DATA_DIR: `${scratch.folder}/${format}`, PORT: "0", LOG_FORMAT: format });
  const [plain, json] = await Promise.all([start("plain"), start("json")].map(linesBeforeWelcome));
  for (const lines of [plain, json]) expect(lines?.length, lines?.join("\n")).toBeLessThanOrEqual(linesMax);
  expect(plain?.join("\n")).toMatch(/the database is ready, after \d\d+ files/);
  expect(
    plain?.filter((line) => !/^\d\d:\d\d:\d\d /.test(line)),
    plain?.join("\n"),
  ).toEqual([]);
  const events = json?.map((line) => JSON.parse(line).event);
  expect(events?.slice(0, 2)).toEqual(["postgres", "postgres"]);
  expect(events).toEqual(expect.arrayContaining(["database.ready", "encryption_key.made"]));
});

test("lines are plain on a terminal and JSON elsewhere, unless the setting says which", () => {
  const terminal = { isTTY: true };
  expect(logFormatOf({ logFormat: null }, terminal)).toBe("plain");
  expect(logFormatOf({ logFormat: null }, {})).toBe("json");
  expect(logFormatOf({ logFormat: "json" }, terminal)).toBe("json");
  expect(logFormatOf({ logFormat: "plain" }, {})).toBe("plain");
});
