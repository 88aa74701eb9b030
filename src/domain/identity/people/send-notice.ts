import type { Tx } from "../../../platform/database/database.ts";
import { auditDetails } from "../../audit/audit-log.ts";
import { insertEntry } from "../../audit/audit-queries.ts";
import type { Frame } from "../letters/letter-texts.ts";
import { type LetterText, writeLetter } from "../letters/letters.ts";
import type { PeopleServices } from "./people-services.ts";
import { auditName, type Person } from "./person.ts";

/** What a change of somebody's access leaves behind. */
interface AccessChange {
  readonly person: Pick<Person, "realm" | "email" | "name">;
  /** As the audit log has it: `console totp on`. */
  readonly command: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The name of the one who did it, where it was not the person. */
  readonly by?: string;
}

/** A person in the log: without an address. */
export function aboutPerson(person: Pick<Person, "id"> | null): string {
  return person === null ? "no account" : `person ${person.id}`;
}

/** Does nothing without an address: see `writeLetter`. */
export const nobody = { email: null, name: "" };

/** Writes a letter to a person, in the transaction of what it tells. */
export async function sendNotice(
  tx: Tx,
  services: Pick<PeopleServices, "clock" | "secretBox" | "company">,
  { email, name }: Pick<Person, "email" | "name"> | typeof nobody,
  text: (frame: Frame) => LetterText,
): Promise<void> {
  await writeLetter(tx, services, { to: email, ...text({ name, company: await services.company() }) });
}

/** Enters a change in the audit log: the last thing that its transaction does. */
export async function enter(tx: Tx, { person, command, details = {}, by }: AccessChange): Promise<void> {
  await insertEntry(tx, { who: by ?? auditName(person), command, details: auditDetails(details) });
}
