import { beforeEach, expect, test } from "vitest";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { CatalogueProgress } from "../../src/providers/contract.ts";
import { closing } from "../support/closing.ts";
import { priceListKind } from "../support/price-list/price-list-kind.ts";
import { sent, startPriceList } from "../support/price-list/price-list-server.ts";
import { connectorServices } from "../support/suppliers/connector-under-test.ts";

const server = closing(await startPriceList());
beforeEach(() => {
  server.products = [1, 2, 3, 4].map((n) => sent("data", `p${n}`, ["NGN", n]));
  server.broken = null;
});

async function ask(received: CatalogueProgress[] = []) {
  const http = openAllowlistedHttp({ origins: [server.url], monotonicMs: () => performance.now() });
  const entry = { name: "lister", connector: "price-list", settings: { base_url: server.url }, credentials: {} };
  const connector = priceListKind.open(entry, connectorServices(http, { now: () => 0 }));
  return await connector.catalogue?.((progress) => received.push(progress)).finally(() => http.close());
}

test("a list is read page by page, and who waits hears how far it has come", async () => {
  const received: CatalogueProgress[] = [];
  expect(await ask(received)).toMatchObject({
    kind: "told",
    categories: ["data", "giftcard"],
    products: [{ supplierCode: "p1" }, { supplierCode: "p2" }, { supplierCode: "p3" }, { supplierCode: "p4" }],
  });
  expect(received).toEqual([
    { received: 0, lists: 2, products: 3 },
    { received: 1, lists: 2, products: 4 },
    { received: 2, lists: 2, products: 4 },
  ]);
});

test.each([
  ["an outage on its second page", "/data/2", "outage", "data, page 2: "],
  ["half of its second page", "/data/2", "half", "data, page 2: "],
  ["an outage at its last list", "/giftcard/1", "outage", "giftcard, page 1: "],
] as const)("%s leaves nothing known of the whole", async (_name, path, by, evidence) => {
  server.broken = { path, by };
  expect(await ask()).toEqual({ kind: "failed", evidence: expect.stringContaining(evidence) });
});
