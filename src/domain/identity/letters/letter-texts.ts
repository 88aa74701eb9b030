import type { Company } from "../company/company.ts";
import type { LetterText } from "./letters.ts";

// The texts of all letters. The reader may not have asked for it: each says so, and what to do then. A link
// stands on a line of its own and leads to a page with a button, as mail scanners open links.

/** The reader of a letter, and its sender. */
export interface Frame {
  readonly name: string;
  readonly company: Company;
}

export function verifyAddress(frame: Frame, { link }: { readonly link: string }): LetterText {
  return letter(frame, "Confirm your e-mail address", [
    "You signed up with this address. Log in and confirm that it’s yours:",
    link,
    "The link is good for a day. If you did not sign up, do nothing: nobody can use your address without it.",
  ]);
}

/** Somebody signed up with the address of an account. */
export function hasAccount(frame: Frame, { link }: { readonly link: string }): LetterText {
  return letter(frame, "You have an account already", [
    "Somebody, probably you, signed up with this address. You have an account already. Log in, or choose a new password:",
    link,
    "If it was not you, do nothing: nothing was changed.",
  ]);
}

export function resetPassword(frame: Frame, { link }: { readonly link: string }): LetterText {
  return letter(frame, "Choose a new password", [
    "Somebody, probably you, asked for a new password. Choose one here:",
    link,
    "The link is good for an hour, and once. If it was not you, do nothing: your password stays as it is.",
  ]);
}

export function passwordChanged(frame: Frame): LetterText {
  return letter(frame, "Your password was changed", [
    "Your password was changed, and every other browser was logged out.",
    ifNotYou("choose a new password at once (“Forgot your password?”), look at your passkeys, and tell us"),
  ]);
}

export function changeAddress(frame: Frame, { link }: { readonly link: string }): LetterText {
  return letter(frame, "Confirm your new e-mail address", [
    "You asked to log in with this address from now on. Log in and confirm it:",
    link,
    "The link is good for a day. If you did not ask, do nothing.",
  ]);
}

export function addressChangeRequested(frame: Frame, { email }: { readonly email: string }): LetterText {
  return letter(frame, "Your e-mail address is about to change", [
    `Somebody, probably you, asked to change the address of your account to ${email}. It changes once that address is confirmed.`,
    ifNotYou("change your password at once, and tell us"),
  ]);
}

export function addressChanged(frame: Frame, { email }: { readonly email: string }): LetterText {
  return letter(frame, "Your e-mail address was changed", [
    `You log in with ${email} from now on. This address gets no more letters of ours.`,
    ifNotYou("tell us at once"),
  ]);
}

/** What a person logs in with besides a password. */
export type FactorKind = "an authenticator app" | "a passkey" | "new backup codes";

export function factorAdded(frame: Frame, { factor }: { readonly factor: FactorKind }): LetterText {
  return letter(frame, "A way to log in was added", [
    `Your account has ${factor} now.`,
    ifNotYou("change your password at once, take it away again under Security, and tell us"),
  ]);
}

export function factorRemoved(frame: Frame, { factor }: { readonly factor: FactorKind }): LetterText {
  return letter(frame, "A way to log in was taken away", [
    `Your account does not have ${factor} any more.`,
    ifNotYou("change your password at once, and tell us"),
  ]);
}

export function backupCodeUsed(frame: Frame, { left }: { readonly left: number }): LetterText {
  return letter(frame, "A backup code was used", [
    `Somebody, probably you, logged in with one of your backup codes. ${left} are left.`,
    ifNotYou("change your password at once, and tell us"),
  ]);
}

/** Somebody who had the password typed wrong codes until no more were taken. */
export function codesLocked(frame: Frame): LetterText {
  return letter(frame, "Too many wrong login codes", [
    "Someone logged in with your password and typed wrong codes, so we’ve stopped taking codes from there for an hour.",
    "If it wasn’t you, change your password now: somebody else knows it.",
  ]);
}

export function invited(
  frame: Frame,
  about: { readonly merchant: string; readonly invitedBy: string; readonly role: string; readonly link: string },
): LetterText {
  return letter(frame, `You are invited to ${about.merchant}`, [
    `${about.invitedBy} invites you to the account of ${about.merchant}, as ${about.role}. Accept here:`,
    about.link,
    "The link is good for a week. If you don't know them, do nothing.",
  ]);
}

export function memberJoined(
  frame: Frame,
  { merchant, email, role }: { readonly merchant: string; readonly email: string; readonly role: string },
): LetterText {
  return letter(frame, `${email} joined ${merchant}`, [
    `${email} accepted the invitation to ${merchant}, as ${role}.`,
    ifNotYou("remove them under Members"),
  ]);
}

export function roleChanged(
  frame: Frame,
  { merchant, email, role }: { readonly merchant: string; readonly email: string; readonly role: string },
): LetterText {
  return letter(frame, `A role in ${merchant} was changed`, [
    `In the account of ${merchant}, ${email} is ${role} from now on.`,
    "If that is not right, talk to an owner of the account.",
  ]);
}

export function memberRemoved(
  frame: Frame,
  { merchant, email }: { readonly merchant: string; readonly email: string },
): LetterText {
  return letter(frame, `${email} does not belong to ${merchant} any more`, [
    `${email} was removed from the account of ${merchant}.`,
    "If that is not right, talk to an owner of the account.",
  ]);
}

export function keyChanged(
  frame: Frame,
  about: { readonly merchant: string; readonly what: string; readonly by: string },
): LetterText {
  return letter(frame, `An API key of ${about.merchant} was changed`, [
    `${about.by} ${about.what} in the account of ${about.merchant}.`,
    ifNotYou("revoke the key under Keys, and remove the member"),
  ]);
}

export function addressesChanged(
  frame: Frame,
  about: { readonly merchant: string; readonly addresses: string; readonly by: string },
): LetterText {
  return letter(frame, `Where ${about.merchant} may call from was changed`, [
    `${about.by} set the addresses that requests of ${about.merchant} may come from: ${about.addresses}.`,
    ifNotYou("set them again under Keys, and remove the member"),
  ]);
}

export function liveAccessGranted(
  frame: Frame,
  { merchant, link }: { readonly merchant: string; readonly link: string },
): LetterText {
  return letter(frame, `${merchant} has live access`, [
    `${merchant} can sell live from now on. Make a live key, and pay in first:`,
    link,
  ]);
}

/** To the company that runs the service. */
export function liveAccessRequested(
  frame: Frame,
  about: { readonly merchant: string; readonly id: string; readonly by: string },
): LetterText {
  return letter(frame, `${about.merchant} asks for live access`, [
    `${about.merchant} (${about.id}) asks for live access. ${about.by} sent the business details:`,
    `npm run operator -- live-access list`,
    `npm run operator -- approve-merchant ${about.id}`,
  ]);
}

/** To the company that runs the service, where SIGN_UP=confirm. */
export function signUpWaits(
  frame: Frame,
  { merchant, id, email }: { readonly merchant: string; readonly id: string; readonly email: string },
): LetterText {
  return letter(frame, `${merchant} signed up and waits`, [
    `${email} signed up for ${merchant} (${id}). It can look around, and do nothing until you let it in:`,
    `npm run operator -- resume-merchant ${id}`,
  ]);
}

function ifNotYou(act: string): string {
  return `If that was not you, or not right, ${act}.`;
}

/** A letter of these paragraphs, signed by the company. */
export function letter({ name, company }: Frame, subject: string, paragraphs: readonly string[]): LetterText {
  const contacts = [company.supportEmail, company.supportPhone].filter((contact) => contact !== null);
  const signature = contacts.length === 0 ? company.name : `${company.name}\n${contacts.join(", ")}`;
  return { subject, text: `${[`Hello ${name},`, ...paragraphs, signature].join("\n\n")}\n` };
}
