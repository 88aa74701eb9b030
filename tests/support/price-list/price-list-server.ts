import { startAnswering } from "../answering-server.ts";
import type { listedCategories, Page, SentProduct } from "./price-list-kind.ts";

/** The supplier's side of the price list. */
export interface PriceListServer {
  readonly url: string;
  /** What it lists, however many lines fit on a page. */
  products: readonly SentProduct[];
  /** The path that it answers with 502, or with half of a page; null for none. */
  broken: { readonly path: string; readonly by: "outage" | "half" } | null;
  /** Every path that was asked for. */
  readonly calls: string[];
  close(): Promise<void>;
}

const pageLength = 3;

export async function startPriceList(): Promise<PriceListServer> {
  const { port, close } = await startAnswering((request, response) => {
    const address = request.url ?? "";
    const [, category, number] = address.split("/");
    server.calls.push(address);
    if (server.broken?.path === address && server.broken.by === "outage") {
      response.writeHead(502).end("<html>Bad gateway</html>");
      return;
    }
    const all = server.products.filter((product) => product.category === category);
    const begin = (Number(number) - 1) * pageLength;
    const isLast = begin + pageLength >= all.length;
    const page: Page = { products: all.slice(begin, begin + pageLength), next: isLast ? null : Number(number) + 1 };
    const text = JSON.stringify(page);
    const isHalf = server.broken?.path === address;
    response.writeHead(200, { "content-type": "application/json" }).end(isHalf ? text.slice(0, text.length / 2) : text);
  });
  const server: PriceListServer = { url: `http://127.0.0.1:${port}`, products: [], broken: null, calls: [], close };
  return server;
}

/** A line of the list. */
export function sent(
  category: (typeof listedCategories)[number],
  supplierCode: string,
  cost: SentProduct["cost"],
  face: SentProduct["face"] = null,
): SentProduct {
  return { category, supplierCode, name: `Their ${supplierCode}`, biller: "Their brand", face, cost };
}
