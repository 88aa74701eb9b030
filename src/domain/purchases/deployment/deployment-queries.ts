import type { DeploymentNumber, PurchaseId } from "../../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";

const updateMissing = statement(
  "update_missing_deployment_number",
  `update deployment_numbers d
      set number = $1
    where d.number is null`,
);

/** Gives the deployment this number where it has none yet. Of several processes the first one's is kept. */
export async function updateMissingNumber(db: Queryable, number: number): Promise<void> {
  await db.query(updateMissing, [number]);
}

const listNumbers = statement(
  "list_deployment_numbers",
  `select d.number, d.from_purchase_id as "from"
     from deployment_numbers d
    where d.number is not null
    order by d.from_purchase_id`,
);

/** The numbers that the deployment has had, oldest first. */
export async function listDeploymentNumbers(db: Queryable): Promise<DeploymentNumber[]> {
  const rows = await db.query<{ number: bigint; from: PurchaseId }>(listNumbers);
  return rows.map(({ number, from }) => ({ number: Number(number), from }));
}

// From the millisecond after all that was bought, or where the last number was to begin.
const insertNumber = statement(
  "insert_deployment_number",
  `with newest as (
     select p.id
       from wallets w
      cross join lateral (
              select max(p.id) as id
                from purchases p
               where p.wallet_id = w.wallet_id
            ) p
     union all
     select max(o.id) from bulk_orders o
   ),
   next as (
     select greatest(
              (((select max(n.id) from newest n) >> 22) + 1) << 22,
              (select max(d.from_purchase_id) from deployment_numbers d)
            ) as id
   ),
   unused as (
     update deployment_numbers d
        set number = null
       from next n
      where d.from_purchase_id = n.id and d.number is not null
   )
   insert into deployment_numbers (from_purchase_id)
   select n.id
     from next n
    where not exists (select 1 from deployment_numbers d where d.from_purchase_id = n.id)`,
);

/** Has the next start draw a new number, for all that is bought from then on. No process may run. Safe to repeat. */
export async function insertDeploymentNumber(tx: Tx): Promise<void> {
  await tx.query(insertNumber);
}

/** A process that was stopped for longer has lost its number, and learns it when it extends the claim. */
const claimMinutes = 15;

// From the highest: the release before counts up from 0.
const claimNumber = statement(
  "claim_process_number",
  `update process_claims n
      set claimed_until = now() + make_interval(mins => $1),
          claims = n.claims + 1
    where n.number = (
            select f.number
              from process_claims f
             where f.claimed_until < now()
             order by f.claimed_until, f.number desc
             limit 1
               for update skip locked
          )
   returning n.number, n.claims`,
);

/** A process's own number from 0 to 1,023: the ten bits of process in its purchase ids. */
export interface ProcessNumber {
  readonly number: number;
  /** Which claim of this number it is. */
  readonly claims: bigint;
}

/** Claims the number that has been nobody's for longest; null where all are held. */
export async function claimProcessNumber(db: Queryable): Promise<ProcessNumber | null> {
  const [row] = await db.query<ProcessNumber>(claimNumber, [claimMinutes]);
  return row ?? null;
}

const updateClaim = statement(
  "update_process_number_claim",
  `update process_claims n
      set claimed_until = now() + make_interval(mins => $3)
    where n.number = $1 and n.claims = $2
   returning n.number`,
);

/** Extends a claim. @returns false where the number has become another process's */
export async function updateProcessNumberClaim(db: Queryable, { number, claims }: ProcessNumber): Promise<boolean> {
  return (await db.query(updateClaim, [number, claims, claimMinutes])).length > 0;
}

const findSalt = statement(
  "find_verification_salt",
  `select secret
     from deployment_secrets
    where name = 'verification'`,
);

/** The deployment's own part of the key of verification ids: 32 bytes. Null only where somebody deleted it. */
export async function findVerificationSalt(database: Queryable): Promise<Buffer | null> {
  const [row] = await database.query<{ secret: Buffer }>(findSalt);
  return row?.secret ?? null;
}
