import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { SignUpPolicy } from "../identity/people/send-notice.ts";

const find = statement("find_sign_up_policy", "select policy from sign_up_policy where id = 1");

/** Null where the company never set it. */
export async function findSignUpPolicy(db: Queryable): Promise<SignUpPolicy | null> {
  return (await db.query<{ policy: SignUpPolicy }>(find))[0]?.policy ?? null;
}

const insert = statement(
  "insert_sign_up_policy",
  `insert into sign_up_policy (id, policy, changed_at)
   values (1, $1, $2)
       on conflict (id) do update
          set policy = excluded.policy,
              changed_at = excluded.changed_at`,
);

/** Stores the policy, in place of the one before. */
export async function insertSignUpPolicy(tx: Tx, policy: SignUpPolicy, now: Instant): Promise<void> {
  await tx.query(insert, [policy, new Date(now)]);
}
