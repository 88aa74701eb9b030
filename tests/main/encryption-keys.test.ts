import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/main/configuration/config.ts";
import { serviceSecretBox } from "../../src/main/configuration/encryption-keys.ts";
import { encryptionKeyFile } from "../../src/platform/sealing/encryption-key.ts";
import { secretBox } from "../../src/platform/sealing/secret-box.ts";
import type { Logger } from "../../src/platform/telemetry/log.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dispense-keys-"));
});
afterAll(() => rm(folder, { recursive: true }));

const place = "webhook_endpoints/1";
const keyText = (byte: number) => Buffer.alloc(32, byte).toString("base64");

/** What the service has when it starts with these settings, and what its log says. */
async function start(environment: Record<string, string>) {
  const said: { event: string; file: string }[] = [];
  const log = { warn: (line: (typeof said)[number]) => said.push(line) } as unknown as Logger;
  return { box: await serviceSecretBox(readConfig(environment), log), said };
}

describe("secrets are sealed", () => {
  test("under ENCRYPTION_KEY, and no key is made beside it", async () => {
    const directory = path.join(folder, "given");
    const { box, said } = await start({ DATA_DIR: directory, ENCRYPTION_KEY: `${keyText(1)},${keyText(2)}` });
    expect(secretBox([Buffer.alloc(32, 1)]).open(box.seal("secret", place), place)).toBe("secret");
    expect(box.open(secretBox([Buffer.alloc(32, 2)]).seal("old", place), place)).toBe("old");
    expect([existsSync(directory), said]).toEqual([false, []]);
  });

  test("without one under a key of the service's own, which the first start makes and tells", async () => {
    const directory = path.join(folder, "own");
    const first = await start({ DATA_DIR: directory });
    const second = await start({ DATA_DIR: directory });
    expect(second.box.open(first.box.seal("secret", place), place)).toBe("secret");
    expect(first.said).toEqual([
      { event: "encryption_key.made", file: encryptionKeyFile(directory), keyId: expect.any(String) },
    ]);
    expect(second.said).toEqual([]);
  });
});
