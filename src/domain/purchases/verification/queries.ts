import { type Queryable, statement } from "../../../platform/database/database.ts";

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
