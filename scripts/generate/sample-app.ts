import type { ServiceOptions } from "../../src/main/services/services.ts";
import { startApp, type TestApp } from "../../tests/support/app.ts";
import { stockedDatabase } from "../../tests/support/database.ts";

/** 2026-11-20 14:03:09 in Lagos: the moment of every sample. Purchase ids follow from it. */
export const sampledAt = Date.UTC(2026, 10, 20, 13, 3, 9);

/** An app whose ids are the same in every run: its clock stands still, and its deployment's number is no chance. */
export async function startSampleApp(options: Partial<ServiceOptions> & { workers?: boolean } = {}): Promise<TestApp> {
  const database = await stockedDatabase();
  await database.pool.query("update deployment_numbers set number = 20261120");
  const app = await startApp({ clock: { now: () => sampledAt }, database, ...options });
  return {
    ...app,
    async close() {
      await app.close();
      await database.drop();
    },
  };
}
