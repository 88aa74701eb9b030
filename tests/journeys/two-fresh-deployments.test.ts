import { afterAll, expect, test } from "vitest";
import { putSupplier, setRoute } from "../../src/domain/suppliers/administration.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { secretBox } from "../../src/platform/sealing/secret-box.ts";
import { startDeployment } from "../support/deployment.ts";
import { waitUntil } from "../support/receiver.ts";
import { startStub } from "../support/suppliers/stub-server.ts";
import { vtpassKeys, vtpassStub } from "../support/suppliers/vtpass-stub.ts";

// Two services, each a process with a fresh database of its own, sell through one account at one supplier: they make the
// same purchase ids, as the number of a process begins at 0 in each.

const encryptionKey = Buffer.alloc(32, 5);
const rounds = 10;
const perRound = 20;

const supplier = await startStub(vtpassStub);
const shops = [await openShop(), await openShop()];
// Each sells once its process knows its route.
for (const { deployment, key } of shops) {
  const body = { reference: "first", network: "MTN", phone: "08031234567", amount: "100.00" };
  const isSold = async () => (await deployment.call(key, "/airtime/purchase", body))?.status === 201;
  await waitUntil(isSold, "its route", 60);
}
afterAll(async () => {
  for (const { deployment } of shops ?? []) await deployment.close();
  await supplier?.close();
});

async function openShop() {
  const deployment = await startDeployment({
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    SUPPLIER_ORIGINS: supplier.url,
    MOVED_CLOCK_GRAIN: "1000",
  });
  const { apiKey: api_key, publicKey: public_key, secretKey: secret_key } = vtpassKeys;
  await putSupplier(
    { database: deployment.database, secretBox: secretBox([encryptionKey]) },
    {
      name: "vtpass",
      connector: "vtpass",
      settings: { base_url: `${supplier.url}/api` },
      credentials: { api_key, public_key, secret_key },
    },
  );
  await setRoute(deployment.database, {
    productId: 2001 as ProductId,
    supplier: "vtpass",
    supplierCode: "mtn",
    cost: { kind: "fixed", kobo: kobo(9_000n) },
    priority: 1,
    enabled: true,
  });
  const { liveKey } = await deployment.createMerchant({ live: kobo(1_000_000_000n) });
  return { deployment, key: liveKey! };
}

test("no reference of one is a reference of the other, and each sale is the supplier's own", async () => {
  const said: (string | undefined)[] = [];
  for (let round = 0; round < rounds; round++) {
    const bought = shops.flatMap(({ deployment, key }, shop) =>
      Array.from({ length: perRound }, (_, i) => {
        const phone = `080${shop + 1}${String(round * perRound + i).padStart(7, "0")}`;
        const body = { reference: `r-${round}-${i}`, network: "MTN", phone, amount: "100.00" };
        return deployment.call(key, "/airtime/purchase", body);
      }),
    );
    said.push(...(await Promise.all(bought)).map((answer) => answer?.body.status));
  }
  const references = supplier.log.filter(({ question }) => question === "vend").map(({ reference }) => reference);
  const repeated = references.length - new Set(references).size;
  const sold = 2 * (1 + rounds * perRound);
  expect({ sent: references.length, repeated }).toEqual({ sent: sold, repeated: 0 });
  expect(new Set(said)).toEqual(new Set(["successful"]));
  expect(supplier.log.filter(({ did }) => did === "vended")).toHaveLength(sold);
  for (const { deployment } of shops) expect(await deployment.brokenInvariants()).toEqual([]);
});
