import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import { type StandingRow, standingColumns } from "../merchants/queries.ts";
import type { Role } from "./roles.ts";

/** A person's place in a merchant, and how the merchant stands: one row. */
export interface MembershipRow extends StandingRow {
  readonly role: Role;
  readonly name: string;
  readonly email: string;
  /** Why it is suspended, for its people; null where nobody said. */
  readonly suspendedBecause: string | null;
  readonly needsTwoStep: boolean;
}

const listOfPerson = statement(
  "list_memberships",
  `select b.role,
          m.name,
          m.email,
          m.suspended_because as "suspendedBecause",
          exists (select 1 from two_step_rules r where r.merchant_id = b.merchant_id) as "needsTwoStep",
          ${standingColumns}
     from members b
     join merchants m on m.id = b.merchant_id
     join limit_tiers t on t.tier = m.limit_tier
     join platform_switches s on s.name = 'sandbox'
    where b.person_id = $1
    order by m.name, m.id
    limit 200`,
);

/** A person's places in merchants, by the merchants' names. */
export function listMembershipRows(db: Queryable, personId: PersonId): Promise<MembershipRow[]> {
  return db.query<MembershipRow>(listOfPerson, [personId]);
}

/** A member, as the others see it. */
export interface Member {
  readonly personId: PersonId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isVerified: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  /** Null: not logged in at present. */
  readonly lastSeenAt: Instant | null;
  readonly createdAt: Instant;
}

const listOfMerchant = statement(
  "list_members",
  `select b.person_id as "personId",
          p.email,
          p.name,
          b.role,
          p.email_verified_at is not null as "isVerified",
          p.totp_confirmed_at is not null as "hasTotp",
          (select count(*)::integer from passkeys k where k.person_id = b.person_id) as passkeys,
          (select max(s.seen_at) from sessions s where s.person_id = b.person_id) as "lastSeenAt",
          b.created_at as "createdAt"
     from members b
     join people p on p.id = b.person_id
    where b.merchant_id = $1
    order by b.created_at, b.person_id
    limit 500`,
);

/** A merchant's members, the first one first. */
export function listMembers(db: Queryable, merchantId: MerchantId): Promise<Member[]> {
  return db.query<Member>(listOfMerchant, [merchantId]);
}

const insert = statement(
  "insert_member",
  `insert into members (merchant_id, person_id, role, created_at)
   values ($1, $2, $3, $4)
       on conflict (merchant_id, person_id) do nothing
   returning 1`,
);

/** False where the person is a member already. */
export async function insertMember(
  tx: Tx,
  member: {
    readonly merchantId: MerchantId;
    readonly personId: PersonId;
    readonly role: Role;
    readonly now: Instant;
  },
): Promise<boolean> {
  const { merchantId, personId, role, now } = member;
  return (await tx.query(insert, [merchantId, personId, role, new Date(now)])).length === 1;
}

const updateRole = statement(
  "update_member_role",
  `update members
      set role = $3
    where merchant_id = $1
      and person_id = $2`,
);

export async function updateMemberRole(
  tx: Tx,
  { merchantId, personId, role }: { readonly merchantId: MerchantId; readonly personId: PersonId; readonly role: Role },
): Promise<void> {
  await tx.query(updateRole, [merchantId, personId, role]);
}

const insertRule = statement(
  "insert_two_step_rule",
  `insert into two_step_rules (merchant_id, required_at)
   values ($1, $2)
       on conflict (merchant_id) do nothing
   returning 1`,
);

/** Has everybody on a team need two-step login. False where it was so before. */
export async function insertTwoStepRule(tx: Tx, merchantId: MerchantId, now: Instant): Promise<boolean> {
  return (await tx.query(insertRule, [merchantId, new Date(now)])).length === 1;
}

const deleteRule = statement("delete_two_step_rule", "delete from two_step_rules where merchant_id = $1 returning 1");

/** False where there was none. */
export async function deleteTwoStepRule(tx: Tx, merchantId: MerchantId): Promise<boolean> {
  return (await tx.query(deleteRule, [merchantId])).length === 1;
}

const deleteOne = statement("delete_member", "delete from members where merchant_id = $1 and person_id = $2");

export async function deleteMember(tx: Tx, merchantId: MerchantId, personId: PersonId): Promise<void> {
  await tx.query(deleteOne, [merchantId, personId]);
}

// A tier's row takes the place of the base price as a whole; where there is none, the base price is what is paid.
const listRepriced = statement(
  "list_repriced_products",
  `select p.id
     from products p
     left join tier_prices a on a.product_id = p.id and a.tier = $2
     left join tier_prices b on b.product_id = p.id and b.tier = $3
    where case
            when a.tier is null then (p.price, p.price_basis_points, p.fee, p.fee_basis_points, p.fee_cap)
            else (a.price, a.price_basis_points, a.fee, a.fee_basis_points, a.fee_cap)
          end is distinct from case
            when b.tier is null then (p.price, p.price_basis_points, p.fee, p.fee_basis_points, p.fee_cap)
            else (b.price, b.price_basis_points, b.fee, b.fee_basis_points, b.fee_cap)
          end
      and not exists (select 1 from merchant_prices m where m.merchant_id = $1 and m.product_id = p.id)
    order by p.id`,
);

/** Products with another price in the one tier than in the other, except where the merchant has a price of its own. */
export async function listRepricedProducts(
  tx: Tx,
  merchantId: MerchantId,
  tiers: { readonly from: number; readonly to: number },
): Promise<ProductId[]> {
  const rows = await tx.query<{ id: ProductId }>(listRepriced, [merchantId, tiers.from, tiers.to]);
  return rows.map(({ id }) => id);
}
