import { expect, test } from "vitest";
import { may } from "../../src/console/merchant/access.ts";
import { fillShop } from "../support/busy-shop.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

const word = "Canary of the other shop";
const phone = "08037654321";

const receiver = closing(await startReceiver((response) => response.writeHead(200).end()));
const service = closing(
  await startConsole({ sandboxPendingSeconds: 1, webhooks: { ...testWebhooks, allowPrivate: true } }),
);
const merchant = await service.app.createMerchant();
const other = await service.member("owner", merchant.id);
const ids = await fill({ merchant, owner: other, prefix: "canary", word, phone });

/**
 * Something of everything, and a second endpoint, whose row is its own. Workers run for as long as this does: what they
 * do later would look like a change. @returns the ids of it all
 */
async function fill(shop: Omit<Parameters<typeof fillShop>[1], "webhookUrl">): Promise<readonly string[]> {
  const stopWorkers = service.app.services.startWorkers();
  const found = await fillShop(service, { ...shop, webhookUrl: receiver.url });
  const hook = { url: receiver.url, description: shop.word, mode: "live", notify: "changes", which: "all" };
  expect((await shop.owner.send("/test/webhooks/endpoints/new", hook)).status).toBe(200);
  await stopWorkers();
  return [...new Set([...found, ...((await shop.owner.get("/test/webhooks")).text.match(/whe_[0-9a-z]+/g) ?? [])])];
}

async function rowsOf(text: string) {
  return (await service.app.fresh.pool.query(text, [other.merchantId])).rows;
}

/** Every row of the other merchant, but for the log of its own requests and what workers count. */
async function digest(): Promise<string> {
  const { rows: tables } = await service.app.fresh.pool.query<{ name: string }>(
    `select c.table_name as name
       from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public'
        and c.column_name in ('merchant_id', 'wallet_id')
        and t.table_type = 'BASE TABLE'
        and c.table_name not like 'request%'
        and c.table_name not like '%\\_counts'
      order by 1`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const digests: string[] = [];
  for (const { name } of tables) {
    const [row] = await rowsOf(
      `select coalesce(string_agg(t.text, E'\\n' order by t.text), '') as rows
         from (select (to_jsonb(s) - 'counted_id')::text as text from ${name} s
                where $1 in (to_jsonb(s) ->> 'merchant_id', ltrim(to_jsonb(s) ->> 'wallet_id', '-'))) t`,
    );
    digests.push(`${name} ${row.rows}`);
  }
  return digests.join("\n");
}

type Route = (typeof service.routes)[number];

/** Keys, endpoints, customers and people are of both modes, the others of the sandbox alone. */
const ofBothModes = /^(key_|whe_|ben_|mer_|\d+$)/;
const isForeignToLive = ({ mode }: Route, id: string) => mode === "live" && !ofBothModes.test(id);

/**
 * Looks at each route with ids, eight routes beside each other. Where `isSampled`, a route gets a quarter of them, so that
 * four beside each other get them all.
 */
async function ofEachId(
  routes: readonly Route[],
  look: (route: Route, id: string) => Promise<void>,
  isSampled: (route: Route, id: string) => boolean = isForeignToLive,
): Promise<void> {
  for (let first = 0; first < routes.length; first += 8) {
    const some = routes.slice(first, first + 8).map(async (route, at) => {
      const sample = ids.filter((id, number) => !isSampled(route, id) || number % 4 === at % 4);
      for (const id of sample) await look(route, id);
    });
    await Promise.all(some);
  }
}

test("what another merchant has is found by none of its ids, shown on no page, and changed by no form", async () => {
  expect(ids.length).toBeGreaterThan(12);
  expect((await other.get("/test/webhooks")).text).toContain(word);
  const before = await digest();
  const owner = await service.member("owner");
  const wrong: string[] = [];
  const named = service.routes.filter(({ path }) => path.includes(":"));
  expect(named.length).toBeGreaterThan(15);
  await ofEachId(named, async ({ method, path }, id) => {
    // A bare number, such as an invitation's, names a key of one's own as well.
    if (/^\d+$/.test(id) && path.includes(":key")) return;
    const calls = path.replace(/:\w+/g, encodeURIComponent(id));
    const { status, text } = method === "GET" ? await owner.get(calls) : await owner.send(calls, fieldsOf(id));
    if (method === "GET" && status !== 404) wrong.push(`${path} answers ${status} for ${id}`);
    if (text.includes(word) || text.includes(phone)) wrong.push(`${path} shows something of ${id}`);
  });
  expect([...new Set(wrong)]).toEqual([]);
  expect(await digest()).toBe(before);
});

test("what one does with what is one's own changes nothing of another's", async () => {
  const merchant = await service.app.createMerchant();
  const owner = await service.member("owner", merchant.id);
  const own = await fill({ merchant, owner, prefix: "mine", word: "Mine", phone });
  const before = await digest();
  const removed = async () => (await owner.get("/test/webhooks")).text.includes("No endpoints yet");
  for (const { method, path } of service.routes.filter((route) => route.method === "POST")) {
    for (const id of path.includes(":") ? own : [""]) {
      const { status } = await owner.send(path.replace(/:\w+/g, encodeURIComponent(id)), fieldsOf(id));
      // A busy machine may say 503, and does nothing then.
      expect([method, path, id, status < 500 || status === 503]).toEqual([method, path, id, true]);
    }
  }
  expect(await removed()).toBe(true);
  expect(await digest()).toBe(before);
});

/** The names that forms give ids by. */
function fieldsOf(id: string): Record<string, string> {
  const names = [
    "id",
    "person",
    "key",
    "endpoint",
    "delivery",
    "beneficiary",
    "invitation",
    "session",
    "reference",
    "name",
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, id])),
    do: "remove",
    role: "viewer",
    event: "webhook.test",
  };
}

test("an id of another merchant in a form or a filter changes and shows nothing", async () => {
  const before = await digest();
  const owner = await service.member("owner");
  const wrong: string[] = [];
  const unnamed = service.routes.filter(({ path, capability }) => !/[:*]/.test(path) && may("owner", capability));
  const look = async ({ method, path }: Route, id: string) => {
    const query = new URLSearchParams({ ...fieldsOf(id), q: id, open: id, name: id, text: id });
    const { text } = method === "GET" ? await owner.get(`${path}?${query}`) : await owner.send(path, fieldsOf(id));
    if (text.includes(word) || text.replaceAll(`value="${phone}"`, "").includes(phone))
      wrong.push(`${path} shows something of ${id}`);
  };
  await ofEachId(unnamed, look, (route, id) => route.method === "GET" || isForeignToLive(route, id));
  expect([...new Set(wrong)]).toEqual([]);
  expect(await digest()).toBe(before);
});
