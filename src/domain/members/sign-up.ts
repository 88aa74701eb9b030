import type { Queryable, Tx } from "../../platform/database/database.ts";
import { hasAccount, signUpWaits, verifyAddress } from "../identity/emails/email-texts.ts";
import { linkTo, mintOneTimeToken } from "../identity/people/one-time-tokens.ts";
import {
  type Person,
  type PersonId,
  parseEmail,
  readEmail,
  readName,
  readPersonName,
} from "../identity/people/person.ts";
import { findPersonByEmail, insertPerson, type StoredPerson } from "../identity/people/person-queries.ts";
import {
  enter,
  type Locked,
  nobody,
  type PeopleServices,
  type SignUpPolicy,
  sendNotice,
} from "../identity/people/send-notice.ts";
import { attempt, countAttempt, sourceThrottle, strangerThrottles } from "../identity/people/throttle.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { updateMerchantSettings } from "../merchants/queries.ts";
import { registerKeyless } from "../merchants/registration.ts";
import { openWallets } from "../wallet/wallet.ts";
import { insertMember } from "./queries.ts";
import { findSignUpPolicy, insertSignUpPolicy } from "./sign-up-queries.ts";

/** What somebody types who signs up. */
export interface SignUp {
  readonly email: string;
  readonly name: string;
  readonly businessName: string;
  readonly password: string;
  /** See `sourceOf`. */
  readonly source: string;
  readonly publicUrl: string;
}

const businessNameMax = 200;

/** The policy says who may sign up: as the company set it in its console, else as SIGN_UP does. */
export async function readSignUpPolicy({
  database,
  signUp,
}: Pick<PeopleServices, "signUp"> & { readonly database: Queryable }): Promise<SignUpPolicy> {
  return (await findSignUpPolicy(database)) ?? signUp;
}

/** Says who may sign up, from the next one on. */
export function setSignUpPolicy(
  { database, clock }: Pick<PeopleServices, "database" | "clock">,
  policy: SignUpPolicy,
): Promise<void> {
  return database.transaction((tx) => insertSignUpPolicy(tx, policy, clock.now()));
}

/**
 * Signs a business up: its merchant, without keys, and the person who owns it, in one transaction; an email asks for the
 * address to be confirmed. They log in with the password then. An address that has an account is answered the same, and told
 * by an email. Where the company confirms each, the merchant begins suspended: it reads, and makes no
 * requests. @throws Refusal VALIDATION_ERROR, MAINTENANCE
 */
export async function signUp(
  services: PeopleServices,
  given: SignUp,
): Promise<{ readonly kind: "received" | "closed" } | Locked> {
  const { passwords } = services;
  const { source } = given;
  const policy = await readSignUpPolicy(services);
  if (policy === "closed") return { kind: "closed" };
  const email = readEmail(given.email);
  const name = readPersonName(given.name);
  const businessName = readName(given.businessName, { field: "businessName", lengthMax: businessNameMax });
  passwords.check(given.password, { email, name });
  const tried = { act: "sign-up", source, throttles: [sourceThrottle("sign-up", source)] };
  return attempt(services, tried, async (place) => {
    // Hashed for a known address as well, which takes most of the time.
    const passwordHash = await passwords.hash(given.password, place);
    const emails = {
      act: "email",
      source,
      throttles: await strangerThrottles(services, { realm: "merchant", email }, source),
    };
    const mayWrite = (await countAttempt(services, emails)) === null;
    await services.database.transaction(async (tx) => {
      const now = services.clock.now();
      const requested = { realm: "merchant" as const, email, name, passwordHash, emailVerifiedAt: null, now };
      const person = await insertPerson(tx, requested);
      if (person !== null) await begin(tx, services, { person, businessName, policy, publicUrl: given.publicUrl });
      else await noticeAccount(tx, services, { email, mayWrite, publicUrl: given.publicUrl });
    });
    return { kind: "received" } as const;
  });
}

/**
 * Sends the email of a sign-up again; an address that has a confirmed account, or none, is answered the same.
 */
export async function resendSignUp(
  services: PeopleServices,
  given: Pick<SignUp, "email" | "source" | "publicUrl">,
): Promise<{ readonly kind: "received" } | Locked> {
  const { database } = services;
  const { source, publicUrl } = given;
  const locked = await countAttempt(services, {
    act: "sign-up",
    source,
    throttles: [sourceThrottle("sign-up", source)],
  });
  if (locked !== null) return locked;
  const email = parseEmail(given.email);
  if (email === null) return { kind: "received" };
  const emails = {
    act: "email",
    source,
    throttles: await strangerThrottles(services, { realm: "merchant", email }, source),
  };
  const mayWrite = (await countAttempt(services, emails)) === null;
  await database.transaction(async (tx) => {
    const known = await findPersonByEmail(tx, "merchant", email);
    if (known === null || known.emailVerifiedAt !== null) {
      await noticeAccount(tx, services, { email, mayWrite, publicUrl });
    } else await sendVerification(tx, services, { person: mayWrite ? known : null, personId: known.id, publicUrl });
  });
  return { kind: "received" };
}

async function sendVerification(
  tx: Tx,
  services: PeopleServices,
  { person, personId, publicUrl }: { person: Person | null; personId: PersonId; publicUrl: string },
): Promise<void> {
  const token = await mintOneTimeToken(tx, services, { purpose: "verify_email", personId });
  const link = linkTo(publicUrl, "/verify-email", token);
  await sendNotice(tx, services, person ?? nobody, (frame) => verifyAddress(frame, { link }));
}

async function begin(
  tx: Tx,
  services: PeopleServices,
  given: { person: StoredPerson; businessName: string; policy: SignUpPolicy; publicUrl: string },
): Promise<void> {
  const { clock, log } = services;
  const { person, businessName, policy, publicUrl } = given;
  const { email } = person;
  const merchant = await registerKeyless(tx, services, { name: businessName, email });
  await openWallets(tx, [{ merchantId: merchant.id }]);
  await insertMember(tx, { merchantId: merchant.id, personId: person.id, role: "owner", now: clock.now() });
  const id = formatMerchantId(merchant.id);
  const waits = policy === "confirm";
  if (waits) {
    await updateMerchantSettings(tx, merchant.id, { status: "suspended" });
    await noticeCompany(tx, services, (frame) => signUpWaits(frame, { merchant: businessName, id, email, publicUrl }));
  }
  await sendVerification(tx, services, { person, personId: person.id, publicUrl });
  log.info({ event: "merchant.signed_up", merchantId: id, waits });
  await enter(tx, { person, command: "console sign-up", details: { merchant: id, name: businessName, waits } });
}

async function noticeAccount(
  tx: Tx,
  services: PeopleServices,
  { email, mayWrite, publicUrl }: { readonly email: string; readonly mayWrite: boolean; readonly publicUrl: string },
): Promise<void> {
  const known = await findPersonByEmail(tx, "merchant", email);
  if (known === null) return;
  const token = await mintOneTimeToken(tx, services, { purpose: "reset_password", personId: known.id });
  const link = linkTo(publicUrl, "/reset-password", token);
  await sendNotice(tx, services, mayWrite ? known : nobody, (frame) => hasAccount(frame, { link }));
}

/** Writes to the company that runs the service, where it has told an address. */
export async function noticeCompany(
  tx: Tx,
  services: Pick<PeopleServices, "clock" | "secretBox" | "company">,
  text: Parameters<typeof sendNotice>[3],
): Promise<void> {
  const { name, supportEmail } = await services.company(tx);
  if (supportEmail !== null) await sendNotice(tx, services, { email: supportEmail, name }, text);
}
