import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { StartError } from "../../kernel/start-error.ts";
import { isWithin, loopback, parseAddress } from "../../platform/address.ts";
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

/** The certificate and key for https. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the files that TLS_CERT and TLS_KEY name; null where neither is set.
 * @throws StartError where one can't be read, is no such file, or the two don't belong together
 */
export async function readTlsFiles({ tlsCert, tlsKey }: Pick<Config, "tlsCert" | "tlsKey">): Promise<TlsFiles | null> {
  if (tlsCert === null && tlsKey === null) return null;
  if (tlsCert === null) throw new StartError("TLS_KEY is set and TLS_CERT is not: https needs both.");
  if (tlsKey === null) throw new StartError("TLS_CERT is set and TLS_KEY is not: https needs both.");
  const files = { cert: await readPem("TLS_CERT", tlsCert), key: await readPem("TLS_KEY", tlsKey) };
  try {
    createSecureContext(files);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH"
        ? "TLS_KEY is not the key of the certificate in TLS_CERT: set the two that belong together."
        : `TLS_CERT and TLS_KEY can't be used (${code}): they must be PEM files of a certificate and of its key without a password.`,
      { cause: error },
    );
  }
  return files;
}

async function readPem(name: string, path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The file of ${name} can't be read (${error.code}).`, { cause: error });
  });
  if (!bytes.includes("-----BEGIN ")) throw new StartError(`The file of ${name} is no PEM file.`);
  return bytes;
}

/** The warning where keys would cross a network unencrypted; null where they don't, or a proxy is configured. */
export function exposureWarning({
  host,
  tlsCert,
  trustedProxies,
}: Pick<Config, "host" | "tlsCert" | "trustedProxies">): string | null {
  const address = parseAddress(host);
  const isLocal = address === null ? host.toLowerCase() === "localhost" : isWithin(address, loopback);
  if (isLocal || tlsCert !== null || trustedProxies.length > 0) return null;
  return `HOST ${host} serves other machines without TLS: API keys cross the network in the clear. Set TLS_CERT and TLS_KEY, or put a proxy with TLS before it and its address into TRUSTED_PROXIES.`;
}
