import type { Tx } from "../../platform/database/database.ts";
import { backupCodeUsed } from "../letters/letter-texts.ts";
import { countBackupCodes, updateBackupCodeUsed } from "./backup-code-queries.ts";
import { hashBackupCode } from "./backup-codes.ts";
import { plainPerson } from "./log-in.ts";
import type { Attempt, PeopleServices } from "./people-services.ts";
import { findPerson, type StoredPerson, updateTotpStep } from "./person-queries.ts";
import { type Origin, replaceSession, type Session } from "./sessions.ts";
import { enter, tellPerson } from "./tell.ts";
import { codeThrottles, countAttempt, forgetAttempt } from "./throttle.ts";
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
 * is taken once, and none of a step before. Five wrong ones within an hour from one source, or twenty in all, have to wait.
 */
export async function giveSecondFactor(
  services: PeopleServices,
  session: Session,
  typed: TypedFactor,
  { source, origin }: From,
): Promise<Attempt> {
  const throttles = codeThrottles(session.person.id, source);
  const locked = await countAttempt(services, throttles);
  if (locked !== null) return locked;
  const attempt = await services.database.transaction(async (tx): Promise<Attempt> => {
    const person = await findPerson(tx, session.person.id);
    if (person === null || !(await takeFactor(tx, services, person, typed))) return { kind: "wrong" };
    const token = await replaceSession(tx, services, session, { level: "second_factor", ...origin });
    if (token === null) return { kind: "wrong" };
    if ("backupCode" in typed) await tellOfBackupCode(tx, services, person);
    return { kind: "in", token, needs: null, person: plainPerson(person) };
  });
  if (attempt.kind === "in") await forgetAttempt(services.database, { account: throttles, source: [] });
  return attempt;
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

async function tellOfBackupCode(tx: Tx, services: PeopleServices, person: StoredPerson): Promise<void> {
  const left = await countBackupCodes(tx, person.id);
  await tellPerson(tx, services, person, (frame) => backupCodeUsed(frame, { left }));
  await enter(tx, { person, command: "console backup-code use", details: { left } });
}
