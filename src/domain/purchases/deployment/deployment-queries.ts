import { assert } from "../../../kernel/assert.ts";
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

const claimNumber = statement("claim_process_number", "select nextval('process_numbers')::integer as number");

/** A number from 0 to 1,023 that no process of the last 1,023 starts got: the ten bits of process in a purchase id. */
export async function claimProcessNumber(database: Queryable): Promise<number> {
  const [row] = await database.query<{ number: number }>(claimNumber);
  assert(row !== undefined, "a sequence has a next value");
  return row.number;
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
