import type { Company } from "../company/company.ts";
import type { EmailText } from "./emails.ts";

// The texts of all emails: the subject is the news, the first line what happened and when, the last one what to do if that
// is not right. A link stands on a line of its own and leads to a page with a button, as mail scanners open links.

/** The reader of an email, and its sender. */
export interface Frame {
  readonly name: string;
  readonly company: Company;
}

export function verifyAddress(frame: Frame, { link }: { readonly link: string }): EmailText {
  return emailText(frame, "Confirm your email", [
    "You signed up with this address. Log in and confirm that it’s yours:",
    link,
    "The link works once, for 24 hours. If you didn’t sign up, ignore this email: nobody can use your address without it.",
  ]);
}

/** Somebody signed up with the address of an account. */
export function hasAccount(frame: Frame, { link }: { readonly link: string }): EmailText {
  return emailText(frame, "You already have an account", [
    "Someone signed up with this address. You already have an account: log in, or choose a new password here:",
    link,
    "If it wasn’t you, ignore this email; nothing has changed.",
  ]);
}

export function resetPassword(frame: Frame, { link }: { readonly link: string }): EmailText {
  return emailText(frame, "Choose a new password", [
    "Someone asked to reset your password. If it was you, choose a new one:",
    link,
    "The link works once, for 1 hour. If you didn’t ask, ignore this email; your password stays the same.",
  ]);
}

export function passwordChanged(frame: Frame): EmailText {
  return emailText(frame, "Your password was changed", [
    "Your password was changed, and all your other browsers were logged out.",
    ifNotYou("choose a new password now (“Forgot your password?”), check your passkeys, and tell us"),
  ]);
}

export function changeAddress(frame: Frame, { link }: { readonly link: string }): EmailText {
  return emailText(frame, "Confirm your new email", [
    "You asked to log in with this address from now on. Log in and confirm it:",
    link,
    "The link works once, for 24 hours. If you didn’t ask, ignore this email.",
  ]);
}

export function addressChangeRequested(frame: Frame, { email }: { readonly email: string }): EmailText {
  return emailText(frame, "Your email is about to change", [
    `Someone asked to change the email of your account to ${email}. The change happens once that address is confirmed.`,
    ifNotYou("change your password now, and tell us"),
  ]);
}

export function addressChanged(frame: Frame, { email }: { readonly email: string }): EmailText {
  return emailText(frame, "Your email was changed", [
    `You now log in with ${email}. We won’t email this address again.`,
    ifNotYou("tell us now"),
  ]);
}

/** What a person logs in with besides a password. */
export type FactorKind = "an authenticator app" | "a passkey" | "new backup codes";

export function factorAdded(frame: Frame, { factor }: { readonly factor: FactorKind }): EmailText {
  const subject = factor === "new backup codes" ? "You have new backup codes" : `Your account now has ${factor}`;
  return emailText(frame, subject, [
    factor === "new backup codes"
      ? "New backup codes were made for your account. The old ones no longer work."
      : `You can now log in with ${factor}.`,
    ifNotYou("change your password now, remove it under Security, and tell us"),
  ]);
}

const removed: Readonly<Record<FactorKind, readonly [subject: string, text: string]>> = {
  "an authenticator app": ["Your authenticator app was removed", "An authenticator app was removed from your account."],
  "a passkey": ["A passkey was removed from your account", "A passkey was removed from your account."],
  "new backup codes": ["Your backup codes were removed", "The backup codes of your account were removed."],
};

export function factorRemoved(frame: Frame, { factor }: { readonly factor: FactorKind }): EmailText {
  const [subject, text] = removed[factor];
  return emailText(frame, subject, [text, ifNotYou("change your password now, and tell us")]);
}

export function backupCodeUsed(frame: Frame, { left }: { readonly left: number }): EmailText {
  return emailText(frame, "A backup code was used", [
    `Someone logged in with one of your backup codes. You have ${left} left.`,
    ifNotYou("change your password now, and tell us"),
  ]);
}

/** Somebody who had the password typed wrong codes until no more were taken. */
export function codesLocked(frame: Frame): EmailText {
  return emailText(frame, "Too many wrong login codes", [
    "Someone logged in with your password and typed wrong codes, so we’ve stopped taking codes from there for an hour.",
    "If it wasn’t you, change your password now: somebody else knows it.",
  ]);
}

export function newPlace(
  frame: Frame,
  about: { readonly at: string; readonly browser: string; readonly address: string; readonly choices: string },
): EmailText {
  return emailText(frame, "New login to your account", [
    `Someone logged in to your account on ${about.at}, from a device that we haven’t seen before: ${about.browser}, address ${about.address}.`,
    ifNotYou("change your password now, and log out your other devices under Security. Then tell us"),
    about.choices,
  ]);
}

export function invited(
  frame: Frame,
  about: { readonly merchant: string; readonly invitedBy: string; readonly role: string; readonly link: string },
): EmailText {
  return emailText(frame, `Join ${about.merchant}`, [
    `${about.invitedBy} invites you to join ${about.merchant} as ${about.role}. Accept here:`,
    about.link,
    "The link works once, for 7 days. If you don’t know them, ignore this email.",
  ]);
}

export function memberJoined(
  frame: Frame,
  { merchant, email, role }: { readonly merchant: string; readonly email: string; readonly role: string },
): EmailText {
  return emailText(frame, `${email} joined ${merchant}`, [
    `${email} accepted the invitation to ${merchant}, as ${role}.`,
    ifNotYou("remove them under Team"),
  ]);
}

export function roleChanged(
  frame: Frame,
  { merchant, email, role }: { readonly merchant: string; readonly email: string; readonly role: string },
): EmailText {
  return emailText(frame, `A role at ${merchant} was changed`, [
    `${email} is now ${role} at ${merchant}.`,
    `If that isn’t right, ask an owner of ${merchant}.`,
  ]);
}

export function memberRemoved(
  frame: Frame,
  { merchant, email }: { readonly merchant: string; readonly email: string },
): EmailText {
  return emailText(frame, `${email} was removed from ${merchant}`, [
    `${email} was removed from the team of ${merchant}.`,
    `If that isn’t right, ask an owner of ${merchant}.`,
  ]);
}

export function twoStepDemanded(
  frame: Frame,
  { merchant, by }: { readonly merchant: string; readonly by: string },
): EmailText {
  return emailText(frame, `${merchant} now needs two-step login`, [
    `${by} turned on two-step login for everyone at ${merchant}. If you haven’t set it up, we’ll ask you to when you next open the console: you need an authenticator app on your phone, or a passkey.`,
    `If that isn’t right, ask an owner of ${merchant}.`,
  ]);
}

export function twoStepOptional(
  frame: Frame,
  { merchant, by }: { readonly merchant: string; readonly by: string },
): EmailText {
  return emailText(frame, `${merchant} no longer needs two-step login`, [
    `${by} turned off the rule that everyone at ${merchant} uses two-step login. Yours stays as it is.`,
    `If that isn’t right, ask an owner of ${merchant}.`,
  ]);
}

export function keyChanged(
  frame: Frame,
  about: { readonly merchant: string; readonly what: string; readonly by: string },
): EmailText {
  return emailText(frame, `An API key of ${about.merchant} was changed`, [
    `${about.by} ${about.what} at ${about.merchant}.`,
    ifNotYou("revoke the key under API keys, and remove that person under Team"),
  ]);
}

export function addressesChanged(
  frame: Frame,
  about: { readonly merchant: string; readonly addresses: string; readonly by: string },
): EmailText {
  return emailText(frame, `Allowed addresses of ${about.merchant} were changed`, [
    `${about.by} set the addresses that requests of ${about.merchant} may come from: ${about.addresses}.`,
    ifNotYou("set them again under API keys, and remove that person under Team"),
  ]);
}

export function liveAccessGranted(
  frame: Frame,
  { merchant, link }: { readonly merchant: string; readonly link: string },
): EmailText {
  return emailText(frame, `${merchant} can sell live`, [
    `${merchant} can sell live. Add money and create a live key to start:`,
    link,
  ]);
}

export function liveAccessRefused(
  frame: Frame,
  { merchant, reason }: { readonly merchant: string; readonly reason: string },
): EmailText {
  return emailText(frame, `${merchant} can’t sell live yet`, [
    `We looked at the business details of ${merchant} and can’t open live selling yet. The reason: “${reason}”.`,
    "Correct the details under Business and ask again. The sandbox stays open.",
  ]);
}

export function suspended(
  frame: Frame,
  { merchant, reason }: { readonly merchant: string; readonly reason: string },
): EmailText {
  return emailText(frame, `${merchant} is suspended`, [
    `We suspended ${merchant}. The reason: “${reason}”.`,
    "Its keys are refused and nothing can be sold. Its money stays, and you can still read everything.",
    "If that isn’t right, tell us.",
  ]);
}

export function resumed(
  frame: Frame,
  { merchant, reason }: { readonly merchant: string; readonly reason: string },
): EmailText {
  return emailText(frame, `${merchant} can sell again`, [
    `${merchant} is no longer suspended. The reason: “${reason}”.`,
    "Its keys work again. If something doesn’t, tell us.",
  ]);
}

/** To the company that runs the service. */
export function liveAccessRequested(
  frame: Frame,
  about: { readonly merchant: string; readonly id: string; readonly by: string; readonly publicUrl: string | null },
): EmailText {
  return emailText(frame, `${about.merchant} asks for live access`, [
    `${about.merchant} (${about.id}) asks for live access. ${about.by} sent the business details. Decide here:`,
    `${about.publicUrl ?? ""}/operator/merchants/${about.id}#access`,
  ]);
}

/** To the company that runs the service, where SIGN_UP=confirm. */
export function signUpWaits(
  frame: Frame,
  about: { readonly merchant: string; readonly id: string; readonly email: string; readonly publicUrl: string | null },
): EmailText {
  const { merchant, id, email, publicUrl } = about;
  return emailText(frame, `${merchant} signed up and waits for you`, [
    `${email} signed up for ${merchant} (${id}). They can look around, but not sell or change anything until you let them in:`,
    `${publicUrl ?? ""}/operator/merchants/${id}/change#status`,
  ]);
}

function ifNotYou(act: string): string {
  return `If that wasn’t you, or isn’t right, ${act}.`;
}

/** An email: what is said, paragraph by paragraph, between the greeting and the company's name. */
export function emailText({ name, company }: Frame, subject: string, paragraphs: readonly string[]): EmailText {
  const contacts = [company.supportEmail, company.supportPhone].filter((contact) => contact !== null);
  const signature = contacts.length === 0 ? company.name : `${company.name}\n${contacts.join(", ")}`;
  return { subject, text: `${[`Hello ${name},`, ...paragraphs, signature].join("\n\n")}\n` };
}
