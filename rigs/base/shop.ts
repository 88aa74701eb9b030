import type { OpenDatabase } from "../../src/platform/database/database.ts";
import { connectTo } from "./database.ts";
import { type Driver, openDriver } from "./load.ts";
import { type Basket, chooseBasket, newMerchants, plenty } from "./merchants.ts";
import type { Undo } from "./scratch-folder.ts";
import { type Service, startService } from "./service.ts";

/** A service that sells, merchants that buy, and who sends what they send. */
export interface Shop {
  readonly service: Service;
  readonly database: OpenDatabase;
  readonly driver: Driver;
  /** Sandbox keys, one of each of a thousand merchants with wallets that no run can empty. */
  readonly spread: readonly string[];
  /** The sandbox key of one more, which was made last. */
  readonly hot: string;
  readonly basket: Basket;
}

export interface ShopOptions {
  readonly folder: string;
  readonly undo: Undo;
  readonly progress: (text: string) => void;
  readonly environment?: Readonly<Record<string, string>>;
}

const spreadMerchants = 1_000;

/** Starts a service in the folder; `undo` stops it. */
export async function openService({ folder, undo, progress, environment }: ShopOptions) {
  progress("starting the service\n");
  const service = await startService(folder, environment);
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  return { service, database };
}

/** The same with merchants and a driver. */
export async function openShop(options: ShopOptions): Promise<Shop> {
  const opened = await openService(options);
  const driver = openDriver();
  options.undo.push(driver.close);
  return { ...opened, driver, ...(await stockShop(opened)) };
}

/** Makes the merchants, and finds out what they can buy. */
export async function stockShop({ service, database }: Pick<Shop, "service" | "database">) {
  const wish = { name: "Bench", email: "bench@example.com", count: spreadMerchants + 1, testCredit: plenty };
  const keys = (await newMerchants(database, wish)).map(({ testKey }) => testKey);
  const hot = keys.at(-1) ?? "";
  return { spread: keys.slice(0, spreadMerchants), hot, basket: await chooseBasket(service, hot) };
}
