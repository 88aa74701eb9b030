import type { MerchantId } from "../../kernel/ids.ts";
import { type Database, type Tx, withLastStep } from "../../platform/database/database.ts";
import { auditDetails } from "../audit/audit-log.ts";
import { hasWritten, insertEntry } from "../audit/audit-queries.ts";
import type { Frame } from "../identity/letters/letter-texts.ts";
import type { LetterText } from "../identity/letters/letters.ts";
import type { PeopleServices } from "../identity/people/people-services.ts";
import { auditName, type Person, type PersonId } from "../identity/people/person.ts";
import { sendNotice } from "../identity/people/send-notice.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { listMembers, type Member } from "./queries.ts";

/** Writes a letter to every owner of a merchant, in the transaction of what it tells. */
export async function noticeOwners(
  tx: Tx,
  services: Pick<PeopleServices, "clock" | "secretBox" | "company">,
  merchantId: MerchantId,
  text: (frame: Frame) => LetterText,
): Promise<void> {
  for (const owner of ownersAmong(await listMembers(tx, merchantId))) await sendNotice(tx, services, owner, text);
}

export function ownersAmong(members: readonly Member[]): Member[] {
  return members.filter(({ role }) => role === "owner");
}

/** The member of a merchant with a number; undefined where there is none. */
export function memberAmong(members: readonly Member[], id: PersonId): Member | undefined {
  return members.find(({ personId }) => personId === id);
}

/**
 * The database for a change that a member makes by a function which knows nothing of members, such as `createKey`: each
 * transaction that changes something ends with a letter to the owners, where there is a text, and the audit log's entry.
 */
export function memberDatabase(
  services: Pick<PeopleServices, "clock" | "secretBox" | "company"> & { readonly database: Database },
  change: {
    readonly by: Person;
    readonly merchantId: MerchantId;
    /** As the audit log has it: `console key create`. */
    readonly command: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly letter?: (frame: Frame) => LetterText;
  },
): Database {
  const { by, merchantId, command, details = {}, letter } = change;
  return withLastStep(services.database, async (tx) => {
    if (!(await hasWritten(tx))) return;
    if (letter !== undefined) await noticeOwners(tx, services, merchantId, letter);
    const named = { merchant: formatMerchantId(merchantId), ...details };
    await insertEntry(tx, { who: auditName(by), command, details: auditDetails(named) });
  });
}
