import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { Role } from "./roles.ts";

/** An invitation that waits, without its token. */
export interface Invitation {
  readonly id: number;
  readonly merchantId: MerchantId;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Instant;
  readonly endsAt: Instant;
}

const columns = `i.id, i.merchant_id as "merchantId", i.email, i.role, i.invited_by as "invitedBy",
          i.created_at as "createdAt", i.ends_at as "endsAt"`;

const insert = statement(
  "insert_invitation",
  `insert into invitations (token_hash, merchant_id, email, role, invited_by, created_at, ends_at)
   values ($1, $2, $3, $4, $5, $6, $7)
       on conflict on constraint invitations_once_an_address do update
          set token_hash = excluded.token_hash,
              role = excluded.role,
              invited_by = excluded.invited_by,
              created_at = excluded.created_at,
              ends_at = excluded.ends_at
   returning id`,
);

/** Stores an invitation, in place of one to the same address, whose token is good no longer. @returns its number */
export async function insertInvitation(
  tx: Tx,
  { hash, merchantId, email, role, invitedBy, createdAt, endsAt }: Omit<Invitation, "id"> & { readonly hash: Buffer },
): Promise<number> {
  const values = [hash, merchantId, email, role, invitedBy, new Date(createdAt), new Date(endsAt)];
  const [row] = await tx.query<{ id: number }>(insert, values);
  return row?.id ?? 0;
}

const list = statement(
  "list_invitations",
  `select ${columns}
     from invitations i
    where i.merchant_id = $1
    order by i.created_at, i.id
    limit 500`,
);

/** A merchant's invitations that were not accepted, those that have ended among them. */
export function listInvitations(db: Queryable, merchantId: MerchantId): Promise<Invitation[]> {
  return db.query<Invitation>(list, [merchantId]);
}

const findOne = statement(
  "find_invitation",
  `select ${columns}
     from invitations i
    where i.merchant_id = $1
      and i.id = $2`,
);

export async function findInvitationRow(db: Queryable, merchantId: MerchantId, id: number): Promise<Invitation | null> {
  return (await db.query<Invitation>(findOne, [merchantId, id]))[0] ?? null;
}

/** An invitation as the page behind its link shows it. */
export interface OpenInvitation extends Invitation {
  readonly merchantName: string;
  /** Whether the address has an account that confirmed it. */
  readonly hasAccount: boolean;
}

const findByToken = statement(
  "find_invitation_by_token",
  `select ${columns},
          m.name as "merchantName",
          exists (select 1 from people p where p.realm = 'merchant' and p.email = i.email
                            and p.email_verified_at is not null) as "hasAccount"
     from invitations i
     join merchants m on m.id = i.merchant_id
    where i.token_hash = $1
      and i.ends_at > $2`,
);

/** Null where it was accepted, withdrawn or sent anew, or has ended. */
export async function findOpenInvitation(db: Queryable, hash: Buffer, now: Instant): Promise<OpenInvitation | null> {
  return (await db.query<OpenInvitation>(findByToken, [hash, new Date(now)]))[0] ?? null;
}

const deleteByToken = statement(
  "delete_invitation_by_token",
  `delete from invitations
    where token_hash = $1
      and ends_at > $2
   returning 1`,
);

/** Uses an invitation up: true for one caller alone. */
export async function deleteOpenInvitation(tx: Tx, hash: Buffer, now: Instant): Promise<boolean> {
  return (await tx.query(deleteByToken, [hash, new Date(now)])).length === 1;
}

const deleteOne = statement(
  "delete_invitation",
  "delete from invitations where merchant_id = $1 and id = $2 returning 1",
);

export async function deleteInvitation(tx: Tx, merchantId: MerchantId, id: number): Promise<boolean> {
  return (await tx.query(deleteOne, [merchantId, id])).length === 1;
}

const deleteEnded = statement(
  "delete_ended_invitations",
  `delete from invitations
    where id in (select id from invitations where ends_at <= $1 limit $2)
   returning 1`,
);

/** @returns how many were deleted */
export async function deleteEndedInvitations(db: Queryable, endedBy: Instant, limit: number): Promise<number> {
  return (await db.query(deleteEnded, [new Date(endedBy), limit])).length;
}
