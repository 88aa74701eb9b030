import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { PersonId } from "./person.ts";

export type TokenPurpose =
  | "verify_email"
  | "change_email"
  | "reset_password"
  | "log_in"
  | "passkey"
  | "form"
  | "bought"
  | "first_operator"
  | "staff_invitation";

export interface NewToken {
  readonly hash: Buffer;
  readonly purpose: TokenPurpose;
  readonly personId: PersonId | null;
  readonly payload: string | null;
  readonly now: Instant;
  readonly endsAt: Instant;
}

const insert = statement(
  "insert_one_time_token",
  `insert into one_time_tokens (token_hash, purpose, person_id, payload, created_at, ends_at)
   values ($1, $2, $3, $4, $5, $6)
       on conflict (token_hash) do nothing
   returning 1`,
);

/** False where the same token is there already. Waits for a transaction that is adding it. */
export async function insertToken(db: Queryable, token: NewToken): Promise<boolean> {
  const { hash, purpose, personId, payload, now, endsAt } = token;
  return (await db.query(insert, [hash, purpose, personId, payload, new Date(now), new Date(endsAt)])).length === 1;
}

export interface UsedToken {
  readonly personId: PersonId | null;
  readonly payload: string | null;
}

const deleteUsed = statement(
  "delete_one_time_token",
  `delete from one_time_tokens
    where token_hash = $1
      and purpose = $2
      and ends_at > $3
   returning person_id as "personId", payload`,
);

/** Uses a token: for one caller alone. Null where it was used, has ended, or is good for something else. */
export async function deleteToken(
  db: Queryable,
  { hash, purpose, now }: Pick<NewToken, "hash" | "purpose" | "now">,
): Promise<UsedToken | null> {
  return (await db.query<UsedToken>(deleteUsed, [hash, purpose, new Date(now)]))[0] ?? null;
}

const find = statement(
  "find_one_time_token",
  `select person_id as "personId", payload
     from one_time_tokens
    where token_hash = $1
      and purpose = $2
      and ends_at > $3`,
);

/** What a token is for, without using it. */
export async function findToken(
  db: Queryable,
  { hash, purpose, now }: Pick<NewToken, "hash" | "purpose" | "now">,
): Promise<UsedToken | null> {
  return (await db.query<UsedToken>(find, [hash, purpose, new Date(now)]))[0] ?? null;
}

const updateBought = statement(
  "update_bought_tokens",
  "update one_time_tokens set payload = $3 where person_id = $1 and purpose = 'bought' and payload = $2",
);

/** What a session bought belongs to the one that took its place. */
export async function updateBuyer(tx: Tx, personId: PersonId, session: { readonly from: string; readonly to: string }) {
  await tx.query(updateBought, [personId, session.from, session.to]);
}

const deleteOfPerson = statement(
  "delete_tokens_of_person",
  `delete from one_time_tokens
    where person_id = $1
      and purpose <> 'form'`,
);

/** Takes away every link that a person was sent. */
export async function deleteTokensOf(tx: Tx, personId: PersonId): Promise<void> {
  await tx.query(deleteOfPerson, [personId]);
}

const deleteEnded = statement(
  "delete_ended_tokens",
  `delete from one_time_tokens
    where token_hash in (select token_hash from one_time_tokens where ends_at <= $1 limit $2)
   returning 1`,
);

/** @returns how many were deleted */
export async function deleteEndedTokens(db: Queryable, now: Instant, limit: number): Promise<number> {
  return (await db.query(deleteEnded, [new Date(now), limit])).length;
}

const listInvited = statement(
  "list_staff_invitations",
  `select encode(token_hash, 'hex') as id, payload, ends_at as "endsAt"
     from one_time_tokens
    where purpose = 'staff_invitation'
    order by ends_at
    limit 200`,
);

/** An invitation of the company, as it is stored. */
interface InvitationRow {
  readonly id: string;
  readonly payload: string;
  readonly endsAt: Instant;
}

/** What invitations say, those that have expired among them, the oldest first. */
export function listInvitationRows(db: Queryable): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(listInvited);
}

const removeInvitation = statement(
  "delete_staff_invitation",
  `delete from one_time_tokens
    where purpose = 'staff_invitation'
      and payload::json ->> 'email' = $1
   returning 1`,
);

/** Ends every invitation to an address. @returns whether there was one */
export async function deleteInvitationsTo(tx: Tx, email: string): Promise<boolean> {
  return (await tx.query(removeInvitation, [email])).length > 0;
}
