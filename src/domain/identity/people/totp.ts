import type { Tx } from "../../../platform/database/database.ts";
import { factorAdded, factorRemoved } from "../emails/email-texts.ts";
import { deleteBackupCodes } from "./backup-code-queries.ts";
import { makeBackupCodes } from "./backup-codes.ts";
import type { Person } from "./person.ts";
import {
  findPerson,
  findPersonForUpdate,
  updateTotpConfirmed,
  updateTotpOff,
  updateTotpSeed,
} from "./person-queries.ts";
import { enter, type PeopleServices, type Stale, sendNotice } from "./send-notice.ts";
import { endSessionsOf, isFresh, type Session } from "./sessions.ts";
import { base32Of, seedBytes, stepOfCode, totpIdentity, totpUri } from "./totp-codes.ts";

const app = "an authenticator app";

/** What an authenticator app is set up with. */
export interface SetUp {
  /** For those who type it. */
  readonly secret: string;
  /** For a QR code. */
  readonly uri: string;
}

type Begun =
  | ({ readonly kind: "begun" } & SetUp)
  | { readonly kind: "in_use" }
  /** A sign-up with somebody else's address must not leave a way in that outlives its owner's new password. */
  | { readonly kind: "unverified" }
  | Stale;

/** Makes a seed that waits for its first code; a seed that waited before is worth nothing. */
export async function beginTotp(services: PeopleServices, { person, factorAt }: Session): Promise<Begun> {
  const { database, clock, secretBox, randomness } = services;
  if (!isFresh({ factorAt }, clock.now())) return { kind: "stale" };
  if (person.emailVerifiedAt === null) return { kind: "unverified" };
  const secret = base32Of(randomness(seedBytes));
  const isBegun = await updateTotpSeed(database, person.id, secretBox.seal(secret, totpIdentity(person.id)));
  if (!isBegun) return { kind: "in_use" };
  return { kind: "begun", ...(await setUpOf(services, person, secret)) };
}

async function setUpOf(services: PeopleServices, { email }: Person, secret: string, tx?: Tx): Promise<SetUp> {
  const { name: issuer } = await services.company(tx);
  return { secret, uri: totpUri({ issuer, email, secret }) };
}

type Codes<Kind extends string> = { readonly kind: Kind; readonly backupCodes: readonly string[] };

/**
 * Takes an authenticator app into use with its first code. Other browsers are logged out. The backup codes can be read this
 * once. An email tells of it. After a wrong code the app keeps its secret: another one would match no code of it.
 */
export async function confirmTotp(
  services: PeopleServices,
  session: Session,
  code: string,
): Promise<
  Codes<"confirmed"> | ({ readonly kind: "wrong" } & SetUp) | { readonly kind: "not_begun" | "in_use" } | Stale
> {
  const { database, clock, secretBox } = services;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  return database.transaction(async (tx) => {
    const person = await findPersonForUpdate(tx, session.person.id);
    if (person?.totpSeed == null) return { kind: "not_begun" };
    if (person.hasTotp) return { kind: "in_use" };
    const { id, totpSeed: seed } = person;
    const now = clock.now();
    const secret = secretBox.open(seed, totpIdentity(id));
    const step = stepOfCode(code, { secret, now });
    if (step === null || !(await updateTotpConfirmed(tx, id, { seed, now, step }))) {
      return { kind: "wrong", ...(await setUpOf(services, person, secret, tx)) };
    }
    const backupCodes = await makeBackupCodes(tx, services, id);
    await endSessionsOf(tx, id, session.hash);
    await sendNotice(tx, services, person, (frame) => factorAdded(frame, { factor: app }));
    await enter(tx, { person, command: "console totp on" });
    return { kind: "confirmed", backupCodes };
  });
}

/** Takes an authenticator app and its backup codes away. An email tells of it. */
export async function turnOffTotp(
  services: PeopleServices,
  session: Session,
): Promise<{ readonly kind: "off" | "not_in_use" } | Stale> {
  const { database, clock } = services;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  return database.transaction(async (tx) => {
    const { person } = session;
    if (!(await updateTotpOff(tx, person.id))) return { kind: "not_in_use" };
    await deleteBackupCodes(tx, person.id);
    await sendNotice(tx, services, person, (frame) => factorRemoved(frame, { factor: app }));
    await enter(tx, { person, command: "console totp off" });
    return { kind: "off" };
  });
}

/** Makes new backup codes, which can be read this once; those before are worth nothing. An email tells of it. */
export async function renewBackupCodes(
  services: PeopleServices,
  session: Session,
): Promise<Codes<"made"> | { readonly kind: "not_in_use" } | Stale> {
  const { database, clock } = services;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  return database.transaction(async (tx) => {
    const person = await findPerson(tx, session.person.id);
    if (person === null || !person.hasTotp) return { kind: "not_in_use" };
    const backupCodes = await makeBackupCodes(tx, services, person.id);
    await sendNotice(tx, services, person, (frame) => factorAdded(frame, { factor: "new backup codes" }));
    await enter(tx, { person, command: "console backup-codes renew" });
    return { kind: "made", backupCodes };
  });
}
