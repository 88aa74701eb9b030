import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { PersonId } from "../../src/domain/identity/people/person.ts";
import { openSession } from "../../src/domain/identity/people/sessions.ts";
import type { Shop } from "../base/shop.ts";
import { type Attack, atLeast, measure, mustBe } from "./attack.ts";
import { besideOthers, openShop, post } from "./shop.ts";

const seconds = 30;
/** A PDF has at most 10,000 lines, the one of the money that was there among them. */
const rows = 9_500;

export const longExports: Attack = {
  name: "long-exports",
  does: "a member takes files of 9,500 rows, all kinds at once and again and again; others may hardly notice.",
  secondsMax: 400,
  async run(ground) {
    const shop = await openShop(ground);
    ground.progress(`selling ${rows} times to the member's shop`);
    const cookie = await becomeMember(shop);
    const reference = "exported-1";
    const phones = Array.from({ length: rows - 1 }, (_, n) => `0803${String(1_000_000 + n * 7)}`);
    const order = { reference, product_id: shop.basket.product_id, phones };
    await post(shop, "/data/bulk", JSON.stringify(order));
    await untilSold(shop);
    const files = [
      "wallet/statement.pdf",
      "wallet/statement.csv",
      "transactions.csv",
      `bulk/${reference}/results.csv`,
      "bulk.csv",
    ];
    // The first PDF of a process loads what draws it, which holds it up once for a quarter of a second.
    await takeFiles(shop, { file: "wallet/statement.pdf", cookie }, AbortSignal.timeout(1));
    const attack = (signal: AbortSignal) => Promise.all(files.map((file) => takeFiles(shop, { file, cookie }, signal)));
    const { result: taken, figures } = await besideOthers(ground, shop, { seconds, attack });
    return [
      ...taken.map(({ file, whole, longestMs }) =>
        measure(file, `${whole} taken, longest ${Math.round(longestMs)} ms`),
      ),
      // One at a time: what is asked for meanwhile is told to wait.
      atLeast(
        "files taken",
        taken.map(({ whole }) => whole).reduce((sum, each) => sum + each),
        1,
      ),
      mustBe(
        "files refused or broken",
        taken.map(({ broken }) => broken).reduce((sum, each) => sum + each),
        0,
      ),
      ...figures,
    ];
  },
};

const insertMember = {
  name: "insert_attacking_member",
  text: `
    with person as (
      insert into people (realm, email, name, email_verified_at, created_at)
      values ('merchant', 'member@attack.example', 'Member', now(), now())
      returning id
    )
    insert into members (merchant_id, person_id, role, created_at)
    select max(m.id), p.id, 'owner', now()
      from merchants m, person p
     group by p.id
    returning person_id as "personId"`,
};

/** Makes a member of the attacker's shop, which was made last. @returns the cookie of their session */
async function becomeMember({ database }: Shop): Promise<string> {
  const [member] = await database.query<{ personId: PersonId }>(insertMember, []);
  if (member === undefined) throw new Error("there is nobody to log in");
  const clock = { now: () => Date.now() };
  const session = {
    personId: member.personId,
    realm: "merchant",
    level: "second_factor",
    address: "",
    agent: "",
  } as const;
  return `merchant=${await openSession(database, { clock, randomness: randomBytes }, session)}`;
}

const countPending = {
  name: "count_attacking_pending",
  text: "select count(*)::int as count from purchases where status = 'pending'",
};

async function untilSold({ database }: Shop): Promise<void> {
  for (let waited = 0; waited < 120; waited++) {
    const [pending] = await database.query<{ count: number }>(countPending, []);
    if (pending?.count === 0) return;
    await delay(1_000);
  }
  throw new Error("the order did not end");
}

/** One after the other, until it is stopped; what is under way then is finished. */
async function takeFiles(shop: Shop, { file, cookie }: { file: string; cookie: string }, signal: AbortSignal) {
  const taken = { file, whole: 0, broken: 0, longestMs: 0 };
  while (!signal.aborted) {
    const startedMs = performance.now();
    const answer = await fetch(`${shop.service.url}/test/${file}`, { headers: { cookie } });
    const bytes = (await answer.arrayBuffer().catch(() => new ArrayBuffer(0))).byteLength;
    if (answer.status === 200 && bytes > 0) taken.whole += 1;
    // A short file is asked for more often than anybody opens pages.
    else if (answer.status !== 429) taken.broken += 1;
    taken.longestMs = Math.max(taken.longestMs, performance.now() - startedMs);
    await delay(100);
  }
  return taken;
}
