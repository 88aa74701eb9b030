import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { MerchantRow } from "../merchants/queries.ts";
import { linkTo } from "../people/links.ts";
import { mintOneTimeToken } from "../people/one-time-tokens.ts";
import type { PeopleServices } from "../people/people-services.ts";
import { parseEmail, parseName } from "../people/person.ts";
import { findPersonByEmail, insertPerson } from "../people/person-queries.ts";
import { lockMembers } from "./members.ts";
import { ownersAmong } from "./owners.ts";
import { insertMember } from "./queries.ts";

type Services = Pick<PeopleServices, "database" | "clock" | "randomness">;

/**
 * Makes a link that logs a merchant's first owner in, once and within an hour, without a password; a second factor is still
 * asked for. A merchant without owners gets one at its own address. The operator's command enters it in the audit log. Locks the
 * merchant's row. @throws Refusal NOT_FOUND, VALIDATION_ERROR where its address can't be a person's
 */
export function makeLogInLink(
  services: Services,
  { merchantId, publicUrl }: { readonly merchantId: MerchantId; readonly publicUrl: string },
): Promise<{ readonly link: string; readonly email: string; readonly isNewOwner: boolean }> {
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    const [present] = ownersAmong(members);
    const owner = present ?? (await makeOwner(tx, services, merchant));
    const token = await mintOneTimeToken(tx, services, { purpose: "log_in", personId: owner.personId });
    const link = linkTo(publicUrl, "/log-in/link", token);
    return { link, email: owner.email, isNewOwner: present === undefined };
  });
}

async function makeOwner(tx: Tx, { clock }: Services, { id, name, email: address }: MerchantRow) {
  const email = parseEmail(address);
  if (email === null) {
    throw refuse("VALIDATION_ERROR", { message: `${address} can't be a person's address: use invite-owner.` });
  }
  const now = clock.now();
  const wanted = {
    realm: "merchant" as const,
    email,
    name: parseName(name.slice(0, 100), 100) ?? email.slice(0, 100),
    passwordHash: null,
    emailVerifiedAt: null,
    now,
  };
  const person = (await insertPerson(tx, wanted)) ?? (await findPersonByEmail(tx, "merchant", email));
  if (person === null) throw refuse("NOT_FOUND", { message: `${email} was removed in this moment: try again.` });
  await insertMember(tx, { merchantId: id, personId: person.id, role: "owner", now });
  return { personId: person.id, email };
}
