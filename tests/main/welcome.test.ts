import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/main/configuration/config.ts";
import { runService } from "../../src/main/run-service.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

let fresh: FreshDatabase;
let scratch: ScratchDirectory;

beforeAll(async () => {
  fresh = await freshDatabase();
  scratch = await makeScratchDirectory();
});

afterAll(async () => {
  await fresh.drop();
  await scratch.remove();
});

const environment = () => ({
  DATABASE_URL: fresh.url,
  DATA_DIR: scratch.folder,
  ENCRYPTION_KEY: testEncryptionKey,
  NODE_ENV: "production",
  LOG_LEVEL: "silent",
  HOST: "127.0.0.1",
  PORT: "0",
});

/** The operator's command in what a start in production says. */
async function commandOfWelcome(): Promise<string[]> {
  const migrations = new URL("../../migrations", import.meta.url).pathname;
  const service = await runService(readConfig(environment()), { migrations });
  await service.stop();
  const [, command = ""] = /npm run operator -- (.*)/.exec(service.welcome) ?? [];
  return command.split(" ");
}

test("each command that the welcome names can be carried out, from the first start in production on", async () => {
  const first = await commandOfWelcome();
  expect(first.slice(0, 2)).toEqual(["create-merchant", "--name"]);
  const words = first.map((word) => ({ NAME: "First shop", ADDRESS: "shop@example.com" })[word] ?? word);
  expect((await operate(words, environment())).code).toBe(0);
  const second = await commandOfWelcome();
  expect(second[0]).toBe("create-key");
  const made = await operate(second, environment());
  expect([made.code, made.out]).toEqual([0, expect.stringContaining("ds_test_")]);
});
