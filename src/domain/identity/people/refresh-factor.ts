import { refuse } from "../../../kernel/problems.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { plainPerson } from "./log-in.ts";
import { type PasskeyAnswer, provePasskey } from "./passkeys.ts";
import { findPerson } from "./person-queries.ts";
import { type From, giveSecondFactor, type TypedFactor } from "./second-factor.ts";
import { type Attempt, aboutPerson, type PeopleServices } from "./send-notice.ts";
import { replaceSession, type Session } from "./sessions.ts";
import { attempt, freshThrottle } from "./throttle.ts";

/**
 * What a person proves again that it is still there: a code of its app, or a passkey; a password where it has neither, as
 * whoever stole that has nothing else.
 */
export type RenewedFactor = { readonly password: string } | TypedFactor | { readonly passkey: PasskeyAnswer };

/**
 * Makes the factor of a person who is logged in fresh again, and gives the browser a new token; the one before has ended. The
 * session's level stays as it is. @throws Refusal UNAUTHORIZED while the second factor is owed, MAINTENANCE
 */
export async function refreshFactor(
  services: PeopleServices,
  session: Session,
  factor: RenewedFactor,
  from: From,
): Promise<Attempt> {
  if (session.level !== "second_factor") throw refuse("UNAUTHORIZED");
  const { hasTotp, hasPasskey } = session.person;
  if ("password" in factor && (hasTotp || hasPasskey)) return { kind: "wrong" };
  if ("password" in factor) return refreshByPassword(services, session, factor.password, from);
  if ("passkey" in factor) return refreshByPasskey(services, session, factor.passkey, from);
  return giveSecondFactor(services, session, factor, from);
}

async function refreshByPassword(
  services: PeopleServices,
  session: Session,
  password: string,
  { source, origin }: From,
): Promise<Attempt> {
  const { database, passwords, security } = services;
  const { id } = session.person;
  const tried = { act: "password", source, throttles: [freshThrottle(id, source)], isKnown: true };
  return attempt(services, tried, async (place): Promise<Attempt> => {
    const person = await findPerson(database, id);
    if (!(await passwords.isRight(person?.passwordHash ?? null, password, place))) {
      security.note({ kind: "log_in_failed", source, about: aboutPerson(person) });
      return { kind: "wrong" };
    }
    return database.transaction((tx) => renewed(tx, services, session, { source, origin }));
  });
}

async function refreshByPasskey(
  services: PeopleServices,
  session: Session,
  answer: PasskeyAnswer,
  from: From,
): Promise<Attempt> {
  const proof = await provePasskey(services, answer);
  if (proof === null || proof.personId !== session.person.id) return { kind: "wrong" };
  return services.database.transaction(async (tx) =>
    (await proof.use(tx)) ? renewed(tx, services, session, from) : { kind: "wrong" },
  );
}

async function renewed(tx: Tx, services: PeopleServices, session: Session, { origin }: From): Promise<Attempt> {
  const person = await findPerson(tx, session.person.id);
  const token = await replaceSession(tx, services, session, { level: "second_factor", ...origin });
  if (person === null || token === null) return { kind: "wrong" };
  return { kind: "in", token, needs: null, person: plainPerson(person) };
}
