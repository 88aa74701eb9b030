import { createHash } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Queryable } from "../../platform/database/database.ts";
import {
  type Counted,
  deleteFailures,
  findFailureStart,
  insertFailure,
  updateFailuresLess,
} from "./failure-queries.ts";
import type { Locked } from "./people-services.ts";
import type { PersonId, Realm } from "./person.ts";

/** How many attempts may fail within an hour of the first. */
const windowMs = 3_600_000;

interface Throttle extends Counted {
  readonly max: number;
}

interface ThrottleServices {
  readonly database: Queryable;
  readonly clock: Clock;
}

/** Passwords of one account from one source: whoever else tries it from elsewhere doesn't lock out its owner. */
export function accountThrottle(account: { readonly realm: Realm; readonly email: string }, source: string): Throttle {
  return { subject: accountSubject(account), source, max: 10 };
}

/** What attempts at an account are counted under, whether or not it exists. */
export function accountSubject({ realm, email }: { readonly realm: Realm; readonly email: string }): Buffer {
  return hashed(`password ${realm} ${email}`);
}

/** Codes of one person, of whom the password is known already: from one source, and from all together. */
export function codeThrottles(person: PersonId, source: string): readonly Throttle[] {
  return [
    { subject: hashed(`code ${person}`), source, max: 5 },
    { subject: hashed(`code ${person}`), source: "all", max: 20 },
  ];
}

const sourceMax = {
  /** A mobile network hides thousands of people behind one address. */
  "log-in": 100,
  "sign-up": 10,
  reset: 10,
  passkey: 200,
} as const;

/** Whatever account is tried, and however many. */
export function sourceThrottle(act: keyof typeof sourceMax, source: string): Throttle {
  return { subject: hashed(`source ${act}`), source, max: sourceMax[act] };
}

/** Letters that strangers can have sent to an address. */
export function letterThrottle(email: string): Throttle {
  return { subject: hashed(`letter ${email}`), source: "all", max: 5 };
}

/** Invitations that one member sends. */
export function invitationThrottle(member: PersonId): Throttle {
  return { subject: hashed(`invitation ${member}`), source: "all", max: 30 };
}

/** Counts an attempt under each of them, before it is made. Null where it may be made. */
export async function countAttempt(
  { database, clock }: ThrottleServices,
  throttles: readonly Throttle[],
): Promise<Locked | null> {
  const now = clock.now();
  for (const throttle of throttles) {
    const isCounted = await insertFailure(database, throttle, { now, anewBefore: now - windowMs, max: throttle.max });
    if (isCounted) continue;
    const start = (await findFailureStart(database, throttle)) ?? now;
    return { kind: "locked", retryAfterSeconds: Math.max(1, Math.ceil((start + windowMs - now) / 1_000)) };
  }
  return null;
}

/** An attempt was right: the account's count is forgotten, the source's is one less. */
export async function forgetAttempt(
  database: Queryable,
  { account, source }: { readonly account: readonly Throttle[]; readonly source: readonly Throttle[] },
): Promise<void> {
  for (const throttle of account) await deleteFailures(database, throttle.subject, throttle.source);
  for (const throttle of source) await updateFailuresLess(database, throttle);
}

function hashed(subject: string): Buffer {
  return createHash("sha256").update(subject).digest();
}
