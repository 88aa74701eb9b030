import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";

/** A merchant's business details. */
export interface BusinessDetails {
  readonly businessName: string;
  /** Null: not registered. */
  readonly registrationNumber: string | null;
  readonly address: string;
  readonly phone: string;
  readonly website: string | null;
  /** What it sells, in its own words. */
  readonly sells: string;
}

/** The same as stored, and whether live access was asked for with them. */
export interface StoredDetails extends BusinessDetails {
  readonly requestedBy: string;
  /** Null: not yet. */
  readonly requestedAt: Instant | null;
  /** Why it was refused last; null where it was not, or is asked for anew. */
  readonly refusedBecause: string | null;
}

const columns = `r.business_name as "businessName", r.registration_number as "registrationNumber", r.address, r.phone,
          r.website, r.sells, r.requested_by as "requestedBy", r.requested_at as "requestedAt",
          r.refused_because as "refusedBecause"`;

const find = statement(
  "find_business_details",
  `select ${columns}
     from live_access_requests r
    where r.merchant_id = $1`,
);

export async function findBusinessDetails(db: Queryable, merchantId: MerchantId): Promise<StoredDetails | null> {
  return (await db.query<StoredDetails>(find, [merchantId]))[0] ?? null;
}

const insert = statement(
  "insert_business_details",
  `insert into live_access_requests
     (merchant_id, business_name, registration_number, address, phone, website, sells, requested_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (merchant_id) do update
          set business_name = excluded.business_name,
              registration_number = excluded.registration_number,
              address = excluded.address,
              phone = excluded.phone,
              website = excluded.website,
              sells = excluded.sells,
              requested_by = excluded.requested_by`,
);

/** Stores details in place of those that were; whether live access was asked for stays as it is. */
export async function insertBusinessDetails(
  tx: Tx,
  merchantId: MerchantId,
  details: BusinessDetails & { readonly requestedBy: string },
): Promise<void> {
  const { businessName, registrationNumber, address, phone, website, sells, requestedBy } = details;
  await tx.query(insert, [merchantId, businessName, registrationNumber, address, phone, website, sells, requestedBy]);
}

const updateRequested = statement(
  "update_live_access_requested",
  `update live_access_requests
      set requested_at = $2,
          requested_by = $3,
          refused_because = null
    where merchant_id = $1
      and requested_at is null
   returning 1`,
);

/** Asks for live access: true for one caller alone. */
export async function updateLiveAccessRequested(
  tx: Tx,
  merchantId: MerchantId,
  { now, by }: { readonly now: Instant; readonly by: string },
): Promise<boolean> {
  return (await tx.query(updateRequested, [merchantId, new Date(now), by])).length === 1;
}

const updateRefused = statement(
  "update_live_access_refused",
  `update live_access_requests
      set requested_at = null,
          refused_because = $2
    where merchant_id = $1
      and requested_at is not null
   returning 1`,
);

/** Refuses live access, which may be asked for again. False where nobody waits for it. */
export async function updateLiveAccessRefused(tx: Tx, merchantId: MerchantId, reason: string): Promise<boolean> {
  return (await tx.query(updateRefused, [merchantId, reason])).length === 1;
}

/** A merchant that asked for live access. */
export interface LiveAccessRequest extends StoredDetails {
  readonly merchantId: MerchantId;
  readonly name: string;
  readonly isApproved: boolean;
}

const list = statement(
  "list_live_access_requests",
  `select m.id as "merchantId",
          m.name,
          m.api_approved_at is not null as "isApproved",
          ${columns}
     from live_access_requests r
     join merchants m on m.id = r.merchant_id
    where r.requested_at is not null
      and ($1 or m.api_approved_at is null)
    order by r.requested_at, m.id
    limit 500`,
);

/** Merchants that asked for live access and wait, or all that ever asked; the first one first. */
export function listLiveAccessRequests(
  db: Queryable,
  { all }: { readonly all: boolean },
): Promise<LiveAccessRequest[]> {
  return db.query<LiveAccessRequest>(list, [all]);
}
