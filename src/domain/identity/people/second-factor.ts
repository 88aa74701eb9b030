import type { Tx } from "../../../platform/database/database.ts";
import { backupCodeUsed, codesLocked } from "../emails/email-texts.ts";
import { countBackupCodes, updateBackupCodeUsed } from "./backup-code-queries.ts";
import { hashBackupCode } from "./backup-codes.ts";
import { plainPerson } from "./log-in.ts";
import { findPerson, type StoredPerson, updateTotpStep } from "./person-queries.ts";
import { type Attempt, aboutPerson, enter, type PeopleServices, sendNotice } from "./send-notice.ts";
import { type Origin, replaceSession, type Session } from "./sessions.ts";
import { attempt, codeThrottles, countOne, dailyThrottle, isKnownSource, rememberSource } from "./throttle.ts";
import { stepOfSealed } from "./totp-codes.ts";

/** What is typed as a second factor. */
export type TypedFactor = { readonly code: string } | { readonly backupCode: string };

/** Where an attempt comes from. */
export interface From {
  /** See `sourceOf`. */
  readonly source: string;
  readonly origin: Origin;
}

/**
 * Takes the second factor of a person who is logged in, and gives the browser a new token; the one before has ended. A code
 * is taken once, and none of a step before. Five wrong ones within an hour from one source, or twenty from all that nobody
 * logged in from, have to wait, and an email tells of it.
 */
export async function giveSecondFactor(
  services: PeopleServices,
  session: Session,
  typed: TypedFactor,
  { source, origin }: From,
): Promise<Attempt> {
  const { person } = session;
  const isKnown = await isKnownSource(services, person, source);
  const tried = { act: "code", source, throttles: codeThrottles(person.id, source, isKnown), isKnown };
  const given = await attempt(services, tried, () =>
    services.database.transaction(async (tx): Promise<Attempt> => {
      const present = await findPerson(tx, person.id);
      if (present === null || !(await takeFactor(tx, services, present, typed))) return { kind: "wrong" };
      const token = await replaceSession(tx, services, session, { level: "second_factor", ...origin });
      if (token === null) return { kind: "wrong" };
      if ("backupCode" in typed) await noticeBackupCode(tx, services, present);
      return { kind: "in", token, needs: null, person: plainPerson(present) };
    }),
  );
  if (given.kind === "in") await rememberSource(services, person, source);
  if (given.kind === "wrong") services.security.note({ kind: "code_failed", source, about: aboutPerson(person) });
  if (given.kind === "locked") await noticeLock(services, person);
  return given;
}

/** A typed code means that the password is known: the person gets an email, once a day. */
async function noticeLock(services: PeopleServices, person: Session["person"]): Promise<void> {
  await services.database.transaction(async (tx) => {
    if ((await countOne(tx, services.clock, dailyThrottle("codes locked", person.id))) === null) return;
    await sendNotice(tx, services, person, codesLocked);
    await enter(tx, { person, command: "console codes lock" });
  });
}

/** Whether a code is right and was taken by nobody before: it is from now on, with the transaction. */
async function takeFactor(
  tx: Tx,
  { secretBox, clock }: PeopleServices,
  person: StoredPerson,
  typed: TypedFactor,
): Promise<boolean> {
  const { id, totpSeed: seed } = person;
  if (!person.hasTotp || seed === null) return false;
  if ("backupCode" in typed) {
    const hash = hashBackupCode(typed.backupCode);
    return hash !== null && updateBackupCodeUsed(tx, id, hash, clock.now());
  }
  const step = stepOfSealed(typed.code, { box: secretBox, person: { id, totpSeed: seed }, now: clock.now() });
  return step !== null && updateTotpStep(tx, id, { seed, step });
}

async function noticeBackupCode(tx: Tx, services: PeopleServices, person: StoredPerson): Promise<void> {
  const left = await countBackupCodes(tx, person.id);
  await sendNotice(tx, services, person, (frame) => backupCodeUsed(frame, { left }));
  await enter(tx, { person, command: "console backup-code use", details: { left } });
}
