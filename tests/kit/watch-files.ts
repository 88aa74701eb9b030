import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** Reads the form that the file is written in; what YAML allows besides is promtool's to read. */
export function alarmsIn(yaml: string): readonly Alarm[] {
  const blocks = yaml.replaceAll(/^ *#.*\n/gm, "").split(/^ *- alert: /m);
  return blocks.slice(1).map((block) => {
    const part = (pattern: RegExp): string => block.match(pattern)?.[1]?.trim() ?? "";
    return {
      name: part(/^(\w+)/),
      expression: part(/^ +expr:(?: [|>]-?\n)?([\s\S]*?)^ +(?:for|labels):/m),
      severity: part(/severity: (\w+)/),
      summary: part(/summary: (?:>-\n)?([\s\S]*?)\n +runbook:/).replaceAll(/^"|"$/g, ""),
      runbook: part(/runbook: (\S+)/),
    };
  });
}

/** The names of the alarms that `alarms.test.yml` expects to fire, and of those that it expects to be quiet. */
export function casesIn(yaml: string): { readonly firing: ReadonlySet<string>; readonly quiet: ReadonlySet<string> } {
  const cases = yaml.split(/^ *- (?=\{? ?eval_time:)/m).slice(1);
  const firing = new Set<string>();
  const quiet = new Set<string>();
  for (const each of cases) {
    const name = each.match(/alertname: (\w+)/)?.[1] ?? "";
    (each.includes("exp_alerts:") ? firing : quiet).add(name);
  }
  return { firing, quiet };
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
