import { ownersAmong } from "../../../domain/members/members.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { whereEmailsLie } from "../../kit/account/emails-from.ts";

/** What a page says of the email that a change wrote to a merchant's owners, of whom it may have none. Begins with a space. */
export async function ownersEmailed(
  { database, sendsEmails }: { readonly database: Queryable; readonly sendsEmails: boolean },
  id: MerchantId,
  about: "" | "why" = "",
): Promise<string> {
  const owners = ownersAmong(await listMembers(database, id));
  if (owners.length === 0) return " It has no owners, so nobody was emailed.";
  const words = about === "" ? "" : ` ${about}`;
  return sendsEmails
    ? ` Its owners were emailed${words}.`
    : ` An email tells its owners${words}.${whereEmailsLie({ sendsEmails })}`;
}
