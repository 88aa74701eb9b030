import { createHash } from "node:crypto";
import type { Clock } from "../../../kernel/clock.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import type { HashingPlace } from "../../../platform/password-hash.ts";
import {
  type Counted,
  type Counting,
  deleteFailures,
  findFailureStart,
  findFullFailure,
  insertFailures,
  updateFailuresLess,
  wasSeenBefore,
} from "./failure-queries.ts";
import type { PersonId, Realm } from "./person.ts";
import type { Locked, PeopleServices } from "./send-notice.ts";

const hourMs = 3_600_000;

interface Throttle extends Counting {
  /** What becomes of the count once an attempt was right. */
  readonly whenRight: "forgotten" | "one less" | "kept";
}

/** An attempt, and what it is counted under. */
interface Tried {
  readonly act: string;
  /** See `sourceOf`; `person 12` for what a person asks for who is logged in. */
  readonly source: string;
  readonly throttles: readonly Throttle[];
}

type Account = { readonly realm: Realm; readonly email: string };
type ThrottleServices = Pick<PeopleServices, "database" | "clock" | "security" | "delayRefusal">;

/** What attempts at an account are counted under, whether or not it exists. */
export function accountSubject({ realm, email }: Account): Buffer {
  return hashed(`password ${realm} ${email}`);
}

/**
 * Passwords of one account: from one source, so that whoever else tries it from elsewhere doesn't lock out its owner, and
 * from all sources together that nobody logged in from.
 */
export function accountThrottles(account: Account, source: string, isKnown: boolean): readonly Throttle[] {
  return fromOneAndAll(accountSubject(account), source, { max: 10, isKnown });
}

/** Codes of one person, of whom the password is known already. */
export function codeThrottles(person: PersonId, source: string, isKnown: boolean): readonly Throttle[] {
  return fromOneAndAll(hashed(`code ${person}`), source, { max: 5, isKnown });
}

function fromOneAndAll(
  subject: Buffer,
  source: string,
  { max, isKnown }: { readonly max: number; readonly isKnown: boolean },
): readonly Throttle[] {
  const own: Throttle = { subject, source, max, windowMs: hourMs, whenRight: "forgotten" };
  const all: Throttle = { ...own, source: "all", max: 20, whenRight: "one less" };
  // The longer it goes on, the longer they wait: what an hour lets through, a day does not.
  const allDay: Throttle = { ...all, source: "all day", max: 60, windowMs: 24 * hourMs };
  return isKnown ? [own] : [own, all, allDay];
}

/** The password of a person who is logged in: nobody else counts against it. */
export function freshThrottle(person: PersonId, source: string): Throttle {
  return { subject: hashed(`fresh ${person}`), source, max: 10, windowMs: hourMs, whenRight: "forgotten" };
}

const sourceMax = {
  /** A mobile network hides thousands of people behind one address. */
  "log-in": 100,
  "sign-up": 10,
  reset: 10,
  passkey: 200,
  invitation: 30,
} as const;

/** Whatever account is tried, and however many. */
export function sourceThrottle(act: keyof typeof sourceMax, source: string): Throttle {
  const whenRight = act === "log-in" ? "one less" : "kept";
  return { subject: hashed(`source ${act}`), source, max: sourceMax[act], windowMs: hourMs, whenRight };
}

/** Emails to an address within an hour, whoever types it: of one source, and of all that nobody logged in to it from. */
export async function strangerThrottles(
  services: Pick<PeopleServices, "database">,
  account: Account,
  source: string,
): Promise<readonly Throttle[]> {
  const own: Throttle = {
    subject: hashed(`email strangers ${account.email}`),
    source,
    max: 5,
    windowMs: hourMs,
    whenRight: "kept",
  };
  return (await isKnownSource(services, account, source))
    ? [own]
    : [own, { ...own, source: "all", max: account.realm === "staff" ? 20 : 5 }];
}

const emailMax = {
  /** To a new address, by those who want to change theirs to it. */
  change: 5,
  /** By a person who is logged in, named by its number. */
  own: 5,
  /** Invitations to a merchant, named by its number. */
  invitation: 30,
} as const;

/** Emails that may be asked for in an hour, each kind by itself: strangers can't use up those of the owner. */
export function emailThrottle(kind: keyof typeof emailMax, whose: string | number): Throttle {
  const subject = hashed(`email ${kind} ${whose}`);
  return { subject, source: "all", max: emailMax[kind], windowMs: hourMs, whenRight: "kept" };
}

/** Identity numbers that a merchant's people may have a payment provider look at in an hour. */
export function identityThrottle(merchantId: number): Throttle {
  return { ...quietThrottle("identity", merchantId, hourMs), max: 5 };
}

/** Emails of a day about money that came. */
export function fundedThrottle(merchantId: number, max: number): Throttle {
  return { ...quietThrottle("funded", merchantId, 24 * hourMs), max };
}

/** An email that tells a person of something once a day. */
export function dailyThrottle(what: string, person: PersonId): Throttle {
  return quietThrottle(`daily ${what}`, person, 24 * hourMs);
}

/** An email about something that is told once in so long. */
export function quietThrottle(what: string, whose: number, windowMs: number): Throttle {
  return { subject: hashed(`${what} ${whose}`), source: "all", max: 1, windowMs, whenRight: "kept" };
}

/** Where somebody logged in to an account from, remembered for 90 days after the last time. */
function knownSource({ realm, email }: Account, source: string): Throttle {
  const subject = hashed(`known ${realm} ${email}`);
  return { subject, source, max: 1_000_000, windowMs: 90 * 24 * hourMs, whenRight: "kept" };
}

export async function isKnownSource(
  { database }: Pick<PeopleServices, "database">,
  account: Account,
  source: string,
): Promise<boolean> {
  return (await findFailureStart(database, knownSource(account, source))) !== null;
}

export async function rememberSource(
  { database, clock }: Pick<PeopleServices, "database" | "clock">,
  account: Account,
  source: string,
): Promise<void> {
  await countOne(database, clock, knownSource(account, source));
}

/** A browser that somebody logged in with, remembered for 400 days after the last time: by a cookie that lets nobody in. */
function knownDevice({ realm, email }: Account, device: string): Throttle {
  const source = createHash("sha256").update(device).digest("hex");
  return {
    subject: hashed(`device ${realm} ${email}`),
    source,
    max: 1_000_000,
    windowMs: 400 * 24 * hourMs,
    whenRight: "kept",
  };
}

/**
 * Remembers the browser of a log-in that `rememberSource` was called for. @returns true where the account was used before, but
 * never with it
 */
export async function rememberDevice(
  tx: Tx,
  clock: Clock,
  account: Account,
  { device, source }: { readonly device: string; readonly source: string },
): Promise<boolean> {
  const own = knownDevice(account, device);
  const isKnown = (await findFailureStart(tx, own)) !== null;
  const isUsed = isKnown || (await wasSeenBefore(tx, own, knownSource(account, source)));
  await countOne(tx, clock, own);
  return !isKnown && isUsed;
}

/** Counts an attempt under one of them. @returns how many there were with it; null where it may not be made */
export async function countOne(db: Queryable, clock: Clock, throttle: Throttle): Promise<number | null> {
  const [counted = null] = await insertFailures(db, [throttle], clock.now());
  return counted;
}

/** Counts an attempt under each of them, before it is made. Null where it may be made; else it counts under none. */
export async function countAttempt(services: ThrottleServices, tried: Tried): Promise<Locked | null> {
  const counted = await countAll(services, tried);
  return typeof counted === "number" ? null : counted;
}

/**
 * Makes an attempt, counted under each of them before it is made: of many that come at once no more pass. One that was right
 * counts no more, nor does one without a verdict, as hashing was too busy or the database away.
 */
export async function attempt<Verdict extends { readonly kind: string }>(
  services: ThrottleServices,
  { isKnown = false, ...tried }: Tried & { readonly isKnown?: boolean },
  make: (place: HashingPlace) => Promise<Verdict>,
): Promise<Verdict | Locked> {
  const counted = await countAll(services, tried);
  if (typeof counted !== "number") return counted;
  const { source, throttles } = tried;
  try {
    const verdict = await make({ source, rank: isKnown ? "known" : counted > 1 ? "failed" : "new" });
    if (verdict.kind === "wrong") await services.delayRefusal();
    else await forget(services.database, throttles);
    return verdict;
  } catch (error) {
    await uncount(services.database, throttles).catch(() => {});
    await services.delayRefusal();
    throw error;
  }
}

/** @returns how many this source has made with it, where it may be made */
async function countAll(services: ThrottleServices, { act, source, throttles }: Tried): Promise<Locked | number> {
  const { database, clock, security } = services;
  const now = clock.now();
  // Looked at first: what may not be made, as most of a flood may not, writes nothing.
  let endsAt = await findFullFailure(database, throttles, now);
  if (endsAt === null) {
    const counted = await insertFailures(database, throttles, now);
    if (!counted.includes(null)) {
      return Math.max(0, ...counted.map((count, at) => (throttles[at]?.source === source ? (count ?? 0) : 0)));
    }
    // Others came in the same moment.
    await uncount(
      database,
      throttles.filter((_, at) => counted[at] !== null),
    );
    endsAt = await findFullFailure(database, throttles, now);
  }
  security.note({ kind: "attempts_locked", source, about: act });
  await services.delayRefusal();
  return { kind: "locked", retryAfterSeconds: Math.max(1, Math.ceil(((endsAt ?? now) - now) / 1_000)) };
}

async function forget(database: Queryable, throttles: readonly Throttle[]): Promise<void> {
  for (const { subject, source, whenRight } of throttles) {
    if (whenRight === "forgotten") await deleteFailures(database, subject, source);
  }
  await uncount(
    database,
    throttles.filter(({ whenRight }) => whenRight === "one less"),
  );
}

async function uncount(database: Queryable, counts: readonly Counted[]): Promise<void> {
  if (counts.length > 0) await updateFailuresLess(database, counts);
}

function hashed(subject: string): Buffer {
  return createHash("sha256").update(subject).digest();
}
