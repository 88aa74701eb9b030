import type { Clock } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Database, Queryable, Tx } from "../../platform/database/database.ts";
import type { Frame } from "../identity/emails/email-texts.ts";
import type { EmailText } from "../identity/emails/emails.ts";
import { type PeopleServices, sendNotice } from "../identity/people/send-notice.ts";
import {
  type ChoiceScope,
  deleteOldSentNotices,
  type EmailReader,
  insertEmailChoices,
  insertSentNotice,
  listEmailChoices,
  listEmailReaders,
} from "./email-choice-queries.ts";
import { type EmailKind, emailKinds } from "./email-kinds.ts";
import type { Membership } from "./membership.ts";
import type { Role } from "./roles.ts";

const kinds = Object.keys(emailKinds) as EmailKind[];

function scopeOf(kind: EmailKind, merchantId: MerchantId): ChoiceScope {
  return kind === "new_place" ? 0 : merchantId;
}

/** The emails that a person may have in a business, each with whether it is sent to them. */
export async function emailChoicesOf(
  db: Queryable,
  { personId, merchantId, role }: Pick<Membership, "personId" | "merchantId" | "role">,
): Promise<readonly { readonly kind: EmailKind; readonly isOn: boolean }[]> {
  const chosen = await listEmailChoices(db, personId, merchantId);
  return kinds
    .filter((kind) => (emailKinds[kind].roles as readonly Role[]).includes(role))
    .map((kind) => ({ kind, isOn: chosen.find((each) => each.kind === kind)?.isOn ?? emailKinds[kind].isUsual }));
}

/** Saves which of those emails a person chose. Safe to repeat. */
export async function saveEmailChoices(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  member: Pick<Membership, "personId" | "merchantId" | "role">,
  chosen: ReadonlySet<string>,
): Promise<void> {
  const { personId, merchantId } = member;
  const choices = (await emailChoicesOf(database, member)).map(({ kind }) => ({
    kind,
    merchantId: scopeOf(kind, merchantId),
    isOn: chosen.has(kind),
  }));
  await insertEmailChoices(database, personId, choices, clock.now());
}

type EmailWriting = Pick<PeopleServices, "clock" | "secretBox" | "company">;

/** What a merchant's people are written about. */
interface EmailSubject {
  readonly merchantId: MerchantId;
  readonly kind: EmailKind;
}

/** Everybody at merchants who gets emails of a kind. */
export function listReaders(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  kind: EmailKind,
): Promise<EmailReader[]> {
  return listEmailReaders(db, merchantIds, { kind, ...emailKinds[kind] });
}

/** Writes to everybody at a merchant who gets emails of a kind, in the transaction of what it tells. @returns to how many */
export async function writeToReaders(
  tx: Tx,
  services: EmailWriting,
  about: EmailSubject,
  text: (frame: Frame) => EmailText,
): Promise<number> {
  const readers = await listReaders(tx, [about.merchantId], about.kind);
  for (const reader of readers) await sendNotice(tx, services, reader, text);
  return readers.length;
}

/**
 * The same about something that is told once, named by `subject`: of several processes one writes, and where that one dies
 * another does. @returns whether this call did
 */
export async function writeOnce(
  tx: Tx,
  services: EmailWriting,
  about: EmailSubject & { readonly subject: string },
  text: (frame: Frame) => EmailText,
): Promise<boolean> {
  const isFirst = await insertSentNotice(tx, { ...about, now: services.clock.now() });
  if (isFirst) await writeToReaders(tx, services, about, text);
  return isFirst;
}

const keptMs = 400 * 86_400_000;

/** Forgets what teams were written to about long ago. @returns how many */
export function purgeSentNotices(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteOldSentNotices(database, clock.now() - keptMs, limit);
}
