import { describe, expect, test } from "vitest";
import { openLog } from "../../src/platform/telemetry/log.ts";

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
    log.info({ event: "letter.sent" });
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
