import { beforeEach, describe, expect, test } from "vitest";
import { listApiKeys } from "../../src/domain/merchants/key-queries.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";
import type { ConsoleAnswer, MemberClient } from "../support/console.ts";
import { sharedConsole } from "../support/shared-console.ts";

let merchantId: MerchantId;
let developer: MemberClient;

const service = await sharedConsole();
beforeEach(async () => {
  merchantId = (await service.app.createMerchant()).id;
  developer = await service.member("developer", merchantId);
});

const keysOf = (id: MerchantId = merchantId) => listApiKeys(service.app.services.database, id);
const keyIn = ({ text }: ConsoleAnswer) => /ds_(?:live|test)_[0-9A-Za-z]{38}/.exec(text)?.[0] ?? null;
const make = (mode: "live" | "test", label: string) => developer.send(`/${mode}/keys`, { label });
const newest = async (mode: "live" | "test") => (await keysOf()).filter((key) => key.mode === mode).at(-1);
const lastEntry = async () =>
  (
    await service.app.fresh.pool.query(
      "select who, command, details::jsonb from audit_log where who = $1 order by number desc limit 1",
      [`member:${developer.email}`],
    )
  ).rows[0];
const emails = async () =>
  (await service.app.fresh.pool.query("select count(*)::int as count from emails")).rows[0].count as number;

describe.each(["live", "test"] as const)("a %s key", (mode) => {
  test("is made, shown this once with a ready line, works, and is told to the owners", async () => {
    await service.member("owner", merchantId);
    const before = await emails();
    const made = await make(mode, "Till <b>1</b>");
    const key = keyIn(made);
    expect([made.status, key?.startsWith(`ds_${mode}_`), made.headers.get("cache-control")]).toEqual([
      200,
      true,
      "no-store",
    ]);
    expect(made.text).toContain(`curl '${service.url}/api/v1/merchant/wallet/balance'`);
    expect((await service.app.call(key, "/wallet/balance")).status).toBe(200);
    const list = await developer.get(`/${mode}/keys`);
    expect([keyIn(list), list.text.includes("Till &lt;b>1&lt;/b>"), list.text.includes("<b>1</b>")]).toEqual([
      null,
      true,
      false,
    ]);
    expect(list.text).toContain(developer.email);
    expect(await lastEntry()).toMatchObject({ who: `member:${developer.email}`, command: "console key create" });
    expect(await emails()).toBe(before + 1);
  });

  test("is rotated: the old one works for the grace, and the new one is shown this once", async () => {
    const old = keyIn(await make(mode, "Till"));
    const id = `key_${(await newest(mode))?.id}`;
    const rotated = await developer.send(`/${mode}/keys/${id}/rotate`, { grace: "1h" });
    expect([rotated.status, rotated.text.includes("works for 1 more hour")]).toEqual([200, true]);
    expect((await service.app.call(old, "/wallet/balance")).status).toBe(200);
    expect((await service.app.call(keyIn(rotated), "/wallet/balance")).status).toBe(200);
    expect((await developer.get(`/${mode}/keys/${id}`)).text).toContain("Until ");
    expect(await lastEntry()).toMatchObject({ command: "console key rotate", details: { key_id: id, grace: "1h" } });
  });

  test("is revoked after a question", async () => {
    await make(mode, "Till");
    const id = `key_${(await newest(mode))?.id}`;
    expect((await developer.get(`/${mode}/keys/${id}/revoke`)).text).toContain("can’t be brought back");
    expect((await newest(mode))?.revoked_at).toBeNull();
    const revoked = await developer.send(`/${mode}/keys/${id}/revoke`);
    expect([revoked.status, revoked.location]).toEqual([303, `/${mode}/keys`]);
    expect((await newest(mode))?.revoked_at).not.toBeNull();
    expect((await developer.send(`/${mode}/keys/${id}/revoke`)).status).toBe(404);
    expect((await developer.get(`/${mode}/keys/${id}`)).text).toContain("Revoked");
  });
});

test("a name is needed, and what was typed stays", async () => {
  const empty = await make("test", " ");
  expect([empty.status, empty.text.includes("Enter a name")]).toEqual([400, true]);
  const long = await make("test", "x".repeat(101));
  expect([long.status, long.text.includes("x".repeat(101)), long.text.includes("at most 100")]).toEqual([
    400,
    true,
    true,
  ]);
  const grace = await developer.send(`/test/keys/key_${(await newest("test"))?.id}/rotate`, { grace: "1y" });
  expect([grace.status, grace.text.includes("Choose when")]).toEqual([400, true]);
});

test("a sixth key is refused, with what to do", async () => {
  for (let at = 0; at < 4; at++) expect((await make("test", `Till ${at}`)).status).toBe(200);
  const sixth = await make("test", "Sixth");
  expect([sixth.status, sixth.text.includes("Revoke one first"), keyIn(sixth)]).toEqual([409, true, null]);
  expect(sixth.text).toContain('value="Sixth"');
  expect((await developer.get("/test/keys")).text).toContain("5 of 5 test keys in use");
});

test("a live key needs approved live access: the page says how to ask, a form is refused", async () => {
  const other = (await service.app.createMerchant({ approved: false })).id;
  const owner = await service.member("owner", other);
  expect((await owner.get("/live/keys")).text).toContain('href="/account/business"');
  expect((await owner.send("/live/keys", { label: "Till" })).status).toBe(403);
  expect((await owner.send("/test/keys", { label: "Till" })).status).toBe(200);
});

describe("not found", () => {
  test("is a live key on the test page, which asks for no fresh factor", async () => {
    await make("live", "Till");
    const id = (await newest("live"))?.id;
    for (const form of ["rotate", "revoke"]) {
      expect((await developer.send(`/test/keys/key_${id}/${form}`, { grace: "0" })).status).toBe(404);
    }
    expect((await newest("live"))?.revoked_at).toBeNull();
  });

  test.each(["key_0", "key_99999999999999999999", "x", "key_1%00"])("is %s, which is no key", async (id) => {
    expect((await developer.get(`/test/keys/${id}`)).status).toBe(404);
    expect((await developer.send(`/test/keys/${id}/revoke`)).status).toBe(404);
  });
});

test("a form sent twice makes one key", async () => {
  const once = { once: "A".repeat(43), label: "Till" };
  const before = (await keysOf()).length;
  const answers = await Promise.all([developer.send("/test/keys", once), developer.send("/test/keys", once)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 303]);
  expect((await keysOf()).length).toBe(before + 1);
});

test("a form that was sent is the same one however its address is written", async () => {
  const once = { once: "B".repeat(43), label: "Till" };
  expect((await developer.send("/test/keys", once)).status).toBe(200);
  const before = (await keysOf()).length;
  for (const address of ["/test/keys?again=1", "/test/keys/", "/test/%6beys", "/test/keys?", "/test/keys"])
    expect([address, (await developer.send(address, once)).status]).toEqual([address, 303]);
  expect((await keysOf()).length).toBe(before);
});

test("live keys ask for a fresh factor, test keys don't", async () => {
  await service.age(developer);
  const calls = await make("live", "Till");
  expect([calls.status, calls.text.includes("Confirm it’s you"), keyIn(calls)]).toEqual([403, true, null]);
  expect((await make("test", "Till")).status).toBe(200);
  const confirmed = await developer.send("/live/keys", { label: "Till", factor: developer.password });
  expect([confirmed.status, keyIn(confirmed) !== null]).toEqual([200, true]);
});
