import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import type { StaffRole } from "./roles.ts";

/** A person of the company, as the others see it. */
export interface StaffMember {
  readonly personId: PersonId;
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  /** Logs in with two steps: before, the person may do nothing. */
  readonly hasSecondFactor: boolean;
  /** Null: not logged in at present. */
  readonly lastSeenAt: Instant | null;
  readonly createdAt: Instant;
  /** Somebody asked for the person's removal: it is kept out until that is decided. */
  readonly isKeptOut: boolean;
}

/** The kind of change that removes a person. */
export const removalKind = "remove staff";

/** What a change of a person's place is about. */
export function subjectOfStaff(personId: number): string {
  return `staff ${personId}`;
}

const staffColumns = `s.person_id as "personId",
          p.email,
          p.name,
          s.role,
          p.totp_confirmed_at is not null
            or exists (select 1 from passkeys k where k.person_id = s.person_id) as "hasSecondFactor",
          (select max(l.seen_at) from sessions l where l.person_id = s.person_id) as "lastSeenAt",
          s.created_at as "createdAt",
          exists (
            select 1
              from change_subjects b
              join changes c on c.id = b.change_id
             where b.subject = 'staff ' || s.person_id
               and c.kind = 'remove staff'
               and c.ends_at > now()
          ) as "isKeptOut"`;

const list = statement(
  "list_staff",
  `select ${staffColumns}
     from staff s
     join people p on p.id = s.person_id
    order by s.created_at, s.person_id
    limit 500`,
);

/** Everybody, the first one first. */
export function listStaff(db: Queryable): Promise<StaffMember[]> {
  return db.query<StaffMember>(list);
}

const find = statement(
  "find_staff_member",
  `select ${staffColumns}
     from staff s
     join people p on p.id = s.person_id
    where s.person_id = $1`,
);

/** Null where the person has no place here, or no longer. */
export async function findStaffMember(db: Queryable, personId: PersonId): Promise<StaffMember | null> {
  return (await db.query<StaffMember>(find, [personId]))[0] ?? null;
}

const listPresent = statement(
  "list_present_staff",
  `select l.token_hash as hash, s.role
     from sessions l
     join staff s
       on s.person_id = l.person_id
    where l.token_hash = any ($1::bytea[])
      and l.realm = 'staff'
      and l.level = 'second_factor'
      and l.ends_at > $2
      and l.seen_at > $3
      and not exists (
            select 1
              from change_subjects b
              join changes c on c.id = b.change_id
             where b.subject = 'staff ' || s.person_id
               and c.kind = 'remove staff'
               and c.ends_at > $2
          )`,
);

/** The roles of those sessions, by their hashes in hex, whose people are still logged in and on the staff. */
export async function listPresentRoles(
  db: Queryable,
  hashes: readonly Buffer[],
  at: { readonly now: Instant; readonly idleSince: Instant },
): Promise<ReadonlyMap<string, StaffRole>> {
  const values = [hashes, new Date(at.now), new Date(at.idleSince)];
  const rows = await db.query<{ hash: Buffer; role: StaffRole }>(listPresent, values);
  return new Map(rows.map(({ hash, role }) => [hash.toString("hex"), role]));
}

const lock = statement("find_staff_for_update", "lock table staff in share row exclusive mode");

/** Keeps everybody's roles as they are until the transaction ends. */
export async function lockStaff(tx: Tx): Promise<StaffMember[]> {
  await tx.query(lock);
  return listStaff(tx);
}

const insert = statement("insert_staff_member", "insert into staff (person_id, role, created_at) values ($1, $2, $3)");

export async function insertStaffMember(
  tx: Tx,
  { personId, role, now }: { readonly personId: PersonId; readonly role: StaffRole; readonly now: Instant },
): Promise<void> {
  await tx.query(insert, [personId, role, new Date(now)]);
}

const updateRole = statement("update_staff_role", "update staff set role = $2 where person_id = $1");

export async function updateStaffRole(tx: Tx, personId: PersonId, role: StaffRole): Promise<void> {
  await tx.query(updateRole, [personId, role]);
}

const remove = statement("delete_staff_member", "delete from staff where person_id = $1");

export async function deleteStaffMember(tx: Tx, personId: PersonId): Promise<void> {
  await tx.query(remove, [personId]);
}
