import type { Tx } from "../../../platform/database/database.ts";
import { deleteBackupCodes, insertBackupCodes } from "./backup-code-queries.ts";
import type { PersonId } from "./person.ts";
import { hashToken, type SessionServices } from "./sessions.ts";
import { base32Of } from "./totp-codes.ts";

const codesAtOnce = 10;
/** 80 bits: no slower hash is needed. Sixteen characters. */
const codeBytes = 10;

/** Makes a person's backup codes, in place of those that were. @returns their texts, which are nowhere else */
export async function makeBackupCodes(
  tx: Tx,
  { randomness }: Pick<SessionServices, "randomness">,
  personId: PersonId,
): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, () => base32Of(randomness(codeBytes)).toLowerCase());
  await deleteBackupCodes(tx, personId);
  await insertBackupCodes(tx, personId, codes.map(hashToken));
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, "$1-"));
}

/** A typed code's hash; null where it can't be one. */
export function hashBackupCode(typed: string): Buffer | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, "");
  return /^[a-z2-7]{16}$/.test(code) ? hashToken(code) : null;
}
