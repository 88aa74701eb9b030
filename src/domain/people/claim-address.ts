import type { Instant } from "../../kernel/clock.ts";
import type { Tx } from "../../platform/database/database.ts";
import { deleteBackupCodes } from "./backup-code-queries.ts";
import { deletePasskeysOf } from "./passkey-queries.ts";
import type { PersonId } from "./person.ts";
import { updatePersonClaimed } from "./person-queries.ts";
import { endSessionsOf } from "./sessions.ts";
import { deleteTokensOf } from "./token-queries.ts";

/**
 * Somebody proved a person's address, but not that the account is theirs. One that never confirmed the address may be a
 * stranger's, who signed up with it: its sessions, password, factors and links end, and the address is confirmed. One that
 * did stays as it is. Locks the person's row.
 */
export async function claimAddress(tx: Tx, id: PersonId, now: Instant): Promise<boolean> {
  if (!(await updatePersonClaimed(tx, id, now))) return false;
  await endSessionsOf(tx, id, null);
  await deletePasskeysOf(tx, id);
  await deleteBackupCodes(tx, id);
  await deleteTokensOf(tx, id);
  return true;
}
