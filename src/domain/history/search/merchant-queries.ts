import type { MerchantId } from "../../../kernel/ids.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { BankReference } from "../../wallet/credit-queries.ts";

/** A merchant that is looked for by its id, a part of its name, or an email of it or of one of its people, or what its bank called a transfer. */
export interface SoughtMerchant {
  readonly id: MerchantId;
  readonly name: string;
  readonly email: string | null;
  readonly status: string;
}

const listSought = statement(
  "list_sought_merchants",
  `select m.id, m.name, m.email, m.status
     from merchants m
    where m.id = $1
       or lower(m.email) = lower($2)
       or strpos(lower(m.name), lower($2)) > 0
       or m.id in (
            select s.merchant_id
              from people p
              join members s
                on s.person_id = p.id
             where p.realm = 'merchant' and p.email = lower($2)
          )
       or m.id in (
            select c.merchant_id
              from wallet_credits c
             where c.bank_reference = $4
          )
       -- A credit that waits for a second person: its fields name the merchant as mer_17.
       or m.id in (
            select substr(h.fields::json ->> 'merchant', 5)::integer
              from change_subjects s
              join changes h
                on h.id = s.change_id
             where s.subject = 'bank reference ' || $4
          )
    order by m.id
    limit $3`,
);

/** By the one or the other: what is null finds nobody. Reads every merchant's name. */
export function listSoughtMerchants(
  db: Queryable,
  by: {
    readonly id: MerchantId | null;
    readonly text: string | null;
    readonly bankReference: BankReference | null;
  },
  limit: number,
): Promise<SoughtMerchant[]> {
  return db.query<SoughtMerchant>(listSought, [by.id, by.text, limit, by.bankReference]);
}
