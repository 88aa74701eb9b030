import { type Queryable, statement } from "../../platform/database.ts";

const findSecret = statement(
  "find_verification_secret",
  `select secret
     from deployment_secrets
    where name = 'verification'`,
);

/** The key of verification ids: 32 bytes. Null only where somebody deleted it. */
export async function findVerificationSecret(database: Queryable): Promise<Buffer | null> {
  const [row] = await database.query<{ secret: Buffer }>(findSecret);
  return row?.secret ?? null;
}
