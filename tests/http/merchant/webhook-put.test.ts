import { describe, expect, test } from "vitest";
import { firstEndpointOf, openSecret } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import type { ResolveName } from "../../../src/platform/outbound-http/guarded-connect.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { untroubled } from "../../support/endpoints.ts";
import { walletKey } from "../../support/wallet.ts";
import { testSecretBox, testWebhooks } from "../../support/webhooks.ts";
import { lagosInstant } from "../../support/wire-expectations.ts";

const url = "https://example.com/webhooks/dispense";
const secretShape = /^whsec_[A-Za-z0-9+/]{43}=$/;
const dayMs = 86_400_000;

let passedMs = 0;
const calls: string[] = [];

const resolveName: ResolveName = async (host) => {
  calls.push(host);
  if (host === "later.example.com") return { kind: "no_address" };
  if (host === "silent.example.com") return { kind: "no_answer" };
  return { kind: "addresses", addresses: ["93.184.215.14", "2606:2800:220:1::1"] };
};

const app = closing(
  await startApp({ clock: { now: () => Date.now() + passedMs }, webhooks: { ...testWebhooks, resolveName } }),
);

const put = (key: string | null, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });
const get = async (key: string) => (await app.call(key, "/webhook")).body;

/** The row behind the endpoint, as somebody sees it who reads the database. */
async function stored(merchantId: number) {
  const { rows } = await app.fresh.pool.query(
    "select url, secret, secret_hint, previous_secret, disabled_reason from webhook_endpoints where merchant_id = $1",
    [merchantId],
  );
  return rows[0];
}

describe("200 a URL", () => {
  test("set for the first time brings the secret, this once, and the settings it starts with", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const answer = await put(testKey, { url });
    expect(answer.status).toBe(200);
    const { secret, ...settings } = answer.body;
    expect(secret).toMatch(secretShape);
    expect(settings).toEqual({
      id: expect.stringMatching(/^whe_/),
      url,
      enabled: true,
      events: ["*"],
      notify: "changes",
      secret_hint: `whsec_…${secret.slice(-4)}`,
      previous_secret_expires_at: null,
      ...untroubled,
      updated_at: expect.stringMatching(lagosInstant),
    });
    expect(await get(testKey)).toEqual(settings);
    expect(await get(liveKey ?? "")).toEqual(settings);
    const again = await put(liveKey, { url });
    expect(again.body).toEqual({ ...settings, updated_at: expect.any(String) });
  });

  test("is kept as it was sent", async () => {
    const { testKey } = await app.createMerchant();
    for (const sent of ["https://Example.com", "https://example.com:8443/a?b=c#d", "https://bücher.example.com/ä"]) {
      expect((await put(testKey, { url: sent })).body.url).toBe(sent);
    }
    expect(calls).toEqual(expect.arrayContaining(["example.com", "xn--bcher-kva.example.com"]));
  });

  test("of another merchant is not touched", async () => {
    const [one, other] = [await app.createMerchant(), await app.createMerchant()];
    const { secret } = (await put(one.testKey, { url })).body;
    const answer = await put(other.testKey, { url: "https://example.org/" });
    expect(answer.body.secret).not.toBe(secret);
    expect((await get(one.testKey)).url).toBe(url);
  });

  test("changed keeps the secret and the other settings", async () => {
    const { testKey } = await app.createMerchant();
    const events = ["transaction.failed"];
    const first = (await put(testKey, { url, events, notify: "all", enabled: false })).body;
    const second = (await put(testKey, { url: "https://example.org/new" })).body;
    expect(second).toEqual({
      id: first.id,
      url: "https://example.org/new",
      enabled: false,
      events,
      notify: "all",
      secret_hint: first.secret_hint,
      previous_secret_expires_at: null,
      ...untroubled,
      disabled_reason: "merchant",
      updated_at: expect.any(String),
    });
  });

  test("set by many requests at once makes one secret", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => put(index % 2 === 0 ? testKey : liveKey, { url: `${url}/${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const secrets = answers.flatMap(({ body }) => body.secret ?? []);
    expect(secrets).toHaveLength(1);
    expect((await get(testKey)).secret_hint).toBe(`whsec_…${secrets[0].slice(-4)}`);
  });

  test("whose name has no address, or no answer, is taken: every attempt looks again", async () => {
    const { testKey } = await app.createMerchant();
    for (const host of ["later", "silent"]) {
      expect((await put(testKey, { url: `https://${host}.example.com/` })).status).toBe(200);
    }
  });
});

describe("200 a field", () => {
  test("that is left out stays as it is, and an empty request changes nothing", async () => {
    const { testKey } = await app.createMerchant();
    const { secret, ...set } = (await put(testKey, { url })).body;
    expect((await put(testKey, {})).body).toEqual({ ...set, updated_at: expect.any(String) });
    expect((await put(testKey, { enabled: false })).body).toMatchObject({ url, enabled: false, events: ["*"] });
    expect((await put(testKey, { events: ["webhook.test"] })).body).toMatchObject({ enabled: false });
    expect((await put(testKey, { notify: "all" })).body).toMatchObject({ events: ["webhook.test"], notify: "all" });
    expect((await put(testKey, { enabled: true })).body).toMatchObject({ enabled: true, notify: "all" });
    expect((await put(testKey, { colour: "green" })).body).not.toHaveProperty("colour");
  });

  test("events knows every event, each once, and the star stands alone", async () => {
    const { testKey } = await app.createMerchant();
    const all = [
      "transaction.successful",
      "transaction.failed",
      "bulk.completed",
      "wallet.low_balance",
      "catalogue.updated",
      "webhook.test",
    ];
    expect((await put(testKey, { url, events: all })).body.events).toEqual(all);
    expect((await put(testKey, { events: [...all, ...all] })).body.events).toEqual(all);
    expect((await put(testKey, { events: ["transaction.failed", "*"] })).body.events).toEqual(["*"]);
  });

  test("switched off by the service stays off until somebody switches it on", async () => {
    const { testKey, id } = await app.createMerchant();
    await put(testKey, { url });
    await app.fresh.pool.query(
      "update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone' where merchant_id = $1",
      [id],
    );
    expect((await put(testKey, { url, enabled: false })).body.enabled).toBe(false);
    expect((await put(testKey, { url })).body.enabled).toBe(false);
    expect((await stored(id)).disabled_reason).toBe("gone");
    expect((await put(testKey, { enabled: true })).body.enabled).toBe(true);
    expect((await put(testKey, { enabled: false })).body.enabled).toBe(false);
    expect((await stored(id)).disabled_reason).toBe("merchant");
  });

  test.each(["gone", "failing"])(
    "url, where the old one is %s, switches it on unless enabled says no",
    async (reason) => {
      const { testKey, id } = await app.createMerchant();
      await put(testKey, { url });
      await app.fresh.pool.query(
        "update webhook_endpoints set disabled_at = now(), disabled_reason = $2 where merchant_id = $1",
        [id, reason],
      );
      const off = { enabled: false, disabled_reason: reason };
      expect((await put(testKey, { url: `${url}/1`, enabled: false })).body).toMatchObject(off);
      expect((await put(testKey, { url: `${url}/2` })).body).toMatchObject({ enabled: true, ...untroubled });
      expect(await get(testKey)).toMatchObject({ url: `${url}/2`, enabled: true, ...untroubled });
    },
  );
});

describe("200 a secret", () => {
  const opened = (merchantId: number, sealed: string) =>
    openSecret(testSecretBox, firstEndpointOf(walletKey(merchantId)), sealed);

  test("is stored sealed, for this merchant alone", async () => {
    const { testKey, id } = await app.createMerchant();
    const { secret } = (await put(testKey, { url })).body;
    const row = await stored(id);
    expect(opened(id, row.secret)).toBe(secret);
    expect(() => opened(id + 1, row.secret)).toThrow();
    const key = Buffer.from(secret.slice(6), "base64");
    const sealed = Buffer.from(row.secret.split(".")[2], "base64url");
    expect([row.secret.includes(secret), sealed.includes(key), sealed.includes(secret)]).toEqual([false, false, false]);
  });

  test("that is rotated signs for another 24 hours, then it is gone", async () => {
    const { testKey, id } = await app.createMerchant();
    const first = (await put(testKey, { url })).body;
    const rotated = (await put(testKey, { rotate_secret: true })).body;
    expect(rotated.secret).toMatch(secretShape);
    expect(rotated.secret).not.toBe(first.secret);
    const end = Date.parse(rotated.previous_secret_expires_at);
    expect(Math.abs(end - Date.parse(rotated.updated_at) - dayMs)).toBeLessThanOrEqual(1_000);
    const row = await stored(id);
    expect([opened(id, row.secret), opened(id, row.previous_secret)]).toEqual([rotated.secret, first.secret]);

    expect((await put(testKey, { url, rotate_secret: false })).body).toMatchObject({
      secret_hint: rotated.secret_hint,
      previous_secret_expires_at: rotated.previous_secret_expires_at,
    });
    passedMs = dayMs - 5_000;
    expect((await get(testKey)).previous_secret_expires_at).toBe(rotated.previous_secret_expires_at);
    passedMs = dayMs + 1_000;
    expect((await get(testKey)).previous_secret_expires_at).toBeNull();
    passedMs = 0;
  });

  test.each([1, "48", 168])("rotated with an overlap of %j hours signs for so long", async (overlap) => {
    const { testKey, id } = await app.createMerchant();
    const first = (await put(testKey, { url })).body;
    const rotated = (await put(testKey, { rotate_secret: true, overlap_hours: overlap })).body;
    const lastsMs = Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.updated_at);
    expect(Math.abs(lastsMs - Number(overlap) * 3_600_000)).toBeLessThanOrEqual(1_000);
    expect(opened(id, (await stored(id)).previous_secret)).toBe(first.secret);
  });

  test("rotated without an overlap ends at once, and so does one from the rotation before", async () => {
    const { testKey, id } = await app.createMerchant();
    await put(testKey, { url });
    await put(testKey, { rotate_secret: true });
    const rotated = (await put(testKey, { rotate_secret: true, overlap_hours: 0 })).body;
    expect(rotated.previous_secret_expires_at).toBeNull();
    const row = await stored(id);
    expect([row.previous_secret, opened(id, row.secret)]).toEqual([null, rotated.secret]);
  });

  test("rotated twice within the overlap leaves the last two", async () => {
    const { testKey, id } = await app.createMerchant();
    const secrets: string[] = [(await put(testKey, { url, rotate_secret: true })).body.secret];
    for (let i = 0; i < 2; i++) secrets.push((await put(testKey, { url, rotate_secret: true })).body.secret);
    expect(new Set(secrets).size).toBe(3);
    const row = await stored(id);
    expect([opened(id, row.previous_secret), opened(id, row.secret)]).toEqual(secrets.slice(1));
  });

  test("rotated by many at once is none that nobody was told", async () => {
    const { testKey, id } = await app.createMerchant();
    await put(testKey, { url });
    // As few as can all be under way: one that began after the others would hide that they overwrote each other.
    const answers = await Promise.all(Array.from({ length: 3 }, () => put(testKey, { rotate_secret: true })));
    const reply = answers.map(({ body }) => body.secret);
    expect(new Set(reply).size).toBe(3);
    const row = await stored(id);
    expect(reply).toEqual(expect.arrayContaining([opened(id, row.secret), opened(id, row.previous_secret)]));
  });

  test("ends with its URL, and the next URL has a new one", async () => {
    const { testKey, id } = await app.createMerchant();
    const first = (await put(testKey, { url, events: ["bulk.completed"], enabled: false })).body;
    await put(testKey, { rotate_secret: true });
    const removed = await put(testKey, { url: null, notify: "all" });
    expect(removed.status).toBe(200);
    expect(removed.body).toEqual({
      id: null,
      url: null,
      enabled: false,
      events: ["bulk.completed"],
      notify: "all",
      secret_hint: null,
      previous_secret_expires_at: null,
      ...untroubled,
      updated_at: expect.stringMatching(lagosInstant),
    });
    expect(await get(testKey)).toEqual(removed.body);
    expect(await stored(id)).toEqual({
      url: null,
      secret: null,
      secret_hint: null,
      previous_secret: null,
      disabled_reason: null,
    });
    const second = (await put(testKey, { url })).body;
    expect(second).toMatchObject({ enabled: true, events: ["bulk.completed"], previous_secret_expires_at: null });
    expect(second.secret).toMatch(secretShape);
    expect(second.secret).not.toBe(first.secret);
  });

  test("is not needed to remove a webhook that was never set", async () => {
    const { testKey } = await app.createMerchant();
    expect((await put(testKey, { url: null })).body).toMatchObject({ url: null, enabled: false, secret_hint: null });
  });
});
