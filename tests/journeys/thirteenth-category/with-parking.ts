import { expect, vi } from "vitest";
import { openDatabase } from "../../../src/platform/database/database.ts";
import { type FreshDatabase, stockedDatabase } from "../../support/database.ts";

// The registry with one more line, and the starting catalogue with one more part; every other file as it stands.

const registryFile = "../../../src/categories/registry.ts";

/** Has what is imported from now on sell parking as well. @returns a database whose catalogue has it */
export async function addParking(): Promise<FreshDatabase> {
  // Other tests of this worker have loaded the service with the registry as it is.
  vi.resetModules();
  vi.doMock(registryFile, async (original) => {
    const { categories } = await original<typeof import("../../../src/categories/registry.ts")>();
    const { parking } = await import("./parking.ts");
    return { categories: [...categories, parking] };
  });
  const database = await stockedDatabase();
  await loadWithParking(database);
  return database;
}

/** Undoes it for the tests that follow in this worker. */
export function takeParkingAway(): void {
  vi.doUnmock(registryFile);
  vi.resetModules();
}

async function loadWithParking(fresh: FreshDatabase): Promise<void> {
  const { loadStartingCatalogue, startingCatalogue } = await import(
    "../../../src/domain/catalogue/starting/starting-catalogue.ts"
  );
  const { startingParking } = await import("./starting-parking.ts");
  const added = await loadStartingCatalogue(openDatabase(fresh.pool), {
    billers: [...startingCatalogue.billers, ...startingParking.billers],
    products: [...startingCatalogue.products, ...startingParking.products],
  });
  expect(added).toBe(2);
}
