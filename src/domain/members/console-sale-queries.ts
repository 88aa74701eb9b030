import type { Instant } from "../../kernel/clock.ts";
import { type Reference, type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";

interface SaleKey {
  readonly wallet: WalletKey;
  readonly reference: Reference;
  readonly personId: PersonId;
}

// Of a purchase or bulk order that is there nobody becomes the seller, and of a refused one nobody but who tried it first.
const insert = statement(
  "insert_console_sale",
  `insert into console_sales as s (wallet_id, reference, person_id, sold_at)
   select $1, $2, $3, $4
    where not exists (select 1 from purchases p where p.wallet_id = $1 and p.reference = $2 and p.reference <> '')
      and not exists (select 1 from bulk_orders b where b.wallet_id = $1 and b.reference = $2 and b.reference <> '')
       on conflict (wallet_id, reference) do update
          set sold_at = excluded.sold_at
        where s.person_id = excluded.person_id`,
);

/** Notes who is about to sell something in the console, before it is bought. Safe to repeat. */
export async function insertConsoleSale(
  tx: Tx,
  { wallet, reference, personId, now }: SaleKey & { readonly now: Instant },
): Promise<void> {
  await tx.query(insert, [walletIdOf(wallet), reference, personId, new Date(now)]);
}

const find = statement(
  "find_console_sale",
  "select 1 from console_sales where wallet_id = $1 and reference = $2 and person_id = $3",
);

/** Whether a person sold it. Of purchases by other doors it says nothing. */
export async function isConsoleSaleOf(db: Queryable, { wallet, reference, personId }: SaleKey): Promise<boolean> {
  return (await db.query(find, [walletIdOf(wallet), reference, personId])).length === 1;
}

const purge = statement(
  "delete_old_sandbox_sales",
  `delete from console_sales
    where (wallet_id, reference) in (
            select wallet_id, reference
              from console_sales
             where wallet_id < 0
               and sold_at < $1
             limit $2
          )
   returning 1`,
);

/** Forgets who sold what in the sandbox, whose purchases are deleted as well. @returns how many */
export async function deleteOldSandboxSales(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(purge, [new Date(before), limit])).length;
}
