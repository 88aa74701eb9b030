import type { Instant } from "../../../kernel/clock.ts";
import { type ProductId, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { PersonId } from "../../identity/people/person.ts";

/** Somebody who was sold to by hand, and the last sale. */
export interface LastCustomer {
  readonly customerRef: string;
  readonly phone: string | null;
  readonly productId: ProductId;
  /** What the customer paid, without a fee. */
  readonly amount: Kobo;
  readonly purchasedAt: Instant;
}

// Of the newest sales alone, whoever made them: the read is as short for a wallet with ten million of them.
const listLast = statement(
  "list_last_customers",
  `select customer_ref as "customerRef", phone, product_id as "productId", amount, purchased_at as "purchasedAt"
     from (
            select distinct on (customer_ref) id, customer_ref, phone, product_id, amount, purchased_at
              from (
                     select id, reference, customer_ref, phone, product_id, unit_amount * quantity as amount, purchased_at,
                            channel, status
                       from purchases
                      where wallet_id = $1
                      order by id desc
                      limit 500
                   ) newest
             where channel = 'dashboard'
               and status <> 'failed'
               and customer_ref is not null
               and ($2::integer is null
                 or exists (
                      select 1
                        from console_sales s
                       where s.wallet_id = $1
                         and s.reference = newest.reference
                         and s.person_id = $2
                    ))
             order by customer_ref, id desc
          ) last
    order by id desc`,
);

/** A wallet's last customers at the counter, of everybody or of one person, the newest first, each once. */
export function listLastCustomers(
  db: Queryable,
  wallet: WalletKey,
  personId: PersonId | null,
): Promise<LastCustomer[]> {
  return db.query<LastCustomer>(listLast, [walletIdOf(wallet), personId]);
}
