import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventNames } from "../../src/domain/webhooks/events/event.ts";
import { listFiles, projectRoot } from "./source-text.ts";

const webhookEvents: readonly string[] = eventNames;

/** Events of log lines in a source: `purchase.${kind}` is any name that begins so. Those of webhooks are none. */
function eventsIn(source: string): string[] {
  const values = Array.from(source.matchAll(/\bevent: ((?:\$\{[^}]*\}|[^,;}])*)/g), ([, value = ""]) => value.trim());
  // A name without a dot may be any other text, but where it stands alone.
  const names = values.flatMap((value) =>
    Array.from(value.matchAll(/^["`]([a-z_]+)["`]$|["`]([a-z_]+\.(?:[a-z_]+|\$\{\w+\}))["`]/g)),
  );
  return names.map(([, plain, dotted = ""]) => plain ?? dotted).filter((name) => !webhookEvents.includes(name));
}

/** Names in the first column of the guide's tables of events. */
function eventsOf(guide: string): string[] {
  const tables = guide.split(/\n\n+/).filter((block) => /^\| event/.test(block));
  const cells = tables.flatMap((table) =>
    table
      .split("\n")
      .slice(2)
      .map((row) => row.split("|")[1] ?? ""),
  );
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name));
}

/** The names of the one list that none of the other is. */
function lacking(names: readonly string[], others: readonly string[]): string[] {
  const patternOf = (name: string) => new RegExp(`^${name.replaceAll(".", "\\.").replace(/\$\{\w+\}/, "[a-z_]+")}$`);
  return [...new Set(names)].filter((name) =>
    others.every((other) => !patternOf(name).test(other) && !patternOf(other).test(name)),
  );
}

const sources = listFiles(["src"], [".ts", ".tsx"]).map((file) => readFileSync(path.join(projectRoot, file), "utf8"));
const written = sources.flatMap(eventsIn);
const explained = eventsOf(readFileSync(path.join(projectRoot, "docs/operations/reference.md"), "utf8"));

describe("the log and the operators' guide", () => {
  test("every event that a log line may have is explained in the guide", () => {
    expect(written.length).toBeGreaterThan(80);
    expect(lacking(written, explained)).toEqual([]);
  });

  test("every event that the guide explains is written by some line", () => {
    // The kind of question is the name.
    expect(lacking(explained, written)).toEqual(["vend", "requery"]);
  });

  test("an event without its row, and a row without its event, are noticed", () => {
    const template = ["`door.$", "{kind}`"].join("");
    const source = `log.warn({ event: isAway ? "disk.full" : "disk.free" }); note({ event: ${template}, at })`;
    expect(eventsIn(source)).toEqual(["disk.full", "disk.free", template.replaceAll("`", "")]);
    const rows = eventsOf(
      "| event | means |\n|---|---|\n| `disk.full`, `door.open` | no room |\n| `disk.slow` | late |",
    );
    expect(lacking(eventsIn(source), rows)).toEqual(["disk.free"]);
    expect(lacking(rows, eventsIn(source))).toEqual(["disk.slow"]);
  });
});
