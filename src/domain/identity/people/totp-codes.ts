import { generateURI, verifySync } from "otplib";
import type { Instant } from "../../../kernel/clock.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { PersonId } from "./person.ts";

/** 160 bits, as RFC 4226 has it. */
export const seedBytes = 20;
/** A code before and one after the present one are taken: clocks of phones are off by some seconds. */
const toleranceSeconds = 30;

/** What a person's seed is sealed under. */
export function totpIdentity(id: PersonId): string {
  return `people/${id}`;
}

/** The step of time that a code is right for, counted from 1970 in 30 seconds; null where it is wrong. */
export function stepOfCode(
  code: string,
  { secret, now }: { readonly secret: string; readonly now: Instant },
): number | null {
  const token = code.replaceAll(/[\s-]/g, "");
  if (!/^[0-9]{6}$/.test(token)) return null;
  const epoch = Math.floor(now / 1_000);
  const result = verifySync({ secret, token, epoch, epochTolerance: toleranceSeconds, strategy: "totp" });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** The same for a sealed seed. */
export function stepOfSealed(
  code: string,
  {
    box,
    person,
    now,
  }: {
    readonly box: SecretBox;
    readonly person: { readonly id: PersonId; readonly totpSeed: string };
    readonly now: Instant;
  },
): number | null {
  return stepOfCode(code, { secret: box.open(person.totpSeed, totpIdentity(person.id)), now });
}

/** What an authenticator app reads from a QR code. A colon ends the issuer, so that none may be in it. */
export function totpUri(about: { readonly issuer: string; readonly email: string; readonly secret: string }): string {
  const issuer =
    about.issuer
      .split(/[:\s]+/)
      .filter(Boolean)
      .join(" ") || "Account";
  return generateURI({ issuer, label: about.email, secret: about.secret });
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes in base32 without padding, as authenticator apps are given them. */
export function base32Of(bytes: Uint8Array): string {
  let text = "";
  let stored = 0;
  let bits = 0;
  for (const byte of bytes) {
    stored = (stored << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32[(stored >> bits) & 31];
    }
    stored &= (1 << bits) - 1;
  }
  return bits > 0 ? text + base32[(stored << (5 - bits)) & 31] : text;
}
