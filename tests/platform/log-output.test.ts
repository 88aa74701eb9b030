import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { logOutput } from "../../src/platform/telemetry/log-output.ts";

const folder = mkdtempSync(path.join(tmpdir(), "dispense-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pauses = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
afterEach(() => pauses.mockClear());
afterAll(() => pauses.mockRestore());

/** For how long the work waited for a reader, in milliseconds, without passing them. */
function waitedMs(work: () => void): number {
  pauses.mockClear();
  work();
  return pauses.mock.calls.reduce((sum, [, , , ms = 0]) => sum + ms, 0);
}

describe("a log's output", () => {
  test("holds every line whole and in order", () => {
    const file = path.join(folder, "lines");
    const descriptor = openSync(file, "w");
    const output = logOutput(descriptor);
    const lines = Array.from({ length: 100 }, (_, index) => `${index} ${"ẹ".repeat(index)}\n`);
    for (const line of lines) output.write(line);
    closeSync(descriptor);
    expect(readFileSync(file, "utf8")).toBe(lines.join(""));
  });

  test("loses what a full disk does not take, at once and without a word", () => {
    const descriptor = openSync("/dev/full", "w");
    const output = logOutput(descriptor);
    expect(waitedMs(() => output.write("a line\n"))).toBe(0);
    closeSync(descriptor);
  });

  test("waits for a reader that stands still once, not for each line, and goes on when it reads", () => {
    const pipe = path.join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const output = logOutput(descriptor);
    const tooMuch = `${"x".repeat(1024 * 1024)}\n`;
    expect(waitedMs(() => output.write(tooMuch))).toBeGreaterThan(900);
    expect(waitedMs(() => output.write(tooMuch))).toBe(0);
    const buffer = Buffer.alloc(2 * 1024 * 1024);
    expect(readSync(descriptor, buffer)).toBeGreaterThan(0);
    output.write("after the reader came back\n");
    expect(buffer.toString("utf8", 0, readSync(descriptor, buffer))).toBe("after the reader came back\n");
    closeSync(descriptor);
  });
});
