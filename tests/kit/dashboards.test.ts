import { readFileSync } from "node:fs";
import path, { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../architecture/source-text.ts";
import { type Dashboard, readDashboards } from "./watch-files.ts";

const dashboards = readDashboards();

test("there is a dashboard of the business, the database, the service, suppliers and webhooks", () => {
  const files = dashboards.map(({ file }) => path.parse(file).name);
  expect(files).toEqual(["business", "database", "service", "suppliers", "webhooks"]);
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(5);
});

test.each(dashboards)("$title fits on a screen or two, and each panel says its unit and what it shows", (dashboard) => {
  expect(faultsOf(dashboard)).toEqual([]);
});

test("a panel without a unit or a description, over another one, or with an unknown variable is noticed", () => {
  const gridPos = { h: 8, w: 12, x: 0, y: 0 };
  const bad = { type: "stat", title: "Bad", gridPos, targets: [{ expr: 'up{job="$job"}' }] };
  const wide = { ...bad, title: "Wide", gridPos: { ...gridPos, w: 30 } };
  const planted = { file: "a.json", uid: "a", title: "A", schemaVersion: 38, templating: { list: [] } };
  const own = ["description", "unit", "datasource"];
  const faults = { Bad: [...own, "$job", "lies over Wide"], Wide: [...own, "wider than the screen", "$job"] };
  const said = Object.entries(faults).flatMap(([title, each]) => each.map((fault) => `${title}: ${fault}`));
  expect(faultsOf({ ...planted, panels: [bad, wide] })).toEqual([...said, "no data source to choose"]);
});

test("Grafana is told where the dashboards and Prometheus are", () => {
  const provisioning = (file: string) => readFileSync(join(projectRoot, "deploy/grafana/provisioning", file), "utf8");
  expect(provisioning("dashboards/dispense.yml")).toMatch(/^ {6}path: \//m);
  expect(provisioning("datasources/prometheus.yml")).toMatch(/^ {4}type: prometheus$/m);
});

/** What Grafana itself brings. */
const ofGrafana = ["__rate_interval", "datasource"];

function faultsOf({ panels, templating, schemaVersion }: Dashboard): string[] {
  const variables = [...ofGrafana, ...templating.list.map(({ name }) => name)];
  const ofPanels = panels.flatMap((panel, at) => {
    const { title, description, datasource, fieldConfig, gridPos, targets = [] } = panel;
    const unknown = targets.flatMap(({ expr }) =>
      [...expr.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name).filter((name) => !variables.includes(name)),
    );
    const covered = panels.slice(at + 1).filter((other) => isOver(gridPos, other.gridPos));
    return [
      ...(description ? [] : ["description"]),
      ...(fieldConfig?.defaults.unit ? [] : ["unit"]),
      ...(datasource?.uid === "$" + "{datasource}" ? [] : ["datasource"]),
      ...(gridPos.x + gridPos.w <= 24 ? [] : ["wider than the screen"]),
      ...unknown.map((name) => `$${name}`),
      ...covered.map((other) => `lies over ${other.title}`),
    ].map((fault) => `${title}: ${fault}`);
  });
  return [
    ...ofPanels,
    ...(panels.length <= 12 ? [] : ["more than twelve panels"]),
    ...(schemaVersion === 38 ? [] : ["not the form of Grafana 10"]),
    ...(templating.list.some(({ name, type }) => name === "datasource" && type === "datasource")
      ? []
      : ["no data source to choose"]),
  ];
}

type Place = Dashboard["panels"][number]["gridPos"];

function isOver(one: Place, other: Place): boolean {
  const meets = (from: number, length: number, to: number, toLength: number) =>
    from < to + toLength && to < from + length;
  return meets(one.x, one.w, other.x, other.w) && meets(one.y, one.h, other.y, other.h);
}
