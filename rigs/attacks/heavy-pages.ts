import { randomBytes } from "node:crypto";
import { hashToken } from "../../src/domain/identity/people/sessions.ts";
import type { Shop } from "../base/shop.ts";
import { type Attack, atLeast, type Figure, measure } from "./attack.ts";
import { besideOthers, openShop, post } from "./shop.ts";

const seconds = 15;
const connections = 6;
const products = 5_000;
const lines = 2_000;

export const heavyPages: Attack = {
  name: "heavy-pages",
  does: "one person reloads the heaviest pages on six connections; others may hardly notice.",
  secondsMax: 400,
  async run(ground) {
    const shop = await openShop(ground);
    await shop.database.query(insertProducts, [products]);
    const phones = Array.from({ length: lines }, (_, n) => `0803${String(1_000_000 + n * 7)}`);
    await post(shop, "/data/bulk", JSON.stringify({ reference: "sold-1", product_id: shop.basket.product_id, phones }));
    const { staff, member, merchant } = await enterPeople(shop);
    const figures: Figure[] = [];
    for (const [what, path, cookie] of [
      ["prices", "/operator/prices", `staff=${staff}`],
      ["a merchant", `/operator/merchants/mer_${merchant}`, `staff=${staff}`],
      ["reports", "/operator/reports?by=day&days=365", `staff=${staff}`],
      ["a statement as PDF", "/test/wallet/statement.pdf", `merchant=${member}`],
    ] as const) {
      const attack = async (signal: AbortSignal) => {
        const opened = Array.from({ length: connections }, () => reload(shop, { path, cookie }, signal));
        return (await Promise.all(opened)).reduce((sum, each) => sum + each, 0);
      };
      ground.progress(what);
      const beside = await besideOthers(ground, shop, { seconds, attack });
      figures.push(atLeast(`${what}: answers`, beside.result, 1));
      figures.push(...beside.figures.map((figure) => ({ ...figure, what: `${what}: ${figure.what}` })));
    }
    return [measure("products", products), ...figures];
  },
};

const insertProducts = {
  name: "insert_heavy_products",
  text: `
    with copied as (
      insert into products (id, code, biller_slug, name, plan, plan_type, validity, amount_type, face_amount, price, attributes)
      select 100000 + row_number() over (), p.code || '-' || k, p.biller_slug, left(p.name || ' ' || k, 150), p.plan,
             p.plan_type, p.validity, p.amount_type, p.face_amount, p.price, p.attributes
        from products p
       cross join generate_series(1, $1::integer) as k
       where p.amount_type = 'fixed' and p.price is not null and p.foreign_face is null and p.available
       limit $1
      returning id
    )
    update revisions set revision = revision + 1 where subject = 'catalogue' and exists (select 1 from copied)`,
};

// An admin of the company, and an owner of the merchant that was made last; each with a session.
const insertPeople = {
  name: "insert_heavy_people",
  text: `
    with entered as (
      insert into people (realm, email, name, email_verified_at, created_at, totp_seed, totp_confirmed_at)
      values ('staff', 'admin@attack.example', 'Admin', now(), now(), 'a.b.c', now()),
             ('merchant', 'owner@attack.example', 'Owner', now(), now(), null, null)
      returning id, realm
    ),
    placed as (
      insert into staff (person_id, role, created_at) select id, 'admin', now() from entered where realm = 'staff'
    ),
    joined as (
      insert into members (merchant_id, person_id, role, created_at)
      select (select max(id) from merchants), id, 'owner', now() from entered where realm = 'merchant'
    ),
    opened as (
      insert into sessions (token_hash, person_id, realm, level, factor_at, created_at, seen_at, ends_at, address, agent)
      select case realm when 'staff' then $1::bytea else $2::bytea end, id, realm, 'second_factor', now(), now(), now(),
             now() + interval '1 day', '', 'attack'
        from entered
    )
    select max(id) as merchant from merchants`,
};

async function enterPeople({ database }: Shop) {
  const [staff, member] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  const [row] = await database.query<{ merchant: number }>(insertPeople, [hashToken(staff), hashToken(member)]);
  return { staff, member, merchant: row?.merchant ?? 0 };
}

/** One answer after the other, each read to its end. @returns how many */
async function reload({ service }: Shop, page: { path: string; cookie: string }, signal: AbortSignal): Promise<number> {
  let answers = 0;
  for (; !signal.aborted; answers++) {
    const answer = await fetch(`${service.url}${page.path}`, { headers: { cookie: page.cookie }, redirect: "manual" });
    await answer.arrayBuffer().catch(() => null);
  }
  return answers;
}
