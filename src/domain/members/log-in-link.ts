import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import { claimAddress } from "../identity/people/addresses.ts";
import { openFor } from "../identity/people/log-in.ts";
import { linkTo, mintOneTimeToken, takeOneTimeToken } from "../identity/people/one-time-tokens.ts";
import { parseEmail, parseName } from "../identity/people/person.ts";
import { findPersonByEmail, findPersonForUpdate, insertPerson } from "../identity/people/person-queries.ts";
import { type Attempt, enter, type PeopleServices } from "../identity/people/send-notice.ts";
import type { Origin } from "../identity/people/sessions.ts";
import type { MerchantRow } from "../merchants/queries.ts";
import { lockMembers, ownersAmong } from "./members.ts";
import { insertMember } from "./queries.ts";

type Services = Pick<PeopleServices, "database" | "clock" | "randomness">;

/**
 * Makes a link that logs a merchant's first owner in, once and within an hour, without a password; a second factor is still
 * asked for. A merchant without owners gets one at its own address, by following it. The operator's command enters it in the audit log. Locks the
 * merchant's row. @throws Refusal NOT_FOUND, VALIDATION_ERROR where its address can't be a person's
 */
export function makeLogInLink(
  services: Services,
  { merchantId, publicUrl }: { readonly merchantId: MerchantId; readonly publicUrl: string },
): Promise<{ readonly link: string; readonly email: string; readonly isNewOwner: boolean }> {
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    const [present] = ownersAmong(members);
    const owner = present ?? (await ownerToBe(tx, services, merchant));
    const { personId } = owner;
    // It has no owner before: the account at that address may be a stranger's.
    const owns = present === undefined ? { payload: String(merchantId) } : {};
    const token = await mintOneTimeToken(tx, services, { purpose: "log_in", personId, ...owns });
    const link = linkTo(publicUrl, "/log-in/link", token);
    return { link, email: owner.email, isNewOwner: present === undefined };
  });
}

/**
 * Logs a browser in by such a link, once. Its holder is the account's owner: of an account that never confirmed its
 * address, nothing is left of who made it.
 */
export async function logInByLink(
  services: PeopleServices,
  { token, origin }: { readonly token: string; readonly origin: Origin },
): Promise<Attempt> {
  return services.database.transaction(async (tx) => {
    const taken = await takeOneTimeToken(tx, services, "log_in", token);
    if (taken?.personId == null) return { kind: "wrong" };
    const { personId, payload } = taken;
    const now = services.clock.now();
    await claimAddress(tx, personId, now);
    if (payload !== null) {
      await insertMember(tx, { merchantId: Number(payload) as MerchantId, personId, role: "owner", now });
    }
    const person = await findPersonForUpdate(tx, personId);
    if (person === null) return { kind: "wrong" };
    const attempt = await openFor(tx, services, { person, origin });
    await enter(tx, { person, command: "console log-in by link", details: { address: origin.address } });
    return attempt;
  });
}

/** The account at a merchant's own address, which is made where there is none. */
async function ownerToBe(tx: Tx, { clock }: Services, { name, email: address }: MerchantRow) {
  const email = parseEmail(address);
  if (email === null) {
    throw refuse("VALIDATION_ERROR", { message: `${address} can't be a person's address: use invite-owner.` });
  }
  const now = clock.now();
  const requested = {
    realm: "merchant" as const,
    email,
    name: parseName(name.slice(0, 100), 100) ?? email.slice(0, 100),
    passwordHash: null,
    emailVerifiedAt: null,
    now,
  };
  const person = (await insertPerson(tx, requested)) ?? (await findPersonByEmail(tx, "merchant", email));
  if (person === null) throw refuse("NOT_FOUND", { message: `${email} was removed in this moment: try again.` });
  return { personId: person.id, email };
}
