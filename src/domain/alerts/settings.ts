import type { Clock } from "../../kernel/clock.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { type SecretBox, Unopenable } from "../../platform/sealing/secret-box.ts";
import { parseEmail } from "../identity/people/person.ts";
import { findSettings, insertSettings, type StoredSettings } from "./alert-queries.ts";

/** What the webhook's URL is sealed under. */
export const webhookIdentity = "alert_settings/1/webhook";

const emailsMax = 10;

/** Reads email addresses, one a line or between commas. @throws Refusal VALIDATION_ERROR */
export function readEmails(text: string): string[] {
  const typed = text.split(/[\s,;]+/).filter(Boolean);
  const emails = typed.map((each) => {
    const email = parseEmail(each);
    if (email !== null) return email;
    throw refuseField("VALIDATION_ERROR", "emails", `“${each.slice(0, 60)}” isn’t an email, such as ada@example.com.`);
  });
  if (emails.length <= emailsMax) return [...new Set(emails)];
  throw refuseField("VALIDATION_ERROR", "emails", `${emails.length} addresses. At most ${emailsMax}.`);
}

export interface AlertSettings {
  readonly emails: readonly string[];
  /** Null for none, and where its key is lost. */
  readonly webhook: string | null;
}

export async function readSettings(db: Queryable, secretBox: SecretBox): Promise<AlertSettings> {
  const { emails, webhook } = await findSettings(db);
  return { emails, webhook: webhook === null ? null : openOrNull(secretBox, webhook) };
}

function openOrNull(secretBox: SecretBox, sealed: string): string | null {
  try {
    return secretBox.open(sealed, webhookIdentity);
  } catch (error) {
    if (error instanceof Unopenable) return null;
    throw error;
  }
}

export function saveSettings(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  settings: StoredSettings,
): Promise<void> {
  return database.transaction((tx) => insertSettings(tx, settings, clock.now()));
}
