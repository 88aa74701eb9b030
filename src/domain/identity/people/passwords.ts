import { type Refusal, refuse, refuseField } from "../../../kernel/problems.ts";
import { type HashingPlace, type PasswordHash, TooBusy } from "../../../platform/password-hash.ts";
import { commonPasswords } from "./common-passwords.ts";

/** Checks and hashes passwords. */
export interface Passwords {
  /** @throws Refusal VALIDATION_ERROR for one that is too short, too long, common, or like the person's address or name */
  check(password: string, person: { readonly email: string; readonly name: string }): void;
  /** @throws Refusal MAINTENANCE where too many are being hashed */
  hash(password: string, place?: HashingPlace): Promise<string>;
  /** Takes as long where there is nothing to compare with. @throws Refusal MAINTENANCE, the same */
  isRight(hashed: string | null, password: string, place?: HashingPlace): Promise<boolean>;
}

/** In characters as people count them. */
export const passwordLengths = { min: 12, max: 200 } as const;
const distinctMin = 5;

/** Opens it with the operator's own list of passwords that are refused, one a line, besides the well-known ones. */
export function openPasswords(hashing: PasswordHash, { ownList }: { readonly ownList: readonly string[] }): Passwords {
  const refused = new Set([...commonPasswords, ...ownList.map((line) => line.trim().toLowerCase())]);
  let nobodys: Promise<string> | null = null;

  return {
    check(password, person) {
      const sentence = complaintAbout(password, { ...person, refused });
      if (sentence !== null) throw refuseField("VALIDATION_ERROR", "password", sentence);
    },
    hash: (password, place) => hashing.hash(password.normalize("NFC"), place).catch(refuseWhenBusy),
    async isRight(hashed, password, place) {
      // No longer text is hashed: nobody's password is that long.
      const text = [...password.normalize("NFC")].slice(0, passwordLengths.max + 1).join("");
      try {
        // The hash of a text that nobody can type: it is compared with at the same cost, and nothing equals it.
        nobodys ??= hashing.hash("\u0000").catch((error: unknown) => {
          nobodys = null;
          throw error;
        });
        const other = await nobodys;
        const isEqual = await hashing.verify(hashed ?? other, text, place);
        return hashed !== null && isEqual;
      } catch (error) {
        return refuseWhenBusy(error);
      }
    },
  };
}

function refuseWhenBusy(error: unknown): never {
  if (!(error instanceof TooBusy)) throw error;
  throw busy(error);
}

function busy(cause: TooBusy): Refusal {
  return refuse("MAINTENANCE", {
    message: "Too many people are logging in just now. Try again in some seconds.",
    retryAfterSeconds: 5,
    cause,
  });
}

function complaintAbout(
  password: string,
  { email, name, refused }: { readonly email: string; readonly name: string; readonly refused: ReadonlySet<string> },
): string | null {
  const { min, max } = passwordLengths;
  const text = password.normalize("NFC");
  const length = [...text].length;
  if (length < min) return `Use at least ${min} characters, such as three or four words that don’t belong together.`;
  if (length > max) return `Use at most ${max} characters.`;
  if (/\p{Cc}/u.test(text)) return "Use letters, digits, signs and spaces only.";
  const lower = text.toLowerCase();
  if (new Set(lower).size < distinctMin) return "The same few characters repeat. Use more different ones.";
  if (isLike(lower, [email, email.split("@")[0] ?? "", name, name.replaceAll(" ", "")])) {
    return "Too much like your name or email. Use something nobody can guess.";
  }
  return isCommon(lower, refused) ? "Many people use this password. Use something nobody can guess." : null;
}

/** Whether nothing is left of it that is worth anything once what everybody knows is taken away. */
function isLike(password: string, known: readonly string[]): boolean {
  const leftMin = 6;
  return known
    .map((text) => text.toLowerCase())
    .some((text) => text.length >= 3 && password.includes(text) && password.replaceAll(text, "").length < leftMin);
}

function isCommon(password: string, refused: ReadonlySet<string>): boolean {
  if (refused.has(password) || /^\P{L}*$/u.test(password)) return true;
  const word = wordWithin(password);
  if (word === "" || refused.has(word)) return true;
  return isRepeated(word) || isInTwoHalves(word, refused);
}

const signsForLetters: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

/** `P@ssw0rd1234!` → `password`. */
function wordWithin(password: string): string {
  return password
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
    .replace(/[013457@$]/g, (sign) => signsForLetters[sign] ?? sign)
    .replace(/[^\p{L}]/gu, "");
}

/** `abcabcabc`, which is `abc`. */
function isRepeated(word: string): boolean {
  return /^(.{1,8})\1+$/u.test(word);
}

/** `passworddragon` of two words that are both well-known is as easily tried. */
function isInTwoHalves(word: string, refused: ReadonlySet<string>): boolean {
  return Array.from({ length: Math.max(0, word.length - 1) }, (_, index) => index + 1).some(
    (at) => refused.has(word.slice(0, at)) && refused.has(word.slice(at)),
  );
}
