import type { WallTime } from "../../../kernel/clock.ts";
import type { Tx } from "../../../platform/database/database.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { SecurityEvents } from "../../../platform/telemetry/security-events.ts";
import { auditDetails } from "../../audit/audit-log.ts";
import { insertEntry } from "../../audit/audit-queries.ts";
import type { KnownCompany } from "../company/company.ts";
import type { Frame } from "../emails/email-texts.ts";
import { type EmailText, writeEmail } from "../emails/emails.ts";
import type { Passwords } from "./passwords.ts";
import { auditName, type Person } from "./person.ts";
import type { SessionServices } from "./sessions.ts";

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

/** Does nothing without an address: see `writeEmail`. */
export const nobody = { email: null, name: "" };

/** Writes an email to a person, in the transaction of what it tells. */
export async function sendNotice(
  tx: Tx,
  services: Pick<PeopleServices, "clock" | "secretBox" | "company">,
  { email, name }: Pick<Person, "email" | "name"> | typeof nobody,
  text: (frame: Frame) => EmailText,
): Promise<void> {
  await writeEmail(tx, services, { to: email, ...text({ name, company: await services.company(tx) }) });
}

/** Enters a change in the audit log: the last thing that its transaction does. */
export async function enter(tx: Tx, { person, command, details = {}, by }: AccessChange): Promise<void> {
  await insertEntry(tx, { who: by ?? auditName(person), command, details: auditDetails(details) });
}

/** How far people may sign up by themselves: everybody, everybody with the operator's consent before the first request, or nobody. */
export type SignUpPolicy = "open" | "confirm" | "closed";

/** What the functions about people and their memberships need. */
export interface PeopleServices extends SessionServices {
  readonly secretBox: SecretBox;
  readonly passwords: Passwords;
  /** The company as emails show it. */
  readonly company: KnownCompany;
  /** SIGN_UP, which says it until the company does in its console. */
  readonly signUp: SignUpPolicy;
  /** For the times in emails. */
  readonly wallTime: WallTime;
  /** Whether emails go to a mail server; else they stay in the database, to be passed on by hand. */
  readonly sendsEmails: boolean;
  /** Where links lead in emails that no request causes; null where nobody has said. */
  readonly publicUrl: string | null;
  /** Whether the operator demands two-step login of whoever changes live keys. */
  readonly liveKeysNeedTwoStep: boolean;
  readonly log: Logger;
  readonly security: Pick<SecurityEvents, "note">;
  /** What an attempt waits for that is wrong or refused: whoever tries again and again goes slowly, and keeps nobody waiting. */
  readonly delayRefusal: () => Promise<void>;
}

/** What came of an attempt to log in, or to prove oneself again. */
export type Attempt =
  | {
      readonly kind: "in";
      /** The cookie's new value; an older one of this browser has ended. */
      readonly token: string;
      readonly person: Person;
      /** What is still owed before anything may be done. */
      readonly needs: "second_factor" | null;
    }
  | { readonly kind: "wrong" }
  | Locked;

/** Too many attempts, from there. */
export interface Locked {
  readonly kind: "locked";
  readonly retryAfterSeconds: number;
}

/** A person who is logged in did not prove it within the last quarter of an hour. */
export interface Stale {
  readonly kind: "stale";
}
