import { grouped } from "../../domain/catalogue/grouped.ts";
import { priceText } from "../../domain/suppliers/price-text.ts";
import { listSupplierRoutes, type RouteRow } from "../../domain/suppliers/queries.ts";
import type { RouteFigures } from "../../domain/suppliers/routing/count-queries.ts";
import { type Rates, ratesOf, readFigures } from "../../domain/suppliers/routing/route-figures.ts";
import { costOf, readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { productIdWord } from "../arguments.ts";
import type { OperatorCommand } from "../operator-command.ts";
import { type JsonOption, printJson, printRows } from "../printing.ts";
import type { Session } from "../session.ts";

export function addRouteList(route: OperatorCommand): void {
  route
    .command("list")
    .description(
      "routes, of one product or of all, and how they did at the first answer: this clock hour and the last, and 24",
    )
    .argument("[product]", "the product's id", productIdWord)
    .does(listRoutes);
}

async function listRoutes(session: Session, productId: ProductId | undefined, options: JsonOption): Promise<void> {
  const { database } = session;
  const table = await readRouteTable(database);
  const all = await database.query<RouteRow>(listSupplierRoutes);
  const lately = indexed(await readFigures(session, 1));
  const inADay = indexed(await readFigures(session, 23));
  const rows = all
    .filter((row) => productId === undefined || row.productId === productId)
    .map((row) => ({
      product_id: row.productId,
      supplier: row.supplier,
      code: row.supplierCode,
      cost: priceText(costOf(row)),
      priority: row.priority,
      weight: row.weight,
      enabled: row.enabled && table.findSupplier(row.supplier)?.state === "enabled",
      choose_by: table.orderOf(row.productId),
      hour: ratesOf(lately.get(keyOf(row))),
      day: ratesOf(inADay.get(keyOf(row))),
    }));
  if (options.json) for (const row of rows) printJson({ ...row, hour: figuresOf(row.hour), day: figuresOf(row.day) });
  else {
    const texts = rows.map((row) => ({ ...row, hour: textOf(row.hour), day: textOf(row.day) }));
    printRows(texts, { columns }, options);
  }
}

const columns = {
  product_id: "product",
  supplier: "supplier",
  code: "code",
  cost: "cost",
  priority: "priority",
  weight: "weight",
  enabled: "enabled",
  choose_by: "chosen by",
  hour: "last hour",
  day: "24 hours",
};

const keyOf = ({ supplier, productId }: Pick<RouteRow, "supplier" | "productId">) => `${supplier} ${productId}`;

function indexed(figures: readonly RouteFigures[]): ReadonlyMap<string, readonly RouteFigures[]> {
  return grouped(figures, keyOf);
}

/** For programs. Without an attempt there is neither a share nor an average. */
function figuresOf({ attempts, vendedShare, averageSeconds }: Rates) {
  if (attempts === 0) return { attempts, vended_percent: null, average_ms: null };
  return {
    attempts,
    vended_percent: Math.round(vendedShare * 1_000) / 10,
    average_ms: Math.round(averageSeconds * 1_000),
  };
}

/** For people: `98.5 % of 1200, 0.84 s`. */
function textOf({ attempts, vendedShare, averageSeconds }: Rates): string {
  if (attempts === 0) return "-";
  return `${(vendedShare * 100).toFixed(1)} % of ${attempts}, ${averageSeconds.toFixed(2)} s`;
}
