import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hideCategory } from "../../../src/domain/catalogue/changes/administration.ts";
import { setAllowlist, setLegacySettings, setMerchantStatus } from "../../../src/domain/merchants/administration.ts";
import { parseNetworkNumbers } from "../../../src/domain/merchants/legacy-settings.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { clock, startApp, type TestApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { answerLater, declined, openFakeSupplier, silent, vended } from "../../support/fake-supplier.ts";
import { callLegacy } from "../../support/legacy-endpoint.ts";
import { conclude } from "./client-conclusions.ts";
import { type OrderWish, ordersFor } from "./client-orders.ts";
import type { ClientProfile } from "./client-profile.ts";
import { clientProfiles } from "./client-profiles.ts";
import { sendAs } from "./client-requests.ts";
import { listSold, type Play, tableOf, type Verdict, verdictOf, worstOf } from "./client-verdicts.ts";

/** A fifth of the time that clients wait, and of the 25 s that an answer is held. */
const timeScale = 0.2;
const holdMs = 25_000 * timeScale;

const supplier = openFakeSupplier();
/** Each client's own account, with networks numbered as it numbers them. */
const accounts = new Map<ClientProfile, RegisteredMerchant>();
const scores = new Map<string, ReadonlyMap<ClientProfile, Verdict>>();

/** Alone asks suppliers again. */
const worker = closing(await startApp({ suppliers: [supplier], workers: true }));
for (const profile of clientProfiles) accounts.set(profile, await accountOf(profile));
/** May buy neither data nor airtime, from the first look at the catalogue on. */
const hidden = await worker.createMerchant();
for (const category of ["data", "airtime"] as const) await hideCategory(worker.services.database, hidden.id, category);
const front = closing(await startApp({ suppliers: [supplier], database: worker.fresh, legacyHoldMs: holdMs }));

async function accountOf(profile: ClientProfile): Promise<RegisteredMerchant> {
  const merchant = await worker.createMerchant();
  for (const category of ["data", "airtime"] as const) {
    const numbers = profile[category]?.map((network, index) => `${index + 1}=${network}`).join(",") ?? "";
    if (profile[category]?.length !== 4) continue;
    await setLegacySettings(worker.services, merchant.id, { networks: { [category]: parseNetworkNumbers(numbers) } });
  }
  return merchant;
}

/** A process of its own: one keeps away from a supplier that tells nothing. */
async function inProcess<Result>(play: (app: TestApp) => Promise<Result>, options = {}): Promise<Result> {
  const app = await startApp({ suppliers: [supplier], database: worker.fresh, legacyHoldMs: holdMs, ...options });
  try {
    return await play(app);
  } finally {
    await app.close();
  }
}

interface PurchaseIntent extends OrderWish {
  readonly url?: string;
  readonly keyOf?: (profile: ClientProfile) => string;
}

const liveKeyOf = (profile: ClientProfile) => accounts.get(profile)?.liveKey ?? "";
const testKeyOf = (profile: ClientProfile) => accounts.get(profile)?.testKey ?? "";

/** All clients at once. */
function playAll(wish: PurchaseIntent, orders = ordersFor(wish)): Promise<Play[]> {
  const { url = front.url, keyOf = liveKeyOf } = wish;
  return Promise.all(
    orders.map(async ({ profile, order }) => {
      const received = await sendAs(profile, order, { url, key: keyOf(profile), timeScale });
      return { profile, order, conclusion: conclude(profile, order.category, received) };
    }),
  );
}

async function verdictsOf(plays: readonly Play[], sells: boolean): Promise<ReadonlyMap<ClientProfile, Verdict>> {
  const sold = await listSold(worker.fresh.pool);
  const ofEach = clientProfiles.map((profile) => {
    const own = plays.filter((play) => play.profile === profile);
    return [profile, worstOf(own.map((play) => verdictOf(play, sold, sells)))] as const;
  });
  return new Map(ofEach);
}

/** Scores a case of the document; nobody may be wrong, and nobody in doubt but those whom it names. */
async function score(
  name: string,
  plays: readonly Play[],
  options: { readonly sells?: true; readonly refuses?: true; readonly inDoubt?: readonly string[] } = {},
): Promise<void> {
  if (options.refuses) expect(await countSold(plays)).toBe(0);
  const verdicts = await verdictsOf(plays, options.sells ?? false);
  scores.set(name, verdicts);
  const others = [...verdicts].filter(([, verdict]) => verdict !== "right");
  expect(others.map(([profile, verdict]) => `${profile.name}: ${verdict}`)).toEqual(
    (options.inDoubt ?? []).map((client) => `${client}: doubt`),
  );
}

/** Counts the purchases that only these plays can have made. */
async function countSold(plays: readonly Play[]): Promise<number> {
  const sold = await listSold(worker.fresh.pool);
  const made = plays.map(({ order, purchasesBefore = 0 }) => {
    return sold.filter(({ phone }) => phone === order.phone).length - purchasesBefore;
  });
  return made.reduce((sum, count) => sum + count, 0);
}

async function endAll(answer: typeof supplier.answer): Promise<void> {
  supplier.answer = answer;
  await worker.fresh.pool.query("update inflight set due_at = now() where step = 'requery'");
}

async function noneIsPending(): Promise<void> {
  const pending = "select count(*)::integer as pending from purchases where status = 'pending'";
  const count = async () => (await worker.fresh.pool.query(pending)).rows[0].pending;
  await expect.poll(count).toBe(0);
}

/** All are asked before the supplier says to the first that it does not know: nobody is kept away from it. */
async function playUnreported(app: TestApp, then: () => Promise<unknown>): Promise<Play[]> {
  const orders = ordersFor({});
  const calls = supplier.calls.length;
  const say = answerLater(supplier);
  const playing = playAll({ url: app.url }, orders);
  await expect.poll(() => supplier.calls.length - calls).toBe(orders.length);
  say(silent);
  await someWait(app, orders.length);
  await then();
  return playing;
}

async function someWait(app: TestApp, count: number): Promise<void> {
  const kept = async () =>
    Number(/^dispense_legacy_held_answers (\d+)$/m.exec(await app.services.metrics.text())?.[1] ?? 0);
  await expect.poll(kept, { interval: 10 }).toBe(count);
}

describe("a live purchase", () => {
  test.each([
    ["delivered at once", vended, { sells: true }],
    ["failed at once", declined, {}],
  ] as const)("%s is concluded by all", async (name, word, options) => {
    supplier.answer = word;
    await score(name, await playAll({}), options);
  });

  test.each([
    ["pending, then delivered", vended, { sells: true }],
    ["pending, then failed", declined, {}],
  ] as const)("%s while its answer is held", async (name, word, options) => {
    const plays = await inProcess((app) => playUnreported(app, () => endAll(word)));
    await score(name, plays, options);
  });

  test("of a supplier that takes its time", async () => {
    supplier.answer = delay(1_500).then(() => vended);
    await score("a slow supplier", await playAll({}), { sells: true });
  });
});

describe("a sandbox purchase", () => {
  test.each([
    ["sandbox: delivered", "", { sells: true }],
    ["sandbox: failed", "0002", {}],
  ] as const)("%s is concluded by all", async (name, suffix, options) => {
    await score(name, await playAll({ keyOf: testKeyOf, suffix }), options);
  });
});

/** The live key of a new merchant that `make` has changed so that it is refused. All clients use it. */
async function refusedKey(make: (merchant: RegisteredMerchant) => Promise<unknown>, credit?: null): Promise<string> {
  const merchant = await worker.createMerchant(credit === null ? { credit } : {});
  await make(merchant);
  return merchant.liveKey ?? "";
}

const services = () => ({ database: worker.services.database, clock });

describe("a refusal", () => {
  test.each<[string, () => Promise<string>, Partial<PurchaseIntent>]>([
    ["an empty wallet", () => refusedKey(async () => {}, null), {}],
    ["an unknown key", async () => `ds_live_${"x".repeat(38)}`, {}],
    ["a suspended account", () => refusedKey(({ id }) => setMerchantStatus(services(), id, "suspended")), {}],
    ["another address", () => refusedKey(({ id }) => setAllowlist(services(), id, ["203.0.113.0/24"])), {}],
    ["a hidden category", async () => hidden.liveKey ?? "", {}],
    ["a number that is none", () => refusedKey(async () => {}), { change: { phone: "0803123456" } }],
    ["no such plan or amount", () => refusedKey(async () => {}), { change: { plan: 777, amount: 1 } }],
  ])("%s is concluded by all", async (name, makeKey, wish) => {
    supplier.answer = vended;
    const key = await makeKey();
    await score(name, await playAll({ keyOf: () => key, ...wish }), { refuses: true });
  });

  test("the same again within 30 seconds", async () => {
    supplier.answer = vended;
    const orders = ordersFor({});
    await playAll({}, orders);
    const plays = await playAll({}, orders);
    await score(
      "the same again",
      plays.map((play) => ({ ...play, purchasesBefore: 1 })),
    );
  });

  test("too many requests are sent", async () => {
    const key = await refusedKey(async () => {});
    const plays = await inProcess(
      async (app) => {
        await callLegacy(app, key, "/api/user/");
        return playAll({ url: app.url, keyOf: () => key });
      },
      { rateLimitPerMinute: 1 },
    );
    await score("too many requests", plays, { refuses: true });
  });

  test("no supplier is at hand", async () => {
    const plays = await inProcess(({ url }) => playAll({ url }), { suppliers: [] });
    await score("no supplier", plays, { refuses: true });
  });
});

describe("networks", () => {
  const everyNetwork = ["MTN", "GLO", "9MOBILE", "AIRTEL"] as const;

  test("numbered as the client does: each sells on the network that it means", async () => {
    supplier.answer = vended;
    const plays = await Promise.all(everyNetwork.map((network) => playAll({ network })));
    await score("every network, numbers set", plays.flat(), { sells: true });
  });

  test("numbered otherwise: nothing is sold on another network, and the client knows", async () => {
    supplier.answer = vended;
    const merchant = await worker.createMerchant();
    const keyOf = () => merchant.liveKey ?? "";
    const plays = await Promise.all(everyNetwork.map((network) => playAll({ network, keyOf })));
    await score("every network, usual numbers", plays.flat());
  });
});

test("nobody listens: two wait, whatever anybody does", async () => {
  const url = await inProcess(async (app) => app.url);
  await score("nobody listens", await playAll({ url }), { inDoubt: ["both-2", "both-3"] });
});

/** No answer is right for all: those who take it for failed pay back, those who take it for sold may have sold nothing. */
test("a purchase that is pending beyond the hold is taken as the document counts, and not scored", async () => {
  const plays = await inProcess((app) => playUnreported(app, async () => {}));
  const saying = (conclusion: string) =>
    new Set(plays.filter((play) => play.conclusion === conclusion).map(({ profile }) => profile)).size;
  // 13 and 11 where a purchase is answered with 201; one wants 200.
  expect(["success", "failed", "pending"].map(saying)).toEqual([14, 10, 5]);
  await endAll(vended);
  await noneIsPending();
});

test("26 of 28 clients conclude the truth in every case, and none is wrong", () => {
  process.stdout.write(`${tableOf(scores)}\n`);
  const ofEach = clientProfiles.map((profile) => worstOf([...scores.values()].map((of) => of.get(profile) ?? "right")));
  const count = (verdict: Verdict) => ofEach.filter((each) => each === verdict).length;
  expect({
    cases: scores.size,
    right: count("right"),
    doubt: count("doubt"),
    unable: count("cannot buy"),
    wrong: count("wrong"),
  }).toEqual({ cases: 20, right: 26, doubt: 2, unable: 0, wrong: 0 });
});
