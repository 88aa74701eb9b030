import type { ShopCounts } from "../shop.ts";
import type { StormFigures } from "../strikes.ts";
import type { ConductorFigures } from "./conductor.ts";
import type { Operator } from "./operator.ts";
import type { SupplierVerdict } from "./verdict.ts";

/** What a run with suppliers came to. */
export interface SupplierReport extends SupplierVerdict {
  readonly seed: number;
  readonly shop: ShopCounts;
  readonly acknowledged: number;
  readonly storm: StormFigures;
  readonly conductor: ConductorFigures;
  readonly byHand: Operator["counts"];
  readonly leftOpen: Operator["leftOpen"];
  readonly callbacks: { readonly heard: number; readonly unheard: number };
  readonly suppliersOf: ReadonlyMap<string, readonly string[]>;
  readonly quietSeconds: number;
}

const shownMax = 5;

/** The verdict, with its figures. */
export function renderSupplierReport(report: SupplierReport): string {
  const { checks, shop, storm, conductor, byHand, callbacks } = report;
  const broken = checks.filter((check) => check.broken.length > 0);
  const violations = broken.reduce((sum, check) => sum + check.broken.length, 0);
  return [
    ...broken.flatMap(({ promise, broken: faults }) => [
      `BROKEN: ${promise} (${faults.length})`,
      ...faults.slice(0, shownMax).map((fault) => `  ${fault}`),
    ]),
    `${violations === 0 ? "held" : "BROKEN"}: seed ${report.seed}, ${violations} violations of ${checks.length} promises`,
    `  purchases      ${report.purchases} stored, ${report.acknowledged} acknowledged one by one`,
    ...[...report.byCategory].sort().map(([category, ends]) => categoryLine(category, ends, report.suppliersOf)),
    `  went out       ${words(Object.fromEntries([...report.bySupplier].sort()))}`,
    `  requests       ${shop.requests}; lost answers ${shop.lost}, given up ${shop.givenUp}, not verified ${shop.unverified}`,
    `  answers        ${words(shop.answered)}`,
    `  suppliers      ${words(conductor.turns)} turns; ${conductor.reversed} purchases taken back`,
    `  callbacks      ${callbacks.heard} heard, ${callbacks.unheard} not`,
    `  by hand        ${byHand.vended} vended, ${byHand.declined} declined; never ended by ${words(Object.fromEntries(report.leftOpen)) || "nobody"}`,
    `  incidents      ${words(Object.fromEntries(report.incidents)) || "none"}`,
    `  kills          ${storm.kills}; database stops ${storm.databaseStops}, backends ended ${storm.backendsEnded}, cuts ${storm.cuts}`,
    `  quiet after    ${Math.round(report.quietSeconds)} s`,
  ].join("\n");
}

function categoryLine(
  category: string,
  ends: Readonly<Record<string, number>>,
  suppliersOf: SupplierReport["suppliersOf"],
): string {
  return `    ${category.padEnd(13)}${words(ends)}; sold through ${suppliersOf.get(category)?.join(", ") ?? "nobody"}`;
}

function words(counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).sort(([one], [other]) => one.localeCompare(other));
  return named.map(([name, times]) => `${name}: ${times}`).join(", ");
}
