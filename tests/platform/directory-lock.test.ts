import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { holdDirectory } from "../../src/platform/data-directory/data-directory.ts";
import { startChildProgram } from "../support/programs.ts";

const program = "tests/platform/run-directory-lock.ts";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a second service on a data directory is refused with the first one's process id", async () => {
  const first = await startChildProgram(program, [folder]);
  try {
    await first.saying("ready");
    const refusal = await holdDirectory(folder).catch((error) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(refusal.message).toContain(`process ${first.pid}`);
    expect(refusal.message).toContain(folder);
  } finally {
    await first.end("SIGKILL");
  }
});

test("a killed service leaves the data directory free", async () => {
  const first = await startChildProgram(program, [folder]);
  await first.saying("ready");
  await first.end("SIGKILL");
  const hold = await holdDirectory(folder);
  await hold.release();
});

test("the same directory by another path is the same directory", async () => {
  const hold = await holdDirectory(folder);
  await expect(holdDirectory(`${folder}/../${path.basename(folder)}/.`)).rejects.toThrow(StartError);
  await hold.release();
});

test("a released directory is free and clean", async () => {
  await (await holdDirectory(folder)).release();
  expect(readdirSync(folder)).toEqual([]);
  await (await holdDirectory(folder)).release();
});

test("a held directory is kept fresh for other containers to see", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const hold = await holdDirectory(folder);
  const file = path.join(folder, "holder");
  utimesSync(file, 0, 0);
  vi.advanceTimersByTime(3_000);
  expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(2_000);
  await hold.release();
});

test("a directory that another container keeps fresh is refused, and one that it left is taken", async () => {
  const file = path.join(folder, "holder");
  writeFileSync(file, JSON.stringify({ pid: 1, home: "another container" }));
  const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), 100);
  await expect(holdDirectory(folder, 1_000)).rejects.toThrow(StartError);
  clearInterval(heartbeat);
  await (await holdDirectory(folder, 500)).release();
});

test("a data directory that can't be made ends in one sentence", async () => {
  writeFileSync(path.join(folder, "file"), "");
  await expect(holdDirectory(path.join(folder, "file", "data"))).rejects.toThrow(StartError);
});
