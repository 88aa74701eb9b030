import { putSupplier, setRoute } from "../src/domain/routing/administration.ts";
import type { ProductId } from "../src/kernel/ids.ts";
import { basisPoints } from "../src/kernel/money.ts";
import type { Database } from "../src/platform/database/database.ts";
import { secretBox } from "../src/platform/sealing/secret-box.ts";
import { inspectable } from "./collected-heap.ts";
import { connectTo } from "./database.ts";
import { type Driver, openDriver } from "./driver.ts";
import { type Basket, chooseBasket, createLiveBuyers, type LiveBuyer } from "./merchants.ts";
import type { Undo } from "./scratch-folder.ts";
import { type Server, type Service, startLiveSupplier, startService } from "./service.ts";
import { encryptionKey } from "./webhook-load.ts";

/** A service that sells for real, with a supplier of its own, merchants that may buy, and who sends their purchases. */
export interface LiveShop {
  readonly supplier: Server;
  readonly service: Service;
  readonly database: Database;
  readonly driver: Driver;
  readonly buyers: readonly LiveBuyer[];
  /** What the supplier has. */
  readonly basket: Basket;
}

/** Starts all of it in the folder; `undo` stops it. */
export async function openLiveShop(options: {
  readonly folder: string;
  readonly undo: Undo;
  readonly progress: (text: string) => void;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<LiveShop> {
  const { folder, undo, progress, environment = {} } = options;
  progress("starting the supplier and the service\n");
  const supplier = await startLiveSupplier(folder);
  undo.push(supplier.stop);
  const service = await startService(folder, {
    SUPPLIER_ORIGINS: originOf(supplier.port),
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    ...inspectable,
    ...environment,
  });
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const driver = openDriver();
  undo.push(driver.close);
  progress("creating merchants\n");
  const buyers = await createLiveBuyers(database);
  const basket = await chooseBasket(service.port, buyers[0]?.testKey ?? "");
  await enterSupplier(database, { port: supplier.port, productId: basket.product_id as ProductId });
  return { supplier, service, database, driver, buyers, basket };
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** As an operator would. */
async function enterSupplier(database: Database, supplier: { readonly port: number; readonly productId: ProductId }) {
  const name = "bench";
  await putSupplier(
    { database, secretBox: secretBox([encryptionKey]) },
    {
      name,
      connector: "legacy-script",
      settings: { base_url: originOf(supplier.port), network_ids: { MTN: "1", GLO: "2", "9MOBILE": "3", AIRTEL: "4" } },
      credentials: { token: "66f2e5c39ac8640f13cd888f161385b12f7e5e92" },
    },
  );
  await setRoute(database, {
    productId: supplier.productId,
    supplier: name,
    supplierCode: "6",
    cost: { kind: "percent", basisPoints: basisPoints(9_000n) },
    priority: 1,
    enabled: true,
  });
}
