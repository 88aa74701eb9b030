import { refuse } from "../../../kernel/problems.ts";
import { operatorCommand } from "../../../platform/operator-call.ts";
import type { GateServices } from "../gate.ts";
import type { Visit } from "../visit.ts";

/** Where links in emails lead. @throws Refusal where the operator has set no address and this is none of the machine itself */
export function emailsFrom({ publicUrl }: Pick<GateServices, "publicUrl">, { place }: Pick<Visit, "place">): string {
  const origin = publicUrl ?? place.local;
  if (origin !== null) return origin;
  throw refuse("VALIDATION_ERROR", {
    message: "We can’t send emails from here yet. Contact the company that runs this service.",
  });
}

/** Where an email lies that a page tells of: without SMTP_URL none leaves this service. Begins with a space; empty where they leave. */
export function whereEmailsLie({ sendsEmails }: { readonly sendsEmails: boolean }): string {
  return sendsEmails
    ? ""
    : ` No mail server is set up yet: whoever runs this service finds the email with ${operatorCommand} emails, or under Emails in the company’s console.`;
}
