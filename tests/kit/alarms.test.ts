import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../architecture/source-text.ts";
import { alarmsIn, casesIn, prometheusFolder, readAlarms, readDashboards } from "./watch-files.ts";

const promtool = (...given: string[]) => {
  const { status, stdout, stderr } = spawnSync("promtool", given, { cwd: prometheusFolder, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
};
const hasPromtool = promtool("--version").status === 0;
const success = { status: 0, said: expect.stringContaining("SUCCESS") };
const where = hasPromtool ? "" : " (skipped: promtool is not installed here)";

const alarms = readAlarms();
const caseFiles = ["alarms.test.yml", "alarms-of-days.test.yml"];
const cases = caseFiles.map((file) => casesIn(readFileSync(join(prometheusFolder, file), "utf8")));

test.runIf(hasPromtool)(`Prometheus takes the alarms and the settings${where}`, () => {
  const checked = promtool("check", "rules", "alarms.yml");
  expect(checked).toEqual({ status: 0, said: expect.stringContaining(`${alarms.length} rules found`) });
  expect(promtool("check", "config", "prometheus.yml")).toEqual(success);
});

test.runIf(hasPromtool)(`each alarm is quiet and fires as its cases say${where}`, () => {
  expect(promtool("test", "rules", ...caseFiles)).toEqual(success);
});

test.runIf(hasPromtool)(`Prometheus understands what the dashboards ask${where}`, async () => {
  const expressions = readDashboards().flatMap(({ panels }) => panels.flatMap(({ targets = [] }) => targets));
  const rules = expressions.map(({ expr }, at) => ({
    record: `panel:${at}`,
    expr: expr.replaceAll("$__rate_interval", "1m"),
  }));
  const folder = await mkdtemp(join(tmpdir(), "dispense-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // JSON is YAML.
  const file = join(folder, "rules.yml");
  await writeFile(file, JSON.stringify({ groups: [{ name: "panels", rules }] }));
  expect(promtool("check", "rules", file)).toEqual(success);
});

test("each alarm has a case in which it fires and one in which it is quiet", () => {
  const names = alarms.map(({ name }) => name).sort();
  expect(new Set(names).size).toBe(names.length);
  expect(cases.flatMap(({ firing }) => [...firing]).sort()).toEqual(names);
  expect(cases.flatMap(({ quiet }) => [...quiet]).sort()).toEqual(names);
});

test.each(alarms)("$name says what happened, whom it calls and where to read on", (alarm) => {
  expect(["page", "ticket"]).toContain(alarm.severity);
  expect(alarm.expression).not.toBe("");
  // What happened, then what to do.
  expect(alarm.summary).toMatch(/\. .*\.$/);
  const [document = "", anchor = ""] = alarm.runbook.split("#");
  const text = readFileSync(join(projectRoot, document), "utf8");
  expect(anchorsOf(text)).toContain(anchor);
  expect(text).toMatch(new RegExp(`^\\| .*\`${alarm.name}\`.*\\]\\(#${anchor}\\)`, "m"));
});

test("an alarm without a case, a runbook or a summary is noticed", () => {
  const [alarm] = alarmsIn("  - alert: Lonely\n    expr: up == 0\n    labels: { severity: page }\n");
  expect(alarm).toEqual({ name: "Lonely", expression: "up == 0", severity: "page", summary: "", runbook: "" });
  const found = casesIn(
    "  - { eval_time: 1m, alertname: A }\n  - eval_time: 2m\n    alertname: B\n    exp_alerts: []\n",
  );
  expect(found).toEqual({ firing: new Set(["B"]), quiet: new Set(["A"]) });
});

/** A heading's anchor is its words in small letters, without its signs and with dashes for spaces. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}
