import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/main/configuration/config.ts";
import { runService } from "../../src/main/run-service.ts";
import { freshDatabase } from "../support/database.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

test("a process tells its processor time, its memory and how late its event loop is", async () => {
  const fresh = await freshDatabase();
  const scratch = await makeScratchDirectory();
  const environment = { DATABASE_URL: fresh.url, DATA_DIR: scratch.folder, ENCRYPTION_KEY: testEncryptionKey };
  const config = readConfig({ ...environment, PORT: "0", LOG_LEVEL: "silent" });
  const service = await runService(config, { migrations: path.resolve(import.meta.dirname, "../../migrations") });
  onTestFinished(async () => {
    await service.stop();
    await fresh.drop();
    await scratch.remove();
  });
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.]+$/m);
});
