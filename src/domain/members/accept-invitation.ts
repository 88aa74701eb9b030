import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Tx } from "../../platform/database/database.ts";
import { memberJoined } from "../identity/letters/letter-texts.ts";
import { claimAddress } from "../identity/people/addresses.ts";
import type { PeopleServices } from "../identity/people/people-services.ts";
import { type Person, readPersonName } from "../identity/people/person.ts";
import {
  findPersonByEmail,
  insertPerson,
  updatePersonName,
  updatePersonPassword,
  updatePersonVerified,
} from "../identity/people/person-queries.ts";
import { enter } from "../identity/people/send-notice.ts";
import { hashToken } from "../identity/people/sessions.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { deleteOpenInvitation, findOpenInvitation, type OpenInvitation } from "./invitation-queries.ts";
import { noticeOwners } from "./owners.ts";
import { insertMember } from "./queries.ts";
import { roleTitle } from "./roles.ts";

/** The invitation behind a link: for its page, before the button. Null where it is good no longer. */
export async function findInvitation(
  { database, clock }: Pick<PeopleServices, "database" | "clock">,
  token: string,
): Promise<OpenInvitation | null> {
  return findOpenInvitation(database, hashToken(token), clock.now());
}

type Accepted<Refused extends string> =
  | { readonly kind: "accepted"; readonly merchantId: MerchantId; readonly email: string }
  | { readonly kind: Refused };

/** Accepts an invitation as a person who is logged in, with the address that was invited. Once. The owners are told. */
export async function acceptInvitation(
  services: PeopleServices,
  { token, person }: { readonly token: string; readonly person: Person },
): Promise<Accepted<"refused" | "other_address">> {
  const found = await findInvitation(services, token);
  if (found === null || person.realm !== "merchant") return { kind: "refused" };
  if (found.email !== person.email) return { kind: "other_address" };
  return services.database.transaction(async (tx): Promise<Accepted<"refused">> => {
    if (!(await deleteOpenInvitation(tx, hashToken(token), services.clock.now()))) return { kind: "refused" };
    // The link came by a letter to the address.
    await updatePersonVerified(tx, person.id, services.clock.now());
    return join(tx, services, found, person);
  });
}

/**
 * Accepts an invitation as a person who has no account, and makes it, with the address that was invited; one that a stranger
 * may have made, as it never confirmed the address, becomes theirs. It logs in with its password then. A password that is refused leaves the invitation good. @throws Refusal VALIDATION_ERROR, MAINTENANCE
 */
export async function acceptAsNewPerson(
  services: PeopleServices,
  given: { readonly token: string; readonly name: string; readonly password: string },
): Promise<Accepted<"refused" | "has_account">> {
  const { database, clock, passwords } = services;
  const found = await findInvitation(services, given.token);
  if (found === null) return { kind: "refused" };
  if (found.hasAccount) return { kind: "has_account" };
  const name = readPersonName(given.name);
  const { email } = found;
  passwords.check(given.password, { email, name });
  const passwordHash = await passwords.hash(given.password);
  const now = clock.now();
  return database
    .transaction(async (tx): Promise<Accepted<"refused" | "has_account">> => {
      const person = await enterPerson(tx, { email, name, passwordHash, now });
      if (person === null) return { kind: "has_account" };
      // Thrown away with everything else where another one accepted it just now.
      if (!(await deleteOpenInvitation(tx, hashToken(given.token), now))) throw new AcceptedBefore();
      return join(tx, services, found, person);
    })
    .catch((error: unknown) => {
      if (error instanceof AcceptedBefore) return { kind: "refused" };
      throw error;
    });
}

/** A new person with a confirmed address, or one that never confirmed it, anew. Null where one did. */
async function enterPerson(
  tx: Tx,
  given: { readonly email: string; readonly name: string; readonly passwordHash: string; readonly now: Instant },
): Promise<Person | null> {
  const { email, name, passwordHash, now } = given;
  const person = await insertPerson(tx, { realm: "merchant", emailVerifiedAt: now, ...given });
  if (person !== null) return person;
  const known = await findPersonByEmail(tx, "merchant", email);
  if (known === null || !(await claimAddress(tx, known.id, now))) return null;
  await updatePersonName(tx, known.id, name);
  await updatePersonPassword(tx, known.id, passwordHash);
  return known;
}

/** Undoes a transaction. */
class AcceptedBefore extends Error {
  override readonly name = "AcceptedBefore";
}

async function join(
  tx: Tx,
  services: PeopleServices,
  invitation: OpenInvitation,
  person: Person,
): Promise<Accepted<never>> {
  const { merchantId, merchantName: merchant, role, email } = invitation;
  const isNew = await insertMember(tx, { merchantId, personId: person.id, role, now: services.clock.now() });
  // Somebody who became a member otherwise keeps the role.
  if (isNew) {
    await noticeOwners(tx, services, merchantId, (frame) =>
      memberJoined(frame, { merchant, email, role: roleTitle(role) }),
    );
  }
  const details = { merchant: formatMerchantId(merchantId), role, invitedBy: invitation.invitedBy };
  await enter(tx, { person, command: "console member accept", details });
  return { kind: "accepted", merchantId, email };
}
