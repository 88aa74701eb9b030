import { StartError } from "../../kernel/start-error.ts";
import {
  addOwnEncryptionKey,
  ownEncryptionKeys,
  presentEncryptionKeys,
} from "../../platform/sealing/encryption-key.ts";
import { keyIdOf, type SecretBox, secretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Config } from "./config.ts";

/**
 * The service's keys to seal and open with: `ENCRYPTION_KEY`, else the data directory's. The first start makes one.
 * @throws StartError when the key in the data directory can't be read or made
 */
export async function serviceSecretBox(config: Config, log: Logger): Promise<SecretBox> {
  if (config.encryptionKeys.length > 0) return secretBox(config.encryptionKeys);
  const { keys, file, isNew } = await ownEncryptionKeys(config.dataDirectory);
  if (isNew) {
    const message = "ENCRYPTION_KEY is not set: a key was made. Keep a copy of it apart from the database.";
    log.warn({ event: "encryption_key.made", file, keyId: keyIdOf(keys[0]) }, message);
  }
  return secretBox(keys);
}

/**
 * A command's keys to seal and open with: the same, but it makes none, as the service could not open what that sealed.
 * @throws StartError when there is none
 */
export async function commandSecretBox(config: Config): Promise<SecretBox> {
  return secretBox(config.encryptionKeys.length > 0 ? config.encryptionKeys : (await serviceKeys(config)).keys);
}

/** Puts a new key before those in the data directory. @throws StartError when there are none */
export async function addServiceKey(config: Config): Promise<{ readonly file: string }> {
  const present = await serviceKeys(config);
  await addOwnEncryptionKey(config.dataDirectory, present);
  return { file: present.file };
}

async function serviceKeys({ dataDirectory }: Config) {
  const present = await presentEncryptionKeys(dataDirectory);
  if (present !== null) return present;
  throw new StartError(
    `This command needs the service's encryption key, and neither is ENCRYPTION_KEY set nor does ${dataDirectory} hold one: set ENCRYPTION_KEY as the service has it, or DATA_DIR to its data directory.`,
  );
}
