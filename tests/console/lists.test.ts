import { describe, expect, test } from "vitest";
import { fillCompany } from "../support/busy-company.ts";
import { fillShop } from "../support/busy-shop.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

const receiver = closing(await startReceiver((response) => response.writeHead(200).end()));
const suppliers = [openFakeSupplier("first"), openFakeSupplier("second")] as const;
const webhooks = { ...testWebhooks, allowPrivate: true };
const service = closing(await startConsole({ suppliers, workers: true, sandboxPendingSeconds: 1, webhooks }));
const merchant = await service.app.createMerchant();
const owner = await service.member("owner", merchant.id);
const stranger = await service.member("owner");
const shop = { merchant, owner, prefix: "order", word: "Mama Tolu", phone: "08031234561", webhookUrl: receiver.url };
await fillShop(service, shop);
const { admin } = await fillCompany(service, { suppliers, word: "Kano" });
const waiting = "select count(*)::int as count from purchases where abs(wallet_id) = $1 and status = 'pending'";
await waitUntil(
  async () => (await service.app.fresh.pool.query(waiting, [merchant.id])).rows[0].count === 0,
  "all purchases to end",
);

interface Reader {
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

interface DeclaredList {
  readonly at: string;
  readonly file: string | null;
  readonly fileMay: string | null;
}

/** The declared lists below some addresses, and where each one's file is. */
function listsOf(
  routes: typeof service.routes | typeof service.operatorRoutes,
  begins: RegExp,
  named: Readonly<Record<string, string>>,
): DeclaredList[] {
  const filled = (path: string) => path.replace(/:(\w+)/g, (_, name) => named[name] ?? name);
  return routes.flatMap(({ path, mode, list }) => {
    if (list === undefined || !begins.test(path)) return [];
    const file = list.file === null ? null : `${mode === null ? "" : `/${mode}`}${list.file}`;
    const fileMay = routes.find((route) => route.path === file)?.capability ?? null;
    return [{ at: filled(path), file: file === null ? null : filled(file), fileMay }];
  });
}

const consoles = [
  {
    name: "the merchants’ console",
    reader: owner as Reader,
    empty: stranger as Reader,
    lists: listsOf(service.routes, /^\/(test|account)\//, { reference: "order-bulk" }),
  },
  {
    name: "the company’s console",
    reader: admin as Reader,
    empty: null,
    lists: listsOf(service.operatorRoutes, /./, { id: `mer_${service.app.merchant.id}` }),
  },
];

/** Rows of the page's longest table: charts have one too, and what stands below the list. */
function rowsIn(text: string): number {
  const bodies = [...text.matchAll(/<tbody[^>]*>(.*?)<\/tbody>/gs)].map(
    ([, body = ""]) => body.match(/<tr/g)?.length ?? 0,
  );
  return Math.max(0, ...bodies);
}

/** Addresses of the list with one of the filters that it offers. */
function filteredBy({ at }: DeclaredList, text: string): string[] {
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  return [...new Set(links)].filter((href) => href.startsWith(`${at}?`) && !/[?&](page|before|open|upto)=/.test(href));
}

function namesIn(text: string): string[] {
  const [filters = ""] = /<form class="filters".*?<\/form>/s.exec(text) ?? [];
  return [...new Set([...filters.matchAll(/name="([a-z_]+)"/g)].map(([, name = ""]) => name))];
}

const behindAll = ["page=99999999999999999999", "before=0", "before=1", "before=x"];

describe.each(consoles)("each list of $name", ({ reader, empty, lists }) => {
  test("has rows, and has them as well where its address names a page or place behind the last one", async () => {
    const full: string[] = [];
    const wrong: string[] = [];
    for (const { at } of lists) {
      const first = await reader.get(at);
      if (first.status !== 200) wrong.push(`${at} answered ${first.status}`);
      if (rowsIn(first.text) === 0) continue;
      full.push(at);
      // Four lists beside each other get all of the others.
      for (const behind of ["page=9", behindAll[full.length % behindAll.length]!]) {
        const { status, text } = await reader.get(`${at}?${behind}`);
        if (status !== 200 || rowsIn(text) === 0 || text.includes('class="empty"')) wrong.push(`${at}?${behind}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([lists.length, full.length]).toEqual([lists.length, expect.toSatisfy((count: number) => count >= 8)]);
  });

  test("says what of its filters nobody can read, where its file is refused, and has no file that reads it otherwise", async () => {
    const wrong: string[] = [];
    let ignored = 0;
    for (const { at, file } of lists) {
      for (const name of namesIn((await reader.get(at)).text)) {
        const typed = `?${name}=nonsense`;
        const { status, text } = await reader.get(`${at}${typed}`);
        const isIgnored = text.includes("Ignored “nonsense”");
        if (isIgnored) ignored += 1;
        if (status !== 200) wrong.push(`${at}${typed} answered ${status}`);
        const taken = file === null ? null : await reader.get(`${file}${typed}`);
        if (taken !== null && taken.status !== (isIgnored ? 400 : 200))
          wrong.push(`${file}${typed} answered ${taken.status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(ignored).toBeGreaterThan(8);
  });

  test("has a file with as many lines as the list has rows, whatever filters it: fewer where it shows fewer", async () => {
    const wrong: string[] = [];
    const narrowed = new Set<string>();
    // A product has several routes, and of an order there is the whole as a file.
    for (const list of lists.filter(({ at }) => !/^\/operator\/routes$|order-bulk/.test(at))) {
      const first = await reader.get(list.at);
      if (list.file === null || !first.text.includes(`href="${list.file}`)) continue;
      const typed = namesIn(first.text).map((name) => `${list.at}?${name}=zzzzzz`);
      for (const address of [list.at, ...filteredBy(list, first.text).slice(0, 6), ...typed]) {
        const { text } = await reader.get(address);
        // Of several pages each has a part; what nobody can read is refused.
        if (text.includes('rel="next"') || /The CSV has all|Ignored “zzzzzz”/.test(text)) continue;
        const file = await reader.get(address.replace(list.at, list.file));
        const lines = file.text.trimEnd().split("\r\n").length - 1;
        if (lines !== rowsIn(text)) wrong.push(`${address} has ${rowsIn(text)} rows and ${lines} lines`);
        if (rowsIn(text) < rowsIn(first.text)) narrowed.add(list.at);
      }
    }
    expect(wrong).toEqual([]);
    expect(narrowed.size).toBeGreaterThanOrEqual(2);
  });

  test("is said to be empty where nothing is there, and then leads to no file", async () => {
    if (empty === null) return;
    for (const { at, file } of lists.filter(({ at: path }) => !/order-bulk|prices/.test(path))) {
      const { status, text } = await empty.get(at);
      const isOffered = file !== null && file !== "/test/wallet/statement.csv" && text.includes(`${file}"`);
      // A new business has what was put in its sandbox and who joined.
      const isEmpty = text.includes('class="empty"') || rowsIn(text) > 0;
      expect([at, status, isEmpty, isOffered && rowsIn(text) === 0]).toEqual([at, 200, true, false]);
    }
  });
});

test("a list leads to its file for those alone who may take it", async () => {
  const [list] = consoles;
  for (const role of ["developer", "finance", "viewer"] as const) {
    const member = await service.member(role, merchant.id);
    for (const { at, file } of list?.lists ?? []) {
      const { status, text } = await member.get(at);
      if (status !== 200 || file === null || rowsIn(text) === 0) continue;
      const isTaken = (await member.get(file)).status === 200;
      expect([role, at, new RegExp(`href="${file}[?"]`).test(text)]).toEqual([role, at, isTaken]);
    }
  }
});
