import { randomBytes } from "node:crypto";
import { readCompany } from "../../src/domain/identity/company/company.ts";
import { openEmail } from "../../src/domain/identity/emails/emails.ts";
import { listEmails } from "../../src/domain/identity/emails/queries.ts";
import { logIn } from "../../src/domain/identity/people/log-in.ts";
import { openPasswords } from "../../src/domain/identity/people/passwords.ts";
import type { PersonId } from "../../src/domain/identity/people/person.ts";
import type { Attempt, PeopleServices } from "../../src/domain/identity/people/send-notice.ts";
import { readSession, type Session } from "../../src/domain/identity/people/sessions.ts";
import { type Membership, membershipsOf } from "../../src/domain/members/membership.ts";
import { signUp } from "../../src/domain/members/sign-up.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openPasswordHash } from "../../src/platform/password-hash.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { ownDatabase } from "./merchants.ts";
import { testSecretBox } from "./webhooks.ts";

export const password = "correct marble teapot 9";
export const publicUrl = "https://console.example.ng";
export const origin = { address: "192.0.2.7", agent: "a test" };
/** Where most attempts of a test come from. */
export const from = { source: "192.0.2.7", origin };

/** Accounts on a database of their own, by a clock that a test moves. */
export async function ownPeople(overrides: Partial<PeopleServices> = {}) {
  const own = await ownDatabase();
  const time = { now: Date.now() };
  const services: PeopleServices = {
    database: own.database,
    clock: { now: () => time.now },
    randomness: randomBytes,
    secretBox: testSecretBox,
    passwords: openPasswords(openPasswordHash(), { ownList: ["our company password"] }),
    company: () => readCompany(own.database),
    signUp: "open",
    sendsEmails: false,
    wallTime: wallTime("Africa/Lagos"),
    publicUrl,
    liveKeysNeedTwoStep: false,
    log: openLog({ level: "silent" }),
    security: { note() {} },
    delayRefusal: async () => {},
    ...overrides,
  };
  return {
    ...own,
    services,
    pass(ms: number) {
      time.now += ms;
    },
  };
}

/** The place of a person in a merchant; null where it has none. */
export async function membershipIn(
  database: Database,
  { merchantId, personId }: { readonly merchantId: MerchantId; readonly personId: PersonId },
): Promise<Membership | null> {
  const memberships = await membershipsOf(database, personId);
  return memberships.find((membership) => membership.merchantId === merchantId) ?? null;
}

/** Signs somebody up from an address that nobody else comes from, and confirms the address. */
export async function newOwner(
  services: PeopleServices,
  email: string,
): Promise<{ merchantId: MerchantId; session: Session }> {
  const source = `source of ${email}`.slice(0, 64);
  await signUp(services, { email, name: "Ada Obi", businessName: "Ada's Airtime", password, source, publicUrl });
  const database = services.database;
  await database.query(
    { name: "update_verified", text: "update people set email_verified_at = now() where email = $1" },
    [email],
  );
  const session = await loggedIn(services, email);
  const [merchant] = await membershipsOf(database, session.person.id);
  if (merchant === undefined) throw new Error("whoever signs up owns a merchant");
  return { merchantId: merchant.merchantId, session };
}

/** A new session of somebody. */
export async function loggedIn(services: PeopleServices, email: string): Promise<Session> {
  const attempt = await logIn(services, {
    realm: "merchant",
    email,
    password,
    source: `source of ${email}`.slice(0, 64),
    origin,
  });
  return sessionOf(services, attempt);
}

/** The session that an attempt opened. */
export async function sessionOf(services: PeopleServices, attempt: Attempt): Promise<Session> {
  if (attempt.kind !== "in") throw new Error(`not logged in: ${attempt.kind}`);
  const session = await readSession(services, attempt.person.realm, attempt.token);
  if (session === null) throw new Error("the token opens no session");
  return session;
}

/** What was written to somebody, the newest first. */
export async function emailsTo(database: Database, email: string) {
  const emails = (await listEmails(database, 500)).filter(({ recipient }) => recipient === email);
  return Promise.all(emails.map(({ id }) => openEmail(database, testSecretBox, id)));
}

/** The token of the link in the newest email to somebody. */
export async function linkedToken(database: Database, email: string): Promise<string> {
  const [newest] = await emailsTo(database, email);
  const token = /^https:\/\/console\.example\.ng\/\S+\?token=(\S+)$/m.exec(newest?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`no link in the newest email to ${email}`);
  return token;
}

/** What the audit log holds, the newest last. */
export async function auditEntries(database: Database): Promise<{ who: string; command: string; details: string }[]> {
  return database.query({ name: "list_entries", text: "select who, command, details from audit_log order by number" });
}
