import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Endpoints, openEndpoints } from "../../../src/domain/webhooks/endpoints/queries.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { Overloaded } from "../../../src/platform/database/batcher.ts";
import type { Queryable } from "../../../src/platform/database/database.ts";
import { type RevisionWatch, watchRevisions } from "../../../src/platform/revisions.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { walletKey } from "../../support/wallet.ts";

let app: TestApp;
const watches: RevisionWatch[] = [];
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  for (const watch of watches) watch.stop();
  await app.close();
});

/** What another process remembers, and how many statements it asked with. */
function otherProcess(): { endpoints: Endpoints; calls: () => number } {
  let calls = 0;
  const watch = watchRevisions({ database: app.services.database, monotonicMs: () => performance.now() });
  watches.push(watch);
  const database: Queryable = {
    query(...call) {
      calls += 1;
      return app.services.database.query(...call);
    },
  };
  return { endpoints: openEndpoints({ database, watch }), calls: () => calls };
}

const save = (key: string, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });

describe("endpoints in memory", () => {
  test("answer at once when they are known, and know of any change within a second", async () => {
    const { id, testKey } = await app.createMerchant();
    const owner = walletKey(id);
    const { endpoints, calls } = otherProcess();
    expect(await endpoints.find(owner)).toEqual([]);
    expect(await endpoints.find(owner)).toEqual([]);
    expect(calls()).toBe(1);

    const found = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return endpoints.find(owner);
    };
    await save(testKey, { url: "https://example.com/", notify: "all" });
    const [endpoint, ...others] = await found();
    expect(endpoint).toMatchObject({ url: "https://example.com/", events: ["*"], notify: "all", disabledAt: null });
    expect(others).toEqual([]);
    expect((await endpoints.find(owner))[0]).toBe(endpoint);
    expect(calls()).toBe(2);
    await save(testKey, { enabled: false, events: ["transaction.failed"] });
    expect(await found()).toMatchObject([{ events: ["transaction.failed"], disabledReason: "merchant" }]);
    await save(testKey, { url: null });
    expect(await found()).toMatchObject([{ url: null, secret: null }]);
  });

  test("that many ask for at once are read with one statement, each its own", async () => {
    const merchants = await Promise.all(Array.from({ length: 5 }, () => app.createMerchant()));
    for (const [index, { testKey }] of merchants.entries()) {
      if (index > 0) await save(testKey, { url: `https://example.com/${index}` });
    }
    const { endpoints, calls } = otherProcess();
    await endpoints.find(walletKey(merchants[0]!.id));
    const before = calls();
    const found = await Promise.all(
      [...merchants, ...merchants].map(async ({ id }) => (await endpoints.find(walletKey(id)))[0]?.url ?? null),
    );
    const urls = [null, 1, 2, 3, 4].map((index) => (index === null ? null : `https://example.com/${index}`));
    expect(found).toEqual([...urls, ...urls]);
    expect(calls() - before).toBe(1);
  });

  test("are not believed when the database was not heard of for too long: better to fail", async () => {
    const { id } = await app.createMerchant();
    let now = 0;
    const watch = watchRevisions({ database: app.services.database, monotonicMs: () => now });
    watch.stop();
    await watch.refresh();
    let isAway = false;
    const away = { query: () => Promise.reject(new Error("away")) } as Queryable;
    const database: Queryable = { query: (...call) => (isAway ? away : app.services.database).query(...call) };
    const endpoints = openEndpoints({ database, watch });
    expect(await endpoints.find(walletKey(id))).toEqual([]);
    isAway = true;
    expect(await endpoints.find(walletKey(id))).toEqual([]);
    now = 2_000;
    await expect(endpoints.find(walletKey(id))).rejects.toThrow("away");
  });

  test("are sought by a bounded number while the database says nothing: one more is refused at once", async () => {
    const never = () => new Promise<void>(() => {});
    const silent: RevisionWatch = { known: () => null, refresh: never, refreshAnew: never, stop: () => {} };
    const endpoints = openEndpoints({ database: app.services.database, watch: silent });
    const seek = (merchant: number) => Promise.resolve(endpoints.find(walletKey(merchant as MerchantId)));
    for (let merchant = 1; merchant <= 20_000; merchant++) void seek(merchant);
    await expect(seek(20_001)).rejects.toThrow(Overloaded);
  });
});
