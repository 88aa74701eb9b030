import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { Person, PersonId } from "../identity/people/person.ts";
import type { EmailKind } from "./email-kinds.ts";
import type { Role } from "./roles.ts";

/** 0: the person's own account, whichever merchant they work for. */
export type ChoiceScope = MerchantId | 0;

interface Choice {
  readonly kind: EmailKind;
  readonly merchantId: ChoiceScope;
  readonly isOn: boolean;
}

const list = statement(
  "list_email_choices",
  `select kind,
          merchant_id as "merchantId",
          is_on as "isOn"
     from email_choices
    where person_id = $1
      and merchant_id in (0, $2)`,
);

/** What a person chose for their account and a merchant. What is not among it is as usual. */
export function listEmailChoices(db: Queryable, personId: PersonId, merchantId: ChoiceScope): Promise<Choice[]> {
  return db.query<Choice>(list, [personId, merchantId]);
}

const insert = statement(
  "insert_email_choices",
  `insert into email_choices as c (person_id, merchant_id, kind, is_on, changed_at)
   select $1, i.merchant_id, i.kind, i.is_on, $5
     from unnest($2::integer[], $3::text[], $4::boolean[]) as i (merchant_id, kind, is_on)
       on conflict (person_id, merchant_id, kind) do update
          set is_on = excluded.is_on,
              changed_at = excluded.changed_at
        where c.is_on <> excluded.is_on`,
);

export async function insertEmailChoices(
  db: Queryable,
  personId: PersonId,
  choices: readonly Choice[],
  now: Instant,
): Promise<void> {
  await db.query(insert, [
    personId,
    arrayOf(choices.map(({ merchantId }) => merchantId)),
    arrayOf(choices.map(({ kind }) => kind)),
    arrayOf(choices.map(({ isOn }) => isOn)),
    new Date(now),
  ]);
}

const listReaders = statement(
  "list_email_readers",
  `select b.merchant_id as "merchantId",
          p.email,
          p.name
     from members b
     join people p on p.id = b.person_id
     left join email_choices c
       on c.person_id = b.person_id
      and c.merchant_id = b.merchant_id
      and c.kind = $2
    where b.merchant_id = any ($1::integer[])
      and b.role = any ($3::text[])
      and p.email_verified_at is not null
      and coalesce(c.is_on, $4)
    order by b.created_at, b.person_id
    limit $5`,
);

/** Somebody of a merchant who gets emails of a kind. */
export type EmailReader = Pick<Person, "email" | "name"> & { readonly merchantId: MerchantId };

const readersMax = 500;

/** Merchants' people who get emails of a kind: of these roles, with a confirmed address, who did not turn them off. */
export function listEmailReaders(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  { kind, roles, isUsual }: { readonly kind: EmailKind; readonly roles: readonly Role[]; readonly isUsual: boolean },
): Promise<EmailReader[]> {
  const values = [arrayOf(merchantIds), kind, arrayOf(roles), isUsual, readersMax * merchantIds.length];
  return db.query(listReaders, values);
}

const insertSent = statement(
  "insert_sent_notice",
  `insert into sent_notices (merchant_id, kind, subject, written_at)
   values ($1, $2, $3, $4)
       on conflict (merchant_id, kind, subject) do nothing
   returning 1`,
);

/** What a team is written to about once: true for the one caller who writes, in the same transaction. */
export async function insertSentNotice(
  tx: Tx,
  notice: { readonly merchantId: MerchantId; readonly kind: string; readonly subject: string; readonly now: Instant },
): Promise<boolean> {
  const { merchantId, kind, subject, now } = notice;
  return (await tx.query(insertSent, [merchantId, kind, subject, new Date(now)])).length === 1;
}

const purge = statement(
  "delete_old_sent_notices",
  `delete from sent_notices
    where (merchant_id, kind, subject) in (
            select merchant_id, kind, subject from sent_notices where written_at < $1 limit $2
          )
   returning 1`,
);

/** @returns how many were deleted */
export async function deleteOldSentNotices(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(purge, [new Date(before), limit])).length;
}

const listDueStatements = statement(
  "list_due_monthly_statements",
  `select distinct c.merchant_id as "merchantId"
     from email_choices c
     join members b
       on b.person_id = c.person_id
      and b.merchant_id = c.merchant_id
    where c.kind = 'monthly_statement'
      and c.is_on
      and c.changed_at < $1
      and b.role = any ($3::text[])
      and not exists (
            select 1
              from sent_notices n
             where n.merchant_id = c.merchant_id
               and n.kind = 'monthly_statement'
               and n.subject = $2
          )
    limit $4`,
);

/** Merchants with somebody who chose the statement before `chosenBefore`, and who were not written that of `month` yet. */
export async function listMerchantsDueStatement(
  db: Queryable,
  due: {
    readonly chosenBefore: Instant;
    readonly month: string;
    readonly roles: readonly Role[];
    readonly limit: number;
  },
): Promise<MerchantId[]> {
  const values = [new Date(due.chosenBefore), due.month, arrayOf(due.roles), due.limit];
  return (await db.query<{ merchantId: MerchantId }>(listDueStatements, values)).map(({ merchantId }) => merchantId);
}
