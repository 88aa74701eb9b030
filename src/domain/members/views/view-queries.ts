import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { PersonId } from "../../identity/people/person.ts";
import { type StandingRow, standingColumns } from "../../merchants/queries.ts";
import type { StaffRole } from "../../staff/roles.ts";

/** A view that has not ended: its person, and the merchant. */
export interface ViewRow extends StandingRow {
  readonly personId: PersonId;
  readonly personName: string;
  readonly personEmail: string;
  /** Of the merchant. */
  readonly name: string;
  readonly email: string;
  readonly suspendedBecause: string | null;
  readonly endsAt: Instant;
}

const find = statement(
  "find_merchant_view",
  `select p.id as "personId",
          p.name as "personName",
          p.email as "personEmail",
          m.name,
          m.email,
          m.suspended_because as "suspendedBecause",
          v.ends_at as "endsAt",
          ${standingColumns}
     from merchant_views v
     join sessions l on l.token_hash = v.session_hash and l.realm = 'staff' and l.level = 'second_factor'
     join staff f on f.person_id = l.person_id
     join people p on p.id = l.person_id
     join merchants m on m.id = v.merchant_id
     join limit_tiers t on t.tier = m.limit_tier
     join platform_switches s on s.name = 'sandbox'
    where v.token_hash = $1
      and v.ends_at > $2
      and l.ends_at > $2
      and f.role = any ($3::text[])`,
);

/** Null where the view, or the session that it hangs on, has ended, or the person has none of these roles any more. */
export async function findViewRow(
  db: Queryable,
  { hash, now, roles }: { readonly hash: Buffer; readonly now: Instant; readonly roles: readonly StaffRole[] },
): Promise<ViewRow | null> {
  return (await db.query<ViewRow>(find, [hash, new Date(now), arrayOf(roles)]))[0] ?? null;
}

const insert = statement(
  "insert_merchant_view",
  `insert into merchant_views (session_hash, token_hash, merchant_id, created_at, ends_at)
   values ($1, $2, $3, $4, $5)
       on conflict (session_hash) do update
          set token_hash = excluded.token_hash,
              merchant_id = excluded.merchant_id,
              paths = '{}',
              created_at = excluded.created_at,
              ends_at = excluded.ends_at`,
);

/** Stores a session's view, in place of the one it had. */
export async function insertView(
  tx: Tx,
  view: {
    readonly sessionHash: Buffer;
    readonly hash: Buffer;
    readonly merchantId: MerchantId;
    readonly now: Instant;
    readonly endsAt: Instant;
  },
): Promise<void> {
  const { sessionHash, hash, merchantId, now, endsAt } = view;
  await tx.query(insert, [sessionHash, hash, merchantId, new Date(now), new Date(endsAt)]);
}

const updatePaths = statement(
  "update_view_paths",
  `update merchant_views
      set paths = array_append(paths, $2::text)
    where token_hash = $1
      and not $2::text = any (paths)
      and cardinality(paths) < $3
   returning 1`,
);

/** Notes a page that is about to be seen. False where it is noted, or so many are. */
export async function updateViewPaths(
  tx: Tx,
  { hash, path, countMax }: { readonly hash: Buffer; readonly path: string; readonly countMax: number },
): Promise<boolean> {
  return (await tx.query(updatePaths, [hash, path, countMax])).length === 1;
}

const findPaths = statement(
  "find_view_path",
  "select 1 from merchant_views where token_hash = $1 and $2::text = any (paths)",
);

export async function hasViewPath(db: Queryable, hash: Buffer, path: string): Promise<boolean> {
  return (await db.query(findPaths, [hash, path])).length === 1;
}

const deleteOne = statement(
  "delete_merchant_view",
  `delete from merchant_views
    where session_hash = $1
   returning merchant_id as "merchantId"`,
);

/** @returns the merchant whose dashboard was seen; null where the session had no view */
export async function deleteView(tx: Tx, sessionHash: Buffer): Promise<MerchantId | null> {
  return (await tx.query<{ merchantId: MerchantId }>(deleteOne, [sessionHash]))[0]?.merchantId ?? null;
}
