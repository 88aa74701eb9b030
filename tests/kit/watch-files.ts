import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../architecture/source-text.ts";

/** A rule of `deploy/prometheus/alarms.yml`. */
export interface Alarm {
  readonly name: string;
  readonly expression: string;
  readonly severity: string;
  readonly summary: string;
  /** A document's path from the project's folder, and its heading's anchor. */
  readonly runbook: string;
}

export const prometheusFolder = join(projectRoot, "deploy/prometheus");

export function readAlarms(): readonly Alarm[] {
  return alarmsIn(readFileSync(join(prometheusFolder, "alarms.yml"), "utf8"));
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook: string };
}

/** The alarms of a whole file, or of a list of rules. */
export function alarmsIn(yaml: string): readonly Alarm[] {
  const found = parse(yaml) as readonly Rule[] | { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  const rules = "groups" in found ? found.groups.flatMap((group) => group.rules) : found;
  return rules.map(({ alert, expr, labels, annotations }) => ({
    name: alert,
    expression: expr,
    severity: labels.severity,
    summary: annotations?.summary ?? "",
    runbook: annotations?.runbook ?? "",
  }));
}

interface Case {
  readonly alertname: string;
  readonly exp_alerts?: readonly unknown[];
}

/** The names of the alarms that a whole file of tests, or a list of cases, expects to fire or expects to be quiet. */
export function casesIn(yaml: string): { readonly firing: ReadonlySet<string>; readonly quiet: ReadonlySet<string> } {
  const found = parse(yaml) as
    | readonly Case[]
    | { readonly tests: readonly { readonly alert_rule_test: readonly Case[] }[] };
  const cases = "tests" in found ? found.tests.flatMap((each) => each.alert_rule_test) : found;
  const namesOf = (fires: boolean) =>
    new Set(cases.filter((each) => (each.exp_alerts !== undefined) === fires).map(({ alertname }) => alertname));
  return { firing: namesOf(true), quiet: namesOf(false) };
}

interface Target {
  readonly expr: string;
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly datasource?: { readonly uid?: string };
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly Target[];
}

/** What is read here of a dashboard of `deploy/grafana/`. */
export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query?: string }[];
  };
}

const grafanaFolder = join(projectRoot, "deploy/grafana");

export function readDashboards(): readonly Dashboard[] {
  return readdirSync(grafanaFolder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, ...JSON.parse(readFileSync(join(grafanaFolder, file), "utf8")) }) as Dashboard);
}
