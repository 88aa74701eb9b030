import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

export type LogoType = "image/png" | "image/jpeg" | "image/svg+xml";

export interface CompanyRow {
  readonly name: string;
  readonly logo: Buffer | null;
  readonly logoType: LogoType | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly bankDetails: string | null;
}

const find = statement(
  "find_company",
  `select name,
          logo,
          logo_type as "logoType",
          support_email as "supportEmail",
          support_phone as "supportPhone",
          bank_details as "bankDetails"
     from company
    where id = 1`,
);

export async function findCompany(db: Queryable): Promise<CompanyRow | null> {
  return (await db.query<CompanyRow>(find))[0] ?? null;
}

const insert = statement(
  "insert_company",
  `insert into company (id, name, logo, logo_type, support_email, support_phone, bank_details, updated_at)
   values (1, $1, $2, $3, $4, $5, $6, $7)
       on conflict (id) do update
          set name = excluded.name,
              logo = excluded.logo,
              logo_type = excluded.logo_type,
              support_email = excluded.support_email,
              support_phone = excluded.support_phone,
              bank_details = excluded.bank_details,
              updated_at = excluded.updated_at`,
);

/** Stores the company, in place of what was there. */
export async function insertCompany(db: Queryable, company: CompanyRow, now: Instant): Promise<void> {
  const { name, logo, logoType, supportEmail, supportPhone, bankDetails } = company;
  await db.query(insert, [name, logo, logoType, supportEmail, supportPhone, bankDetails, new Date(now)]);
}
