import type { Report } from "./torture.ts";

const shownMax = 5;

/** The verdict, with its figures. */
export function renderReport(report: Report): string {
  const { figures, checks } = report;
  const broken = checks.filter((check) => check.broken.length > 0);
  const violations = broken.reduce((sum, check) => sum + check.broken.length, 0);
  const answered = Object.entries(report.answered)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, times]) => `${name}: ${times}`)
    .join(", ");
  return [
    ...broken.flatMap(({ promise, broken: faults }) => [
      `BROKEN: ${promise} (${faults.length})`,
      ...faults.slice(0, shownMax).map((fault) => `  ${fault}`),
    ]),
    `${violations === 0 ? "held" : "BROKEN"}: seed ${report.seed}, ${violations} violations of ${checks.length} promises`,
    `  purchases      ${report.purchases} stored, ${report.acknowledged} acknowledged one by one`,
    `  requests       ${report.requests}; lost answers ${report.lost}, given up ${report.givenUp}`,
    `  answers        ${answered}`,
    `  database stops ${figures.databaseStops}`,
    `  kills          ${figures.kills}; processes that ended by themselves: ${report.endedByThemselves}`,
    `  SIGSTOPs       ${figures.processStops}`,
    `  cuts           ${figures.cuts}, and ${figures.backendsEnded} backends ended`,
    `  outages        ${figures.outages}`,
    `  quiet after    ${Math.round(report.quietSeconds)} s`,
  ].join("\n");
}
