import { beforeEach, describe, expect, test } from "vitest";
import { readTransactionIds } from "../../src/domain/purchases/deployment/deployment-numbers.ts";
import type { PurchaseId } from "../../src/kernel/ids.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

// Product 1002 is 640 naira to everybody.

const dayMs = 86_400_000;
const phone = "08031234567";
/** What suppliers, people and merchants' receivers should not have said. */
const canaries = ["12345678901234567890", "AB12-CD34-EF56", "09087654321", "ada@shop.example", phone];
const loose = `token 1234-5678-9012-3456-7890, PIN: AB12-CD34-EF56, of 0908 765 4321 and ada@shop.example, ${phone}`;

const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
let offsetMs = 0;
/** Transaction ids by what the purchase is. */
const ids: Record<string, string> = {};

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });
const find = async (...words: string[]) => {
  const { code, lines, error } = await run("transactions", ...words, "--json");
  if (code !== 0) throw new Error(error);
  return lines.map((line) => line.transaction_id);
};

async function buy(name: string, key: string | null, wish: object = {}): Promise<void> {
  const body = { reference: name, product_id: 1002, phone, ...wish };
  ids[name] = (await app.call(key, "/data/purchase", { body })).body.transaction_id;
}

const receiver = closing(await startReceiver((response, { body }) => response.end(`${loose} ${body.slice(0, 100)}`)));
const app = closing(
  await startApp({
    suppliers: [first, second],
    workers: true,
    clock: { now: () => Date.now() - offsetMs },
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);
const other = await app.createMerchant();
const { liveKey, testKey } = app.merchant;
offsetMs = 10 * dayMs;
await buy("old", liveKey);
offsetMs = 0;
await app.call(liveKey, "/webhook", { method: "PUT", body: { url: receiver.url, notify: "all" } });
first.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: loose, providerReference: "FIRST-77" };
second.answer = { ...vended, providerReference: "SECOND-88" };
await buy("rerouted", liveKey);
second.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: "no" };
await buy("failed", liveKey, { phone: "08035550000" });
first.answer = vended;
await buy("theirs", other.liveKey);
await buy("sandbox", testKey);
const body = { reference: "rerouted", product_id: 1002, phone };
ids.namesake = (await app.call(testKey, "/data/purchase", { body })).body.transaction_id;
ids.others = (await app.call(other.liveKey, "/data/purchase", { body })).body.transaction_id;
first.answer = silent;
await buy("waiting", other.liveKey);
beforeEach(() => expect(Object.values(ids).every((id) => /^(TXN|SBX)/.test(id))).toBe(true));

const named = (...names: string[]) => names.map((name) => ids[name]);

describe("transactions", () => {
  test.each([
    ["reference", () => ["--reference", "rerouted"], ["others", "rerouted"]],
    ["reference of a merchant", () => ["--reference", "rerouted", "--merchant", mer()], ["rerouted"]],
    ["transaction id", () => ["--id", ids.failed ?? ""], ["failed"]],
    ["customer number", () => ["--customer", "08035550000"], ["failed"]],
    ["its other spelling", () => ["--customer", "+234 803 555 0000"], ["failed"]],
    ["customer number, all of the past", () => ["--customer", phone, "--merchant", mer()], ["rerouted", "old"]],
    ["what its supplier calls it", () => ["--supplier-reference", "SECOND-88"], ["rerouted"]],
    ["what an earlier supplier calls it", () => ["--supplier-reference", "FIRST-77"], ["failed", "rerouted"]],
    ["our name there", () => ["--supplier-reference", `${ids.rerouted}-2`], ["rerouted"]],
    ["status", () => ["--status", "failed"], ["failed"]],
    ["pending", () => ["--status", "pending"], ["waiting"]],
    ["merchant", () => ["--merchant", mer()], ["failed", "rerouted"]],
    ["supplier", () => ["--supplier", "first", "--merchant", mer(other)], ["waiting", "others", "theirs"]],
    ["age", () => ["--older-than", "9d", "--newer-than", "11d"], ["old"]],
    ["amount", () => ["--amount", "640.00", "--status", "failed"], ["failed"]],
    ["another amount", () => ["--amount", "640.01"], []],
    ["keys that don't agree", () => ["--customer", phone, "--id", ids.failed ?? ""], []],
    ["a name of nobody", () => ["--supplier-reference", "NOBODY-1"], []],
  ])("by %s finds those purchases and no others, newest first", async (_key, words, expected) => {
    expect(await find(...words())).toEqual(named(...expected));
  });

  const mer = ({ id } = app.merchant) => `mer_${id}`;

  test.each([
    ["everything", [], ["namesake", "sandbox"]],
    ["reference", ["--reference", "rerouted"], ["namesake"]],
    ["customer number", ["--customer", phone], ["namesake", "sandbox"]],
    ["status", ["--status", "successful"], ["namesake", "sandbox"]],
    ["pending", ["--status", "pending"], []],
    ["supplier's name", ["--supplier-reference", "FIRST-77"], []],
  ])("the sandbox, by %s, has its own purchases alone", async (_key, words, expected) => {
    expect(await find("--mode", "test", ...words)).toEqual(named(...expected));
  });

  test("an id tells its mode, and is refused in the other", async () => {
    expect(await find("--id", ids.sandbox ?? "")).toEqual(named("sandbox"));
    const mixed = await run("transactions", "--id", ids.sandbox ?? "", "--mode", "live");
    expect([mixed.code, mixed.error]).toEqual([1, `${ids.sandbox} is of test.\n`]);
  });

  test("what no index leads to is searched for seven days, which is said, and for a hundred at most", async () => {
    expect(await find("--status", "successful")).not.toContain(ids.old);
    expect((await run("transactions", "--status", "successful")).out).toContain("; --from looks further back");
    const day = new Date(Date.now() - 11 * dayMs).toISOString().slice(0, 10);
    const more = await run("transactions", "--status", "successful", "--from", day);
    expect(more.out).toContain(ids.old);
    expect(more.out).not.toContain("looks further back");
    const far = await run("transactions", "--status", "successful", "--newer-than", "101d");
    expect([far.code, far.error]).toEqual([1, expect.stringMatching(/^Search at most 100 days at once, or by /)]);
  });

  test("the newest come first, as many as asked for, and more are said to be there", async () => {
    const two = await run("transactions", "--limit", "2");
    expect(two.out).toContain("There are more: these are the newest 2.");
    expect(await find("--limit", "2")).toEqual(named("waiting", "others"));
    const all = await run("transactions", "--limit", "5");
    expect(all.out).not.toContain("There are more");
  });

  test("a customer's number is shown by its last digits", async () => {
    const { out, lines } = await run("transactions", "--customer", "08035550000", "--json");
    expect(lines[0].customer).toBe("*******0000");
    expect(out).not.toContain("08035550000");
  });

  test.each([
    [["--from", "yesterday"], /must be a day/],
    [["--from", "2026-11-20", "--newer-than", "2h"], /^Give either ages or times/],
    [["--from", "2026-11-20", "--to", "2026-11-19"], /^Nothing lies between/],
    [["--older-than", "2 weeks"], /such as 90s, 15m, 2h or 3d/],
  ])("%j is refused with a sentence", async (words, sentence) => {
    const { code, error } = await run("transactions", ...words);
    expect([code, error]).toEqual([1, expect.stringMatching(sentence)]);
  });
});

describe("transaction show", () => {
  const reply = () => receiver.received.some(({ body }) => body.includes(`"${ids.rerouted}"`));

  test("tells request, wallet, attempts, end and webhooks in one order, with evidence, and no secret or number", async () => {
    await waitUntil(reply, "the webhook");
    await waitUntil(async () => {
      const { lines } = await run("transaction", "show", ids.rerouted ?? "", "--json");
      return lines[0].events.some(({ what }: { what: string }) => what.includes("attempt 1: 200"));
    }, "the attempt");
    const { lines, out } = await run("transaction", "show", ids.rerouted ?? "", "--json");
    expect(lines[0]).toMatchObject({
      transaction_id: ids.rerouted,
      mode: "live",
      merchant_id: `mer_${app.merchant.id}`,
      reference: "rerouted",
      status: "successful",
      customer: "*******4567",
      total: "640.00",
      supplier: "second",
      our_reference_there: `${ids.rerouted}-2`,
      their_reference: "SECOND-88",
    });
    expect(lines[0].events.map(({ kind, what }: { kind: string; what: string }) => [kind, what])).toEqual([
      ["request", expect.stringMatching(/^1 × MTN .* for \*{7}4567, by api$/)],
      ["wallet", expect.stringMatching(/^purchase -640\.00, balance after 998720\.00 \(entry \d+\)$/)],
      ["attempt", `attempt 1 at first: declined; our reference there ${ids.rerouted}-1, theirs FIRST-77`],
      ["attempt", `attempt 2 at second: vended; our reference there ${ids.rerouted}-2, theirs SECOND-88`],
      ["end", "successful"],
      ["webhook", expect.stringMatching(/^transaction\.successful owed to whe_\w+$/)],
      ["webhook", expect.stringMatching(/^transaction\.successful to whe_\w+ at http:\S+, attempt 1: 200 in \d+ ms$/)],
    ]);
    const evidence = lines[0].events.map((event: { evidence: string | null }) => event.evidence);
    expect(evidence[2]).toBe("token [redacted], PIN: [redacted], of [11 digits] and [e-mail] [11 digits]");
    expect(evidence[6]).toContain("[e-mail]");
    const shown = (await run("transaction", "show", ids.rerouted ?? "")).out;
    expect(shown).toContain("theirs SECOND-88");
    for (const text of [out, shown]) {
      const bare = text.replace(/[-\s]/g, "");
      for (const canary of canaries) expect(bare).not.toContain(canary.replace(/[-\s]/g, ""));
    }
  });

  test("a failed one has its refund, and its mode's own", async () => {
    const { lines } = await run("transaction", "show", ids.failed ?? "", "--json");
    const kinds = lines[0].events.map(
      ({ kind, what }: { kind: string; what: string }) => `${kind} ${what.split(" ")[0]}`,
    );
    expect(kinds).toEqual(expect.arrayContaining(["wallet purchase", "end failed:", "wallet refund"]));
    expect(lines[0]).toMatchObject({ status: "failed", error_code: "RECIPIENT_BARRED" });
  });

  test("a pending one says in which step it waits, and what its supplier said last", async () => {
    const { lines } = await run("transaction", "show", ids.waiting ?? "", "--json");
    expect(lines[0].events.at(-1)).toMatchObject({ kind: "next", step: "requery", supplier: "first" });
  });

  test("any name leads to it; one that several have asks for the merchant, and never for the sandbox's", async () => {
    const shown = async (...words: string[]) => (await run("transaction", "show", ...words, "--json")).lines[0];
    expect((await shown("failed")).transaction_id).toBe(ids.failed);
    expect((await shown(`${ids.waiting}-1`)).transaction_id).toBe(ids.waiting);
    expect((await shown("SECOND-88")).transaction_id).toBe(ids.rerouted);
    expect((await shown(ids.sandbox ?? "")).transaction_id).toBe(ids.sandbox);
    expect((await shown("rerouted", "--mode", "test")).transaction_id).toBe(ids.namesake);
    expect((await shown("rerouted", "--merchant", `mer_${other.id}`)).transaction_id).toBe(ids.others);
    const several = await run("transaction", "show", "rerouted");
    expect(several.code).toBe(1);
    expect(several.error).toMatch(/^Several are called rerouted: .* Give --merchant, or the transaction id\.\n$/);
    expect(several.error).not.toContain(ids.namesake);
    const nothing = await run("transaction", "show", "nothing");
    expect([nothing.code, nothing.error]).toEqual([
      1,
      expect.stringMatching(/^No live transaction is called nothing\./),
    ]);
  });
});

test("pending tells how many wait at whom in which step, and how old the oldest is", async () => {
  const { pool } = app.fresh;
  const { id } = (await pool.query("select purchase_id as id from inflight")).rows[0];
  const format = (await readTransactionIds(app.services.database)).format(BigInt(id) as PurchaseId, "live");
  const { lines } = await run("pending", "--json");
  expect(lines).toEqual([
    expect.objectContaining({
      ...{ supplier: "first", step: "requery", transactions: 1, paid: "640.00", oldest_transaction_id: format },
    }),
  ]);
  expect(lines[0].oldest_seconds).toBeLessThan(600);
  expect((await run("pending")).out).toMatch(/first +│ requery +│ 1 +│ 640\.00 +│ \d+ (s|min)/);
  expect((await run("pending", "--mode", "test")).out).toBe("Nothing is pending in test.\n");
  expect((await run("pending", "--supplier", "second", "--json")).lines).toEqual([]);
});
