import { pino } from "pino";
import { Registry } from "prom-client";
import { beforeEach, expect, test } from "vitest";
import { openSecurityEvents, type SecurityEvents } from "../../src/platform/telemetry/security-events.ts";

interface Line {
  readonly event: string;
  readonly source: string;
  readonly count: number;
  readonly about: readonly string[];
}

let lines: Line[];
let registry: Registry;
let security: SecurityEvents;
beforeEach(() => {
  lines = [];
  registry = new Registry();
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  security = openSecurityEvents({ log, registry });
});

const failed = (source: string, about = "ds_live_…") => security.note({ kind: "key_failed", source, about });
const reply = () => lines.splice(0).map(({ event, source, count }) => `${event} ${source} ${count}`);

test("the first of a source is told at once, all others in one line a minute, and a silent source begins anew", () => {
  failed("203.0.113.9");
  expect(reply()).toEqual(["security.key_failed 203.0.113.9 1"]);
  for (let i = 0; i < 5_000; i++) failed("203.0.113.9");
  failed("198.51.100.1");
  expect(reply()).toEqual(["security.key_failed 198.51.100.1 1"]);
  security.report();
  expect(reply()).toEqual(["security.key_failed 203.0.113.9 5000"]);
  failed("203.0.113.9");
  expect(reply()).toEqual([]);
  security.report();
  expect(reply()).toEqual(["security.key_failed 203.0.113.9 1"]);
  security.report();
  failed("203.0.113.9");
  expect(reply()).toEqual(["security.key_failed 203.0.113.9 1"]);
});

test("kinds are told apart, and one of them in a flood hides no other", () => {
  for (let i = 0; i < 1_000; i++) failed(`10.0.${i >> 8}.${i & 255}`);
  lines.length = 0;
  security.note({ kind: "address_denied", source: "203.0.113.9", about: "mer_1 key_2" });
  expect(reply()).toEqual(["security.address_denied 203.0.113.9 1"]);
});

test("a million addresses make some two hundred lines a minute, and no more memory than the first hundred", () => {
  for (let i = 0; i < 1_000_000; i++) failed(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, `key ${i}`);
  expect(lines).toHaveLength(101);
  expect(reply().at(-1)).toBe("security.key_failed others 1");
  security.report();
  expect(reply()).toEqual(["security.key_failed others 999899"]);
  security.report();
  failed("203.0.113.9");
  expect(reply()).toEqual(["security.key_failed 203.0.113.9 1"]);
});

test("a line names five of what it is about, cut where one is long", () => {
  failed("203.0.113.9");
  for (let i = 0; i < 50; i++) failed("203.0.113.9", `ds_live_00${i % 10}${"x".repeat(1_000)}`);
  security.report();
  expect(lines[1]?.about).toHaveLength(5);
  expect(lines[1]?.about.every((about) => about.length === 200)).toBe(true);
});

test("every event counts in the metrics, whether it was told or not", async () => {
  for (let i = 0; i < 250; i++) failed(`10.0.0.${i}`);
  expect(await registry.metrics()).toContain('dispense_security_events_total{kind="key_failed"} 250');
});
