import type { BulkOrder } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder, type ListedOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import { streamBulkOrders } from "../../../domain/bulk-orders/stream-orders.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { type Purchase, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import { soldProductOf } from "../../../domain/purchases/sold-product.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import { parseStoredReference, type TransactionIds } from "../../../kernel/ids.ts";
import type { ModeVisit } from "../../kit/visit.ts";
import { type CsvColumns, csvPieces } from "../exports.ts";
import type { BulkPageServices } from "./bulk-services.ts";

/** Lines that the file reads at once: it holds no more of them. */
const linesPerPiece = 1_000;

/** The orders that the list's address asks for: all, or the one whose reference is sought. */
export function orderPieces(services: BulkPageServices, { wallet, query }: ModeVisit): AsyncGenerator<string> {
  const { database, wallTime } = services;
  const sought = (query.get("q") ?? "").trim();
  async function* found() {
    const reference = parseStoredReference(sought);
    const order = reference === null ? null : await findBulkOrder(database, wallet, reference);
    if (order !== null) yield [order];
  }
  return csvPieces(orderColumns(wallTime), sought === "" ? streamBulkOrders(database, wallet) : found());
}

function orderColumns(wallTime: WallTime): CsvColumns<ListedOrder> {
  return [
    ["started_at", ({ createdAt }) => wallTime.format(createdAt)],
    ["reference", ({ reference }) => reference],
    ["category", ({ category }) => category],
    ["lines", ({ lines }) => lines],
    ["pending_lines", ({ openLines }) => openLines],
    ["charged", ({ total }) => total],
  ];
}

/** The results of all lines of an order. */
export function resultPieces(services: BulkPageServices, order: BulkOrder): AsyncGenerator<string> {
  const { database, catalogue, transactionIds } = services;
  async function* lines() {
    for (let page = 1; (page - 1) * linesPerPiece < order.lines; page += 1) {
      yield await listBulkLines(database, order, null, { page, perPage: linesPerPiece });
    }
  }
  async function* pieces() {
    yield* csvPieces(lineColumns(await catalogue.current(), transactionIds), lines());
  }
  return pieces();
}

function lineColumns(products: CatalogueSnapshot, transactionIds: TransactionIds): CsvColumns<Purchase> {
  const productOf = (line: Purchase) => soldProductOf(products, line).product;
  return [
    ["line", ({ bulk }) => (bulk?.line ?? 0) + 1],
    ["phone", ({ phone }) => phone],
    ["product_id", (line) => productOf(line).id],
    ["product", (line) => productOf(line).name],
    ["reference", ({ reference }) => reference],
    ["transaction_id", ({ id, wallet }) => transactionIds.format(id, wallet.mode)],
    ["status", ({ status }) => status],
    ["charged", totalDeductedOf],
    ["error_code", ({ errorCode }) => errorCode],
    ["message", (line) => messageOf(line, productOf(line))],
  ];
}
