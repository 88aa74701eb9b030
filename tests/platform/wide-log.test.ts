import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openLog, openWideLog, wholeLinesPerSecond } from "../../src/platform/telemetry/log.ts";
import { bufferedOutput } from "../../src/platform/telemetry/log-output.ts";

interface Reported {
  readonly level?: string;
  readonly share?: number;
  readonly chance?: () => number;
  readonly monotonicMs?: () => number;
}

function openWideLines(options: Reported) {
  const lines: string[] = [];
  const { level = "info", share = 1, chance = () => 0.5, monotonicMs = () => 0 } = options;
  const log = openLog({ level, redacts: false, output: { write: (line) => void lines.push(line) } });
  return { wide: openWideLog({ log, share, chance, monotonicMs }), lines };
}

describe("wide lines", () => {
  test("are written as one JSON line with every fact", () => {
    const { wide, lines } = openWideLines({});
    wide.write({ event: "vend", outcome: "unknown", supplier: "bank", tookMs: 12, errorCode: null });
    expect(lines).toHaveLength(1);
    const { time, ...facts } = JSON.parse(lines[0] ?? "");
    expect(Date.parse(time)).not.toBeNaN();
    expect(facts).toEqual({
      level: 30,
      event: "vend",
      outcome: "unknown",
      supplier: "bank",
      tookMs: 12,
      errorCode: null,
    });
  });

  const takeTheFirst = ({ takes }: ReturnType<typeof openWideLines>["wide"]) =>
    Array.from({ length: wholeLinesPerSecond }, () => takes(false));

  test("are all written while they are few in each second", () => {
    let nowMs = 0;
    const { wide } = openWideLines({ share: 0, monotonicMs: () => nowMs });
    expect(new Set(takeTheFirst(wide))).toEqual(new Set([true]));
    expect(wide.takes(false)).toBe(false);
    nowMs = 1_000;
    expect(new Set(takeTheFirst(wide))).toEqual(new Set([true]));
  });

  test("are sampled by the share beyond that, and those of what went wrong never are", () => {
    let next = 0;
    const chances = [0.05, 0.2, 0.95];
    const { wide } = openWideLines({ share: 0.1, chance: () => chances[next++] ?? 0 });
    takeTheFirst(wide);
    expect([wide.takes(false), wide.takes(false), wide.takes(false)]).toEqual([true, false, false]);
    expect([wide.takes(true), wide.takes(true)]).toEqual([true, true]);
  });

  test("are none at all below their level", () => {
    const quiet = openWideLines({ level: "warn" }).wide;
    expect([quiet.takes(false), quiet.takes(true)]).toEqual([false, false]);
  });
});

describe("a buffered output", () => {
  test("writes many lines at once, whole and in order, within a quarter of a second", async () => {
    const written: string[] = [];
    const output = bufferedOutput({ write: (lines) => void written.push(lines) });
    for (let line = 0; line < 10; line++) output.write(`${line}\n`);
    expect(written).toEqual([]);
    await delay(400);
    expect(written).toEqual(["0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"]);
  });

  test("writes at once what has become much, and what is left when it is flushed", () => {
    const written: string[] = [];
    const output = bufferedOutput({ write: (lines) => void written.push(lines) });
    const line = `${"x".repeat(9_999)}\n`;
    for (let i = 0; i < 5; i++) output.write(line);
    expect(written).toEqual([line.repeat(3)]);
    output.flush();
    output.flush();
    expect(written).toEqual([line.repeat(3), line.repeat(2)]);
  });

  test("writes no more at once than it is given, and never half a line", () => {
    const written: string[] = [];
    const output = bufferedOutput({ write: (lines) => void written.push(lines) }, 100);
    const line = `${"x".repeat(39)}\n`;
    for (let i = 0; i < 5; i++) output.write(line);
    output.write("y".repeat(300));
    output.flush();
    expect(written).toEqual([line.repeat(2), line.repeat(2), line, "y".repeat(300)]);
  });
});

function plainLinesOf(work: (log: ReturnType<typeof openLog>) => void): string[] {
  const lines: string[] = [];
  work(openLog({ level: "info", format: "plain", output: { write: (line) => void lines.push(line) } }));
  return lines;
}

const time = String.raw`^\d\d:\d\d:\d\d `;

describe("a log on a terminal", () => {
  test("tells a step of the start in one line with its sentence alone", () => {
    const [line] = plainLinesOf((log) =>
      log.info({ event: "database.ready", files: 3, message: "the database is ready" }),
    );
    expect(line).toMatch(new RegExp(`${time}the database is ready\n$`));
  });

  test("says of a warning and of an error what happened and what to do next", () => {
    const [low, unknown] = plainLinesOf((log) => {
      log.warn({ event: "vouchers.low", productId: 4, left: 2 });
      log.error({ event: "somebody.else", nothing: null, error: "Error: no" });
    });
    expect(low).toMatch(
      new RegExp(`${time}warning vouchers\\.low productId=4 left=2\n +do: add stock: npm run operator`),
    );
    expect(unknown).toMatch(new RegExp(`${time}ERROR somebody\\.else error=Error: no\n +do: see docs/operations/`));
  });

  test("gives a program that reads JSON the same advice, on warnings and errors alone", () => {
    const lines: string[] = [];
    const log = openLog({ level: "info", output: { write: (line) => void lines.push(line) } });
    log.warn({ event: "vouchers.low", productId: 4 });
    log.error({ event: "somebody.else" });
    log.info({ event: "email.sent" });
    expect(lines.map((line) => JSON.parse(line).advice)).toEqual([
      expect.stringContaining("npm run operator -- vouchers import"),
      expect.stringContaining("docs/operations/reference.md"),
      undefined,
    ]);
  });

  test("repeats the sentence of a warning that says what to do, with its fields", () => {
    const [line] = plainLinesOf((log) =>
      log.warn({ event: "key.made", file: "/data/key" }, "A key was made. Copy it."),
    );
    expect(line).toMatch(new RegExp(`${time}warning key\\.made A key was made\\. Copy it\\. file=/data/key\n$`));
  });

  test("spells out what a terminal would obey, and hides secrets as the JSON lines do", () => {
    const [line] = plainLinesOf((log) => log.info({ event: "odd", said: "\u001b[2Jclear\nnext\u009b", token: "1234" }));
    expect(line).toContain("said=\\u{1b}[2Jclear next\\u{9b} token=[redacted]");
    expect(line?.split("\n")).toHaveLength(2);
  });
});
