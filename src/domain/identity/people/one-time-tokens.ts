import type { Clock } from "../../../kernel/clock.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import type { PersonId } from "./person.ts";
import { hashToken, longestMs, mintToken, type Session, type SessionServices, sessionName } from "./sessions.ts";
import { deleteToken, findToken, insertToken, type TokenPurpose, type UsedToken } from "./token-queries.ts";

const hourMs = 3_600_000;

/** How long each is good. */
const lifeMs: Readonly<Record<TokenPurpose, number>> = {
  verify_email: 24 * hourMs,
  change_email: 24 * hourMs,
  reset_password: hourMs,
  log_in: hourMs,
  passkey: hourMs / 12,
  form: 24 * hourMs,
  bought: longestMs,
  first_operator: hourMs,
  staff_invitation: 7 * 24 * hourMs,
};

/** Makes a token that is good once, for one purpose. @returns its text, which is nowhere else */
export async function mintOneTimeToken(
  db: Queryable,
  { clock, randomness }: Pick<SessionServices, "clock" | "randomness">,
  token: { readonly purpose: TokenPurpose; readonly personId: PersonId | null; readonly payload?: string },
): Promise<string> {
  const text = mintToken({ randomness });
  const { purpose, personId, payload = null } = token;
  const now = clock.now();
  await insertToken(db, { hash: hashToken(text), purpose, personId, payload, now, endsAt: now + lifeMs[purpose] });
  return text;
}

/**
 * Uses a token up: with the transaction, or where it is undone not at all. Null where it was used, has ended or never was,
 * also where two come at once.
 */
export async function takeOneTimeToken(
  db: Queryable,
  { clock }: { readonly clock: Clock },
  purpose: TokenPurpose,
  text: string,
): Promise<UsedToken | null> {
  return isTokenLike(text) ? deleteToken(db, { hash: hashToken(text), purpose, now: clock.now() }) : null;
}

/** The same, of a link that asks for a session of the person whom it was sent for. Another person leaves it good. */
export async function takeOwnToken(
  tx: Tx,
  services: { readonly clock: Clock },
  purpose: "verify_email" | "change_email",
  { token, session }: OwnToken,
): Promise<
  { readonly kind: "taken"; readonly payload: string | null } | { readonly kind: "refused" | "other_account" }
> {
  const found = await findToken(tx, { hash: hashToken(token), purpose, now: services.clock.now() });
  if (found !== null && found.personId !== session.person.id) return { kind: "other_account" };
  const taken = await takeOneTimeToken(tx, services, purpose, token);
  return taken === null ? { kind: "refused" } : { kind: "taken", payload: taken.payload };
}

/** A link, and who follows it. */
export interface OwnToken {
  readonly token: string;
  readonly session: Session;
}

/** Whether a link would still do what it is for: for its page, before the button. */
export async function isLinkGood(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  purpose: Exclude<TokenPurpose, "passkey" | "form" | "bought">,
  text: string,
): Promise<boolean> {
  if (!isTokenLike(text)) return false;
  return (await findToken(database, { hash: hashToken(text), purpose, now: clock.now() })) !== null;
}

/**
 * Whether a form, which `mintToken` gave a token, is sent for the first time: true once, within the transaction that carries
 * it out. Where that is undone, the form can be sent again. Of two at once the second waits for the first.
 */
export async function useFormToken(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  { token, action }: { readonly token: string; readonly action: string },
): Promise<boolean> {
  if (!isTokenLike(token)) return false;
  const now = clock.now();
  const hash = hashToken(`form ${token} ${action}`);
  return insertToken(tx, { hash, purpose: "form", personId: null, payload: null, now, endsAt: now + lifeMs.form });
}

/** Remembers which session bought something by hand. Only for what it has just bought, and nobody had before. */
export async function noteBought(
  { database, clock }: Pick<SessionServices, "database" | "clock">,
  { hash, person }: Session,
  name: string,
): Promise<void> {
  const now = clock.now();
  const bought = {
    hash: boughtHash(name),
    purpose: "bought",
    personId: person.id,
    payload: sessionName(hash),
  } as const;
  await insertToken(database, { ...bought, now, endsAt: now + lifeMs.bought });
}

/** Whether this very session bought it, or the one whose place it took with a fresh factor. */
export async function isBoughtIn(
  { database, clock }: Pick<SessionServices, "database" | "clock">,
  { hash, person }: Session,
  name: string,
): Promise<boolean> {
  const bought = await findToken(database, { hash: boughtHash(name), purpose: "bought", now: clock.now() });
  return bought !== null && bought.personId === person.id && bought.payload === sessionName(hash);
}

function boughtHash(name: string): Buffer {
  return hashToken(`bought ${name}`);
}

function isTokenLike(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Pages that links in emails lead to, each with a button. */
export type LinkedPage =
  | "/verify-email"
  | "/change-email"
  | "/reset-password"
  | "/accept-invitation"
  | "/log-in/link"
  | "/operator/join"
  | "/operator/change-email"
  | "/operator/reset-password";

/** A link into the console. `publicUrl` is an origin: the one that the operator set, or this machine's own, never what a client claims. */
export function linkTo(publicUrl: string, page: LinkedPage, token: string): string {
  return `${publicUrl}${page}?token=${token}`;
}
