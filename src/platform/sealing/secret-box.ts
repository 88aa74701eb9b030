import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { assert } from "../../kernel/assert.ts";
import { openRandomReserve } from "./random-reserve.ts";

/** Encrypts what the database may hold but must not tell. The keys come from outside of the database. */
export interface SecretBox {
  /**
   * Seals a text for one place: `identity` names the row (`webhook_endpoints/17`), and only there it opens again, so
   * that nobody who can write the database moves one merchant's secret to another.
   */
  seal(secret: string, identity: string): string;
  /** @throws Unopenable when the key is not one of ours, the place is another, or a bit was changed */
  open(sealed: string, identity: string): string;
  /** The keys that it holds, by what sealed texts call them; the first is the one to seal under, sooner or later. */
  readonly keyIds: readonly string[];
  /** The key that seals at present. */
  readonly sealingKeyId: string;
  /**
   * 32 bytes that follow from one of its keys (HKDF, SHA-256), for a purpose that needs no secret of its own to be kept:
   * without the key nobody finds them, and they tell nothing of it.
   */
  derive(keyId: string, from: { readonly purpose: string; readonly salt: Buffer }): Buffer;
  /** Seals under this key from now on. False when it is not held: then everything stays as it was. */
  sealUnder(keyId: string): boolean;
  /**
   * The same secret under the key that seals at present; null when it is there already. The secret itself is not opened:
   * only its data key changes its wrapping. @throws Unopenable
   */
  rewrap(sealed: string, identity: string): string | null;
}

/** A sealed text that does not open here. Its message says why, and never holds a secret. */
export class Unopenable extends Error {
  override readonly name = "Unopenable";
}

export const encryptionKeyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** A data key, encrypted. */
const wrappedBytes = nonceBytes + encryptionKeyBytes + tagBytes;
const sealedShape = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/**
 * Opens a box with key-encryption keys. The first one seals until told otherwise (`sealUnder`), and all of them open, so
 * that a new key can be put before an old one. Each text is encrypted under a data key of its own, and that one under the
 * key-encryption key (AES-256-GCM both times): so no key ever encrypts enough for its nonces to repeat. The sealed text
 * names its key: `v1.<key id>.<bytes>`.
 */
export function secretBox(keys: readonly Buffer[]): SecretBox {
  const [first] = keys;
  assert(first !== undefined, "a secret box has a key");
  assert(
    keys.every((key) => key.length === encryptionKeyBytes),
    "a key-encryption key has 32 bytes",
  );
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  let sealing = { id: keyIdOf(first), key: first };
  const random = openRandomReserve();

  /** The data key, and the secret as it was encrypted under it. */
  function unwrap(sealed: string, identity: string) {
    const [, keyId = "", text = ""] = sealedShape.exec(sealed) ?? [];
    const key = byId.get(keyId);
    if (key === undefined) throw new Unopenable(`sealed under key ${keyId || "unknown"}, which this service lacks`);
    const bytes = Buffer.from(text, "base64url");
    return {
      keyId,
      dataKey: decrypt(key, bytes.subarray(0, wrappedBytes), identity),
      body: bytes.subarray(wrappedBytes),
    };
  }

  function wrap(dataKey: Buffer, body: Buffer, identity: string): string {
    const bytes = Buffer.concat([encrypt(sealing.key, dataKey, { identity, nonce: random(nonceBytes) }), body]);
    return `v1.${sealing.id}.${bytes.toString("base64url")}`;
  }

  return {
    keyIds: [...byId.keys()],
    get sealingKeyId() {
      return sealing.id;
    },
    derive(keyId, { purpose, salt }) {
      const key = byId.get(keyId);
      assert(key !== undefined, "keys follow from a key that is held");
      return Buffer.from(hkdfSync("sha256", key, salt, purpose, encryptionKeyBytes));
    },
    seal(secret, identity) {
      const dataKey = random(encryptionKeyBytes);
      const body = encrypt(dataKey, Buffer.from(secret), { identity, nonce: random(nonceBytes) });
      return wrap(dataKey, body, identity);
    },
    open(sealed, identity) {
      const { dataKey, body } = unwrap(sealed, identity);
      return decrypt(dataKey, body, identity).toString();
    },
    sealUnder(keyId) {
      const key = byId.get(keyId);
      if (key !== undefined) sealing = { id: keyId, key };
      return key !== undefined;
    },
    rewrap(sealed, identity) {
      const { keyId, dataKey, body } = unwrap(sealed, identity);
      return keyId === sealing.id ? null : wrap(dataKey, body, identity);
    },
  };
}

/** The name of a key in sealed texts: it says which key it is and nothing about the key. */
export function keyIdOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

/** Nonce, ciphertext and tag. */
function encrypt(
  key: Buffer,
  plain: Buffer,
  { identity, nonce }: { readonly identity: string; readonly nonce: Buffer },
): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(identity));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, bytes: Buffer, identity: string): Buffer {
  if (bytes.length < nonceBytes + tagBytes) throw new Unopenable("cut short");
  const tagAt = bytes.length - tagBytes;
  // The length is said, because Node would also take a tag cut to four bytes.
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(identity))
    .setAuthTag(bytes.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, tagAt)), decipher.final()]);
  } catch {
    throw new Unopenable("changed, or sealed for another row");
  }
}
