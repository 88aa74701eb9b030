import { beforeEach, expect, test } from "vitest";
import { activeKeysMax, createKey } from "../../src/domain/merchants/api-keys.ts";
import { listApiKeys } from "../../src/domain/merchants/key-queries.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { ConsoleAnswer, MemberClient } from "../support/console.ts";
import { formOf, submit } from "../support/forms.ts";
import { sharedConsole } from "../support/shared-console.ts";

let merchant: RegisteredMerchant;
let developer: MemberClient;

const service = await sharedConsole();
beforeEach(async () => {
  merchant = await service.app.createMerchant();
  developer = await service.member("developer", merchant.id);
});

const placeholder = "ds_test_…";
const leading = /<a href="(\/test\/try\/documents\?page=[^"]+)">Show them with a sandbox key of yours<\/a>/;
const askAt = (page: string) => `/test/try/documents?${new URLSearchParams({ page })}`;
const keysIn = ({ text }: ConsoleAnswer) => [...new Set(text.match(/ds_(?:live|test)_[0-9A-Za-z]{38}/g) ?? [])];
const samplesOf = ({ text }: ConsoleAnswer) => (text.match(/<pre[^>]*>[\s\S]*?<\/pre>/g) ?? []).join("\n");
const testKeys = async () =>
  (await listApiKeys(service.app.services.database, merchant.id)).filter(({ mode }) => mode === "test");
const ask = async (page: string) => submit(developer, formOf(await developer.get(askAt(page)), "/try/documents"));

test("each document whose samples take a key leads to the form for it, and no other", async () => {
  const pages = [
    "/docs",
    "/docs/api",
    "/docs/examples",
    "/docs/guides/sell-from-a-shop",
    "/docs/guides/receive-webhooks",
    ...["/docs/sdk/node", "/docs/sdk/php", "/docs/sdk/python"],
  ];
  const listed = [...(await developer.get("/test/try")).text.matchAll(/documents\?page=([^"]+)"/g)];
  expect(listed.map(([, path = ""]) => decodeURIComponent(path)).sort()).toEqual(pages.sort());
  for (const path of pages) expect(leading.exec((await service.guest().get(path)).text)?.[1]).toBe(askAt(path));
  for (const path of ["/docs/errors", "/docs/guides", "/docs/guides/verify-signatures"])
    expect(leading.exec((await service.guest().get(path)).text)).toBeNull();
});

test("whoever is not logged in comes to the form by way of the log-in", async () => {
  const { status, location } = await service.guest().get(askAt("/docs/examples"));
  expect([status, location]).toEqual([303, `/log-in?next=${encodeURIComponent(askAt("/docs/examples"))}`]);
});

test("a key is made, stands in every sample of this one answer, works, and is told to the owners", async () => {
  const before = await testKeys();
  const shown = await ask("/docs/examples");
  const [key, ...others] = keysIn(shown);
  expect([shown.status, others, samplesOf(shown).includes(placeholder)]).toEqual([200, [], false]);
  expect(samplesOf(shown)).toContain(`export DISPENSE_KEY=${key}\n`);
  expect(samplesOf(shown)).toContain(`export DISPENSE_URL=${service.url}\n`);
  expect((await service.app.call(key ?? "", "/wallet/balance")).status).toBe(200);
  const [made, ...more] = (await testKeys()).filter(({ id }) => !before.some((each) => each.id === id));
  expect([made?.label, made?.created_by, more]).toEqual(["Samples of Examples", `member:${developer.email}`, []]);
  const { rows } = await service.app.fresh.pool.query(
    "select who, command from audit_log where details::jsonb ->> 'merchant' = $1 and command <> 'console log-in'",
    [`mer_${merchant.id}`],
  );
  expect(rows).toEqual([{ who: `member:${developer.email}`, command: "console key create" }]);
  for (const path of ["/docs/examples", askAt("/docs/examples"), "/test/keys"])
    expect([path, keysIn(await developer.get(path))]).toEqual([path, []]);
});

test("the answer is kept by nobody: not stored, not packed, in no address, and not sent a second time", async () => {
  const form = formOf(await developer.get(askAt("/docs/examples")), "/try/documents");
  const headers = { "accept-encoding": "br, gzip" };
  const shown = await developer.send(form.action, form.fields, headers);
  expect([shown.headers.get("cache-control"), shown.headers.get("content-encoding")]).toEqual(["no-store", null]);
  expect([form.action, shown.location]).toEqual(["/test/try/documents", null]);
  const again = await developer.send(form.action, form.fields);
  expect([again.status, again.location, keysIn(again)]).toEqual([303, "/test/keys", []]);
  expect(await testKeys()).toHaveLength(2);
});

test("its links lead where those of the document lead, under the document's own policy", async () => {
  for (const path of ["/docs", "/docs/examples", "/docs/guides/sell-from-a-shop", "/docs/guides/receive-webhooks"]) {
    const linksOf = ({ text }: ConsoleAnswer, base: string) =>
      [...text.matchAll(/<(?:a|img|link) [^>]*(?:href|src)="([^"]*)"/g)]
        .map(([, href = ""]) => href)
        .filter((href) => !/^(#|data:|\/test\/)/.test(href))
        .map((href) => new URL(href, `${service.url}${base}`).href);
    const plain = await developer.get(path);
    const shown = await ask(path);
    expect(linksOf(shown, "/test/try/documents").filter((href) => href !== `${service.url}${path}`)).toEqual(
      linksOf(plain, path).filter((href) => href !== `${service.url}${path}`),
    );
    expect(shown.headers.get("content-security-policy")).toBe(plain.headers.get("content-security-policy"));
    expect(shown.text).not.toMatch(/<script|<style| style=| on[a-z]+=/);
    await service.app.fresh.pool.query("update api_keys set revoked_at = now() where label like 'Samples%'");
  }
});

test("the reference begins with the key, and with a nonce of its own", async () => {
  const shown = await ask("/docs/api");
  const [key] = keysIn(shown);
  expect(shown.text).toContain(`<div id="reference" data-key="${key}">`);
  const nonce = /style-src-elem 'self' 'nonce-([\w-]{22})'/.exec(
    shown.headers.get("content-security-policy") ?? "",
  )?.[1];
  expect(shown.text).toContain(`nonce="${nonce}"`);
  expect((await developer.get("/docs/api")).text).toContain('<div id="reference">');
});

test("with five keys none is made: the page says what to do, before and after the form", async () => {
  const form = formOf(await developer.get(askAt("/docs/examples")), "/try/documents");
  const { services } = service.app;
  const wish = { merchantId: merchant.id, mode: "test", label: "Till", createdBy: "test" } as const;
  while ((await testKeys()).length < activeKeysMax) await createKey({ ...services, ...services.people }, wish);
  for (const answer of [await developer.get(askAt("/docs/examples")), await submit(developer, form)]) {
    expect(answer.text).toContain("All test keys are in use");
    expect(answer.text).toContain('href="/test/keys"');
    expect([keysIn(answer), answer.text.includes("Make a key and show the page")]).toEqual([[], false]);
  }
  expect(await testKeys()).toHaveLength(activeKeysMax);
});

test("a page that is no document, or takes no key, is none here", async () => {
  for (const page of ["/docs/errors", "/docs/guides/go-live", "../../etc/passwd", "/test/keys"]) {
    expect([page, (await developer.get(askAt(page))).status]).toEqual([page, 404]);
    expect([page, (await developer.send("/test/try/documents", { page })).status]).toEqual([page, 404]);
  }
  expect((await developer.get("/test/try/documents")).location).toBe("/test/try");
  expect((await developer.get(askAt("/docs/examples").replace("test", "live"))).status).toBe(404);
  const sent = await developer.send("/live/try/documents", { page: "/docs/examples" });
  expect([sent.status, keysIn(sent), (await testKeys()).length]).toEqual([405, [], 1]);
});
