import { emailText, type Frame } from "../identity/emails/email-texts.ts";
import type { EmailText } from "../identity/emails/emails.ts";
import type { StaffRole } from "./roles.ts";

export function staffInvited(frame: Frame, about: { readonly role: StaffRole; readonly link: string }): EmailText {
  return emailText(frame, `You’re invited to run ${frame.company.name}`, [
    `You’re invited to the company’s console as ${about.role}. Choose a password here:`,
    about.link,
    "The link works once, for 7 days. If you didn’t expect it, ignore this email.",
  ]);
}

export function staffRoleChanged(frame: Frame, { role }: { readonly role: StaffRole }): EmailText {
  return emailText(frame, `You’re now ${role}`, [
    `Your role in the company’s console is now ${role}. It holds from your next click.`,
    "If you didn’t expect it, ask your admin.",
  ]);
}

export function staffRemoved(frame: Frame): EmailText {
  return emailText(frame, "You were removed from the company’s console", [
    "You can’t log in to the company’s console any more, and you’re logged out everywhere.",
    "If you didn’t expect it, ask your admin.",
  ]);
}

export function staffFactorsReset(frame: Frame): EmailText {
  return emailText(frame, "Your two-step login was reset", [
    "Your authenticator app, backup codes and passkeys no longer work. Log in with your password and set up new ones.",
    "If you didn’t ask for it, change your password now and tell your admin.",
  ]);
}
