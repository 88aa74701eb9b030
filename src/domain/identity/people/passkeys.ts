import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import { factorAdded, factorRemoved } from "../emails/email-texts.ts";
import { plainPerson } from "./log-in.ts";
import { mintOneTimeToken, takeOneTimeToken } from "./one-time-tokens.ts";
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeysOf,
  type StoredPasskey,
  updatePasskeyUsed,
} from "./passkey-queries.ts";
import { type PersonId, type Realm, readName } from "./person.ts";
import { findPerson } from "./person-queries.ts";
import { type Attempt, enter, type Locked, type PeopleServices, type Stale, sendNotice } from "./send-notice.ts";
import { isFresh, type Origin, openSession, type Session } from "./sessions.ts";
import { countAttempt, sourceThrottle } from "./throttle.ts";

/** Where browsers know passkeys to belong: the address that the console is reached at. */
export interface Site {
  readonly origin: string;
  /** The host alone. */
  readonly rpId: string;
}

/** @param origin such as https://console.example.ng */
export function siteOf(origin: string): Site {
  const url = new URL(origin);
  return { origin: url.origin, rpId: url.hostname };
}

/** What reads passkeys takes a quarter of a second of a core to load, a fifth of a start: the first one who uses it waits. */
export function loadWebAuthn() {
  return import("@simplewebauthn/server");
}

const passkey = "a passkey";
const passkeysMax = 20;

/** Options for `startRegistration` of @simplewebauthn/browser, and the token that its answer comes back with. */
interface BegunPasskey {
  readonly kind: "begun";
  readonly options: PublicKeyCredentialCreationOptionsJSON;
  readonly token: string;
}

/** Begins to add a passkey; its answer is good for five minutes. */
export async function beginPasskey(
  services: PeopleServices,
  session: Session,
  site: Site,
): Promise<BegunPasskey | { readonly kind: "unverified" | "too_many" } | Stale> {
  const { database, clock, randomness } = services;
  const { person } = session;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  if (person.emailVerifiedAt === null) return { kind: "unverified" };
  const present = await listPasskeysOf(database, person.id);
  if (present.length >= passkeysMax) return { kind: "too_many" };
  const { name: rpName } = await services.company();
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName,
    rpID: site.rpId,
    userID: new TextEncoder().encode(`${person.realm}/${person.id}`),
    userName: person.email,
    userDisplayName: person.name,
    challenge: new Uint8Array(randomness(32)),
    excludeCredentials: present.map(({ id, transports }) => ({ id, transports: [...transports] })),
    // It logs in alone: its owner is verified, and it is found without an address being typed.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const payload = options.challenge;
  const token = await mintOneTimeToken(database, services, { purpose: "passkey", personId: person.id, payload });
  return { kind: "begun", options, token };
}

/** What a browser answered, not looked at yet. */
export interface NewPasskey {
  readonly token: string;
  readonly response: unknown;
  readonly label: string;
  readonly site: Site;
}

/** Adds a passkey that its authenticator has just made. Its challenge is used up. An email tells of it. */
export async function addPasskey(
  services: PeopleServices,
  session: Session,
  { token, response, label, site }: NewPasskey,
): Promise<{ readonly kind: "added" | "refused" } | Stale> {
  const { database, clock } = services;
  const { person } = session;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  const name = readLabel(label);
  const taken = await takeOneTimeToken(database, services, "passkey", token);
  if (taken?.payload == null || taken.personId !== person.id) return { kind: "refused" };
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: taken.payload,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) return { kind: "refused" };
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return database.transaction(async (tx) => {
    const isAdded = await insertPasskey(tx, {
      id,
      personId: person.id,
      publicKey: Buffer.from(publicKey),
      counter: BigInt(counter),
      transports: transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)).slice(0, 8),
      label: name,
      now: clock.now(),
    });
    if (!isAdded) return { kind: "refused" };
    await sendNotice(tx, services, person, (frame) => factorAdded(frame, { factor: passkey }));
    await enter(tx, { person, command: "console passkey add", details: { label: name } });
    return { kind: "added" };
  });
}

/** A passkey as its person sees it. */
export type OwnPasskey = Pick<StoredPasskey, "id" | "label" | "createdAt" | "lastUsedAt">;

export async function listPasskeys({ database }: { readonly database: Queryable }, personId: PersonId) {
  const stored = await listPasskeysOf(database, personId);
  return stored.map(({ id, label, createdAt, lastUsedAt }): OwnPasskey => ({ id, label, createdAt, lastUsedAt }));
}

/** Takes a passkey away. An email tells of it. */
export async function removePasskey(
  services: PeopleServices,
  session: Session,
  id: string,
): Promise<{ readonly kind: "removed" | "unknown" } | Stale> {
  const { database, clock } = services;
  const { person } = session;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  return database.transaction(async (tx) => {
    if (!(await deletePasskey(tx, { id, personId: person.id }))) return { kind: "unknown" };
    await sendNotice(tx, services, person, (frame) => factorRemoved(frame, { factor: passkey }));
    await enter(tx, { person, command: "console passkey remove" });
    return { kind: "removed" };
  });
}

/** As the table bounds it. */
const labelMax = 60;

function readLabel(text: string): string {
  return readName(text, { field: "label", lengthMax: labelMax });
}

/** Options for `startAuthentication` of @simplewebauthn/browser, and the token that its answer comes back with. */
interface BegunLogIn {
  readonly kind: "begun";
  readonly options: PublicKeyCredentialRequestOptionsJSON;
  readonly token: string;
}

/** Begins a log-in by passkey; the answer is good for five minutes. The person is not known yet. */
export async function beginPasskeyLogIn(
  services: PeopleServices,
  { source, site }: { readonly source: string; readonly site: Site },
): Promise<BegunLogIn | Locked> {
  const { database, randomness } = services;
  const throttles = [sourceThrottle("passkey", source)];
  const locked = await countAttempt(services, { act: "passkey", source, throttles });
  if (locked !== null) return locked;
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: new Uint8Array(randomness(32)),
    userVerification: "required",
  });
  const payload = options.challenge;
  const token = await mintOneTimeToken(database, services, { purpose: "passkey", personId: null, payload });
  return { kind: "begun", options, token };
}

/** What a browser answered, not looked at yet. */
export interface PasskeyAnswer {
  readonly token: string;
  readonly response: unknown;
  readonly site: Site;
}

/** Logs a browser in by a passkey, which counts as both factors: it is had, and its owner was verified. */
export async function logInByPasskey(
  services: PeopleServices,
  { realm, origin, ...answer }: PasskeyAnswer & { readonly realm: Realm; readonly origin: Origin },
): Promise<Attempt> {
  const proof = await provePasskey(services, answer);
  if (proof === null) return { kind: "wrong" };
  return services.database.transaction(async (tx) => {
    const person = await findPerson(tx, proof.personId);
    if (person === null || person.realm !== realm || !(await proof.use(tx))) return { kind: "wrong" };
    const session = { personId: person.id, realm, level: "second_factor" as const, ...origin };
    return { kind: "in", token: await openSession(tx, services, session), needs: null, person: plainPerson(person) };
  });
}

/** A signature that was right. */
interface Proof {
  readonly personId: PersonId;
  /** Moves the authenticator's count on. False where another answer did, or the passkey is gone. */
  use(tx: Tx): Promise<boolean>;
}

/** Checks what a browser answered; its challenge is used up, whatever comes of it. Null where anything is not right. */
export async function provePasskey(
  services: PeopleServices,
  { token, response, site }: PasskeyAnswer,
): Promise<Proof | null> {
  const { database, clock } = services;
  const taken = await takeOneTimeToken(database, services, "passkey", token);
  if (taken?.payload == null || taken.personId !== null) return null;
  const { id } = (response ?? {}) as { readonly id?: unknown };
  const passkey = typeof id === "string" && id.length <= 1_400 ? await findPasskey(database, id) : null;
  if (passkey === null) return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: taken.payload,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
      transports: [...passkey.transports],
    },
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { newCounter: counter } = verified.authenticationInfo;
  return { personId: passkey.personId, use: (tx) => updatePasskeyUsed(tx, passkey, { counter, now: clock.now() }) };
}
