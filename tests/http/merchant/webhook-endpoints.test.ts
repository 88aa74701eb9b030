import { describe, expect, test } from "vitest";
import { formatEndpointId, parseEndpointId } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { untroubled } from "../../support/endpoints.ts";
import { walletKey } from "../../support/wallet.ts";
import { logAttempt, mintDeliveryId } from "../../support/webhooks.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const app = closing(await startApp({ madeUpDeliveries: true }));

const url = "https://example.com/webhooks";
const path = "/webhook/endpoints";
const list = async (key: string) => (await app.call(key, path)).body.endpoints as { id: string; url: string }[];
const create = (key: string, body: object) => app.call(key, path, { body: { url, ...body } });
const change = (key: string, id: string, body: unknown) => app.call(key, `${path}/${id}`, { method: "PUT", body });
const remove = (key: string, id: string) => app.call(key, `${path}/${id}`, { method: "DELETE" });
const first = (key: string, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });

describe("an endpoint", () => {
  test("is made with a secret of its own, which is answered once, and is read in both modes", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const { secret: firstSecret } = (await first(testKey, { url })).body;
    const wish = { events: ["bulk.completed"], notify: "all", mode: "live", description: "Ikeja ✓" };
    const answer = await create(testKey, { url: "https://example.org/two", ...wish });
    expect(answer.status).toBe(201);
    const { secret, ...endpoint } = answer.body;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(firstSecret);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_/),
      url: "https://example.org/two",
      enabled: true,
      ...untroubled,
      ...wish,
      secret_hint: `whsec_…${secret.slice(-4)}`,
      previous_secret_expires_at: null,
      updated_at: expect.stringMatching(lagosInstant),
    });
    for (const key of [testKey, liveKey]) {
      const read = await app.call(key, `${path}/${endpoint.id}`);
      expect(read.status).toBe(200);
      expect(read.body).toEqual(endpoint);
      const all = await app.call(key, path);
      expect(all.body.endpoints.map((one: { url: string }) => one.url)).toEqual([url, "https://example.org/two"]);
    }
  });

  test("that is a merchant's very first one is the one of /webhook, and what either changes the other tells", async () => {
    const { testKey } = await app.createMerchant();
    expect(await list(testKey)).toEqual([]);
    const { secret, ...made } = (await create(testKey, { mode: "test" })).body;
    expect((await app.call(testKey, "/webhook")).body).toEqual(made);
    const put = await first(testKey, { events: ["transaction.failed"] });
    expect(put.body.secret).toBeUndefined();
    expect(await list(testKey)).toEqual([put.body]);
    expect((await change(testKey, made.id, { description: "first" })).body).toMatchObject({ description: "first" });
    expect((await app.call(testKey, "/webhook")).body).toMatchObject({ description: "first", mode: "test" });
    expect((await remove(testKey, made.id)).status).toBe(200);
    expect((await app.call(testKey, "/webhook")).body).toMatchObject({ id: null, url: null, secret_hint: null });
  });

  test("keeps what a change leaves out, and rotates its secret alone", async () => {
    const { testKey } = await app.createMerchant();
    const one = (await first(testKey, { url })).body;
    const two = (await create(testKey, { mode: "live", description: "two", events: ["bulk.completed"] })).body;
    const changed = (await change(testKey, two.id, { rotate_secret: true, enabled: false, description: null })).body;
    expect(changed).toMatchObject({ mode: "live", events: ["bulk.completed"], enabled: false, description: null });
    expect(changed.secret).not.toBe(two.secret);
    expect(changed.previous_secret_expires_at).toMatch(lagosInstant);
    expect((await app.call(testKey, "/webhook")).body).toMatchObject({ secret_hint: one.secret_hint, enabled: true });
  });

  test("that was removed is not found any more, and its number is given to no other", async () => {
    const { id, testKey } = await app.createMerchant();
    await first(testKey, { url });
    const two = (await create(testKey, {})).body;
    const three = (await create(testKey, {})).body;
    const removed = await remove(testKey, three.id);
    expect(removed.status).toBe(200);
    expect(removed.body).toEqual({ deleted: true, id: three.id });
    for (const answer of [
      await app.call(testKey, `${path}/${three.id}`),
      await change(testKey, three.id, { enabled: true }),
      await remove(testKey, three.id),
      await app.call(testKey, "/webhook/test", { body: { endpoint_id: three.id } }),
    ]) {
      expectProblem(answer, 404, "ENDPOINT_NOT_FOUND");
    }
    const four = (await create(testKey, {})).body;
    const number = (text: string) => parseEndpointId(text, { merchantId: walletKey(id).merchantId });
    expect([two, three, four].map((endpoint) => number(endpoint.id))).toEqual([2, 3, 4]);
    await first(testKey, { url: null });
    expect(number((await create(testKey, {})).body.id)).toBe(5);
  });
});

describe("a sixth endpoint is refused", () => {
  const limit = (answer: Awaited<ReturnType<typeof create>>) => expectProblem(answer, 409, "ENDPOINT_LIMIT_REACHED");

  test("whichever way it is asked for, however many ask at once, and a removal makes room", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => create(index % 2 === 0 ? testKey : (liveKey ?? ""), {})),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409, 409]);
    const [one, two] = await list(testKey);
    limit(await create(testKey, {}));
    await first(testKey, { url: null });
    expect((await create(testKey, {})).status).toBe(201);
    limit(await first(testKey, { url }));
    await remove(testKey, two!.id);
    expect((await first(testKey, { url })).status).toBe(200);
    expect((await list(testKey)).map(({ id }) => id)).toContain(one!.id);
    expect(await list(testKey)).toHaveLength(5);
  });

  test("also one more while the log holds attempts of many that were removed", async () => {
    const merchant = await app.createMerchant();
    const wallet = walletKey(merchant.id, "test");
    await first(merchant.testKey, { url });
    for (let endpointNumber = 2; endpointNumber <= 26; endpointNumber++) {
      await logAttempt(app.services.database, wallet, mintDeliveryId(), { endpointNumber });
    }
    limit(await create(merchant.testKey, {}));
    await app.fresh.pool.query("delete from webhook_attempt_counts where endpoint_number = 26");
    expect((await create(merchant.testKey, {})).status).toBe(201);
  });
});

describe("another merchant's endpoint", () => {
  test("is not found, whatever is asked of it, and stays as it is", async () => {
    const [owner, stranger] = [await app.createMerchant(), await app.createMerchant()];
    await first(stranger.testKey, { url });
    const { id } = (await create(owner.testKey, { description: "mine" })).body;
    for (const answer of [
      await app.call(stranger.testKey, `${path}/${id}`),
      await change(stranger.testKey, id, { description: "yours" }),
      await remove(stranger.testKey, id),
      await app.call(stranger.testKey, "/webhook/test", { body: { endpoint_id: id } }),
      await app.call(stranger.testKey, "/webhook/recover", { body: { since: "2026-01-01", endpoint_id: id } }),
    ]) {
      expectProblem(answer, 404, "ENDPOINT_NOT_FOUND");
    }
    expect(await list(owner.testKey)).toMatchObject([{ id, description: "mine" }]);
    expect((await list(stranger.testKey)).map((endpoint) => endpoint.id)).not.toContain(id);
  });

  test("has another id for every merchant and number, which none but its own reads", () => {
    const ids = new Set<string>();
    for (const merchantId of [1, 2, 31, 900, 2_147_483_647]) {
      for (const endpointNumber of [1, 2, 30, 31, 2_147_483_647]) {
        const key = { merchantId: walletKey(merchantId).merchantId, endpointNumber };
        const id = formatEndpointId(key);
        ids.add(id);
        expect(parseEndpointId(id, key)).toBe(endpointNumber);
        expect(parseEndpointId(id, walletKey(merchantId === 1 ? 2 : 1))).toBeNull();
      }
    }
    expect(ids.size).toBe(25);
    for (const text of ["", "whe_", "whe_1", "whe_x1", "whe_1x", "whe_1x0", "whe_1x01", "WHE_1X1", "whe_1x1 ", "1"]) {
      expect(parseEndpointId(text, walletKey(1))).toBeNull();
    }
  });
});

describe("400", () => {
  test.each([
    ["no URL", {}, "VALIDATION_ERROR", "url"],
    ["null for a URL", { url: null }, "VALIDATION_ERROR", "url"],
    ["http", { url: "http://example.com/" }, "INVALID_WEBHOOK_URL", "url"],
    ["a private address", { url: "https://10.0.0.1/" }, "INVALID_WEBHOOK_URL", "url"],
    ["an unknown mode", { url, mode: "sandbox" }, "VALIDATION_ERROR", "mode"],
    ["an unknown event", { url, events: ["order.paid"] }, "VALIDATION_ERROR", "events.0"],
    ["a description that is too long", { url, description: "x".repeat(201) }, "VALIDATION_ERROR", "description"],
    ["a description with NUL", { url, description: "\0" }, "VALIDATION_ERROR", "description"],
  ] as const)("%s makes no endpoint", async (_what, body, code, field) => {
    const { testKey } = await app.createMerchant();
    const answer = await app.call(testKey, path, { body });
    expectProblem(answer, 400, code, { fields: [field] });
    expect(await list(testKey)).toEqual([]);
  });
});
