import type { ShadowReport } from "./report.ts";

/** The report as a person reads it. `until`: when it was written, as it shows times. */
export function reportText(report: ShadowReport, until: string): string {
  const { from, requests, endpoints, differences, not_compared: reasons, statuses, slowest } = report;
  const sums = [...endpoints.values()];
  const sum = (name: "same" | "different" | "not_compared") => sums.reduce((total, each) => total + each[name], 0);
  return [
    `Compared from ${from} to ${until}: ${requests} requests, ${sum("same")} the same, ` +
      `${sum("different")} different, ${sum("not_compared")} not compared.`,
    "",
    "By endpoint",
    ...none(
      [...endpoints].map(
        ([name, each]) =>
          `  ${name}: ${each.requests} requests, ${each.same} the same, ${each.different} different, ` +
          `${each.not_compared} not compared`,
      ),
      "  No request came.",
    ),
    ...section("Different", differences, ({ at, merchant, request, sent, old, here }) => [
      `    ${at} ${by(merchant)}${request} ${sent}`.trimEnd(),
      `      old:  ${old}`,
      `      here: ${here}`,
    ]),
    ...section("Not compared", reasons, ({ at, merchant, request, old }) => [
      `    ${at} ${by(merchant)}${request} (${old})`,
    ]),
    "",
    "HTTP status of purchases, old → here",
    ...none(
      [...statuses].map(([pair, count]) => `  ${pair}: ${count}`),
      "  None.",
    ),
    "",
    "Slowest answers of the old deployment",
    ...none(
      slowest.map(({ at, request, ms }) => `  ${ms} ms  ${at} ${request}`),
      "  None.",
    ),
    "",
  ].join("\n");
}

/** Empty where no key came. */
function by(merchant: string): string {
  return merchant === "" ? "" : `${merchant} `;
}

type Counts = ShadowReport["differences"];
type Example = Counts extends ReadonlyMap<string, { readonly examples: readonly (infer Each)[] }> ? Each : never;

function section(title: string, counts: Counts, linesOf: (example: Example) => readonly string[]): string[] {
  const lines = [...counts].flatMap(([name, { count, examples }]) => [
    `  ${name}: ${count}`,
    ...examples.flatMap(linesOf),
  ]);
  return ["", title, ...none(lines, "  None.")];
}

function none(lines: readonly string[], instead: string): readonly string[] {
  return lines.length === 0 ? [instead] : lines;
}

/** The report for programs, with plain objects for its maps. */
export function reportJson(report: ShadowReport, until: string) {
  return JSON.parse(
    JSON.stringify({ ...report, until }, (_name, value: unknown) =>
      value instanceof Map ? Object.fromEntries(value) : value,
    ),
  );
}
