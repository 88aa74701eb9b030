import type { Instant } from "../../../kernel/clock.ts";
import { refuseField } from "../../../kernel/problems.ts";

declare const personIdBrand: unique symbol;
/** A person's number. */
export type PersonId = number & { readonly [personIdBrand]: true };

/** Which console a person belongs to: the merchants', or the operator's own. */
export type Realm = "merchant" | "staff";

/** A person who logs in. Nothing in it is secret. */
export interface Person {
  readonly id: PersonId;
  readonly realm: Realm;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** Null: no link that was sent to the address has been followed. */
  readonly emailVerifiedAt: Instant | null;
  readonly hasPassword: boolean;
  /** Whether codes of an authenticator app are asked for. */
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

const emailMax = 254;
// Of the characters that an address may have, those that mean nothing to whoever builds an email's header.
const emailShape = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9-]{1,63})*$/;

/** An e-mail address in the one spelling that is stored; null where it is none. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= emailMax && emailShape.test(email) ? email : null;
}

/** @throws Refusal VALIDATION_ERROR */
export function readEmail(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw refuseField("VALIDATION_ERROR", "email", "An email looks like ada@example.com.");
  return email;
}

/**
 * A name in one spelling: of a person or a business. Null where it is empty, too long, holds control characters, or an
 * address: names stand in emails to strangers, whose programs would make links of them.
 */
export function parseName(text: string, lengthMax: number): string | null {
  const name = text.normalize("NFC").trim().replace(/\s+/g, " ");
  if (name === "" || name.length > lengthMax) return null;
  return /[\p{C}<>]/u.test(name) || hasAddress(name) || hasSpacedAddress(name) ? null : name;
}

/** `pay.example`, `x@y`, `//host`, `192.0.2.1`, also in wide emails: whatever may be one, as new endings come each year. */
function hasAddress(name: string): boolean {
  const plain = name.normalize("NFKC").replace(dots, ".");
  return /\S@\S|:\/|\/\/|[\p{L}\p{M}\p{N}-]\.[\p{L}\p{M}]{2}|[\p{L}\p{N}-]\.\d+\.\d/u.test(plain);
}

/** What looks like a dot in some script, besides those that NFKC makes one of. */
const dots =
  /[\u00b7\u02d9\u0387\u05c5\u0660\u06d4\u06f0\u0701\u0702\u2022\u2027\u22c5\u2e31\u3002\u30fb\ua4f8\ua60e]/g;

/** What people shorten before a name: after these a dot between words is none of an address. */
const shortened =
  /^(?:.|\d+|dr|mr|mrs|ms|st|no|nos|co|ltd|inc|nig|ent|plc|sr|jr|prof|rev|engr|alh|barr|pst|bros|intl|int|vent|est|rd|ave|gen|col|capt|hon)$/iu;

/** `PAY. EXAMPLE`, `pay . example`: an address with blanks around its dots, which a reader takes for one. */
function hasSpacedAddress(name: string): boolean {
  const plain = name.normalize("NFKC").replace(dots, ".");
  return [...plain.matchAll(/([\p{L}\p{M}\p{N}-]+)(?: \.|\.) ?(?=[\p{L}\p{M}\p{N}])/gu)].some(
    ([, word = ""]) => !shortened.test(word),
  );
}

/** @throws Refusal VALIDATION_ERROR at the field */
export function readName(text: string, { field, lengthMax }: { field: string; lengthMax: number }): string {
  const name = parseName(text, lengthMax);
  if (name !== null) return name;
  const sentence = hasAddress(text)
    ? "Leave out web and email addresses, and put a space after a dot."
    : hasSpacedAddress(text)
      ? "Leave out the dot between the words: it reads like a web address."
      : `Enter a name of 1 to ${lengthMax} characters, without < and >.`;
  throw refuseField("VALIDATION_ERROR", field, sentence);
}

/** As the table bounds it. */
const personNameMax = 100;

/** @throws Refusal VALIDATION_ERROR */
export function readPersonName(text: string): string {
  return readName(text, { field: "name", lengthMax: personNameMax });
}

/** How a person stands in the audit log. */
export function auditName({ realm, email }: Pick<Person, "realm" | "email">): string {
  return `${realm === "staff" ? "staff" : "member"}:${email}`;
}
