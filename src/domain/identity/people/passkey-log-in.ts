import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Tx } from "../../../platform/database/database.ts";
import { plainPerson } from "./log-in.ts";
import { mintOneTimeToken, takeOneTimeToken } from "./one-time-tokens.ts";
import { findPasskey, updatePasskeyUsed } from "./passkey-queries.ts";
import { loadWebAuthn, type Site } from "./passkeys.ts";
import type { Attempt, Locked, PeopleServices } from "./people-services.ts";
import type { PersonId, Realm } from "./person.ts";
import { findPerson } from "./person-queries.ts";
import { type Origin, openSession } from "./sessions.ts";
import { countAttempt, sourceThrottle } from "./throttle.ts";

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
