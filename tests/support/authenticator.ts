import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a passkey's authenticator and its browser do, in software: ES256, no attestation, its owner verified. */
export interface Authenticator {
  /** What `startRegistration` gives for a challenge. */
  register(challenge: string): Record<string, unknown>;
  /** What `startAuthentication` gives for a challenge. Counts up, unless told what to count. */
  logIn(challenge: string, counter?: number): Record<string, unknown>;
  readonly id: string;
}

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

export function openAuthenticator({
  origin,
  isVerifying = true,
}: {
  readonly origin: string;
  readonly isVerifying?: boolean;
}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const rawId = randomBytes(16);
  const id = rawId.toString("base64url");
  const flags = userPresent | (isVerifying ? userVerified : 0);
  const rpIdHash = sha256(Buffer.from(new URL(origin).hostname));
  let counted = 0;

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (flag: number, counter: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([rpIdHash, Buffer.from([flag]), count]);
  };

  return {
    id,
    register(challenge) {
      const coseKey = map([
        [int(1), int(2)],
        [int(3), int(-7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, "base64url"))],
        [int(-3), bytes(Buffer.from(y, "base64url"))],
      ]);
      const length = Buffer.from([0, rawId.length]);
      const data = Buffer.concat([authData(flags | hasCredential, 0), Buffer.alloc(16), length, rawId, coseKey]);
      const attestationObject = map([
        [text("fmt"), text("none")],
        [text("attStmt"), map([])],
        [text("authData"), bytes(data)],
      ]);
      const clientDataJSON = clientData("webauthn.create", challenge).toString("base64url");
      const response = {
        clientDataJSON,
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      };
      return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
    },
    logIn(challenge, counter) {
      counted = counter ?? counted + 1;
      const client = clientData("webauthn.get", challenge);
      const data = authData(flags, counted);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      };
      return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
    },
  };
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

// As much of CBOR as it takes.

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function int(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, value.length), Buffer.from(value)]);
}

function map(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}
