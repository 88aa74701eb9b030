import { type Form, refused } from "./form.ts";

/** The field that says what was stored when a form's page was shown. */
const seenField = "seen";

/** Goes into a form that replaces what is stored. */
export function seen(stored: string): { readonly seen: string } {
  return { [seenField]: stored };
}

/**
 * Refuses a form whose page showed something else than what is stored now: what was typed is kept, beside what is true.
 * `words` say what is stored, where it doesn't say so itself. @throws Refusal VALIDATION_ERROR
 */
export function refuseStale(form: Form, stored: string, words = stored): void {
  if (!form.has(seenField) || form.raw(seenField) === stored) return;
  const now = words === "" ? "empty" : words;
  throw refused(`Someone else changed this meanwhile: it’s now ${now}. Check what you typed, then send it again.`);
}
