import { expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, rawText, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

const declined: VendOutcome = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: rawText };
const first = openFakeSupplier("first");
let offsetMs = 0;
/** How far the process's clock is ahead of the database's, by reference. */
const clocks = { behind: -1_500, equal: 0, ahead: 1_500 };

const titles = {
  good: ["Request", "Wallet charged", "Supplier delivered", "Delivered", "Webhook", "Webhook"],
  bad: ["Request", "Wallet charged", "Supplier declined", "Failed", "Refunded to your wallet", "Webhook", "Webhook"],
  sandbox: ["Request", "Wallet charged", "Delivered", "Webhook", "Webhook"],
};

const well = closing(await startReceiver((response) => response.end("ok")));
const ill = closing(await startReceiver((response) => response.writeHead(500).end("no")));
const service = closing(
  await startConsole({
    suppliers: [first],
    workers: true,
    clock: { now: () => Date.now() + offsetMs },
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);
const owner = await service.member("owner");
const viewer = await service.member("viewer");
for (const url of [well.url, ill.url]) {
  const endpoint = { url, description: "", mode: "both", notify: "all", which: "all" };
  expect((await owner.send("/test/webhooks/endpoints/new", endpoint)).status).toBe(200);
}
const { liveKey, testKey } = service.app.merchant;
for (const [name, ahead] of Object.entries(clocks)) {
  offsetMs = ahead;
  for (const [end, key] of [
    ["good", liveKey],
    ["bad", liveKey],
    ["sandbox", testKey],
  ] as const) {
    first.answer = end === "bad" ? declined : vended;
    const body = { reference: `${end}-${name}`, product_id: 1002, phone: "08031234567" };
    await service.app.call(key, "/data/purchase", { body });
  }
}
offsetMs = 0;

interface Shown {
  readonly title: string;
  readonly time: string | null;
  readonly since: string | null;
}

/** The steps of the timeline on the page, without what is still to come. */
function stepsOf(page: string): readonly Shown[] {
  const [, list = ""] = /<ol class="timeline"[^>]*>(.*?)<\/ol>/s.exec(page) ?? [];
  return list
    .split("<li")
    .slice(1)
    .map((item) => ({
      title: (/<b>([^<]+)<\/b>/.exec(item)?.[1] ?? "").trim(),
      time: /<time[^>]*>([^<]*)</.exec(item)?.[1] ?? null,
      since: /<small>([^<]*)</.exec(item)?.[1] ?? null,
    }))
    .filter(({ title }) => !title.startsWith("Next try"));
}

const references = Object.keys(clocks).flatMap((clock) => Object.keys(titles).map((end) => [end, clock] as const));

test.each(references)(
  "the steps of %s, the process's clock %s, stand in the order of their causes and in milliseconds",
  async (end, clock) => {
    const path = `/${end === "sandbox" ? "test" : "live"}/transactions/${end}-${clock}`;
    const expected = titles[end as keyof typeof titles];
    await waitUntil(async () => stepsOf((await owner.get(path)).text).length >= expected.length, "both webhooks");
    const steps = stepsOf((await owner.get(path)).text);
    const known = [...new Set(Object.values(titles).flat())].toSorted((a, b) => b.length - a.length);
    // In the log, if the log is written: else the purchase itself says how it came.
    const kinds = steps.map(({ title }) =>
      known.find((kind) => title.replace(/^Bought with/, "Request").startsWith(kind)),
    );
    expect(kinds.slice(0, expected.length)).toEqual(expected);
    for (const { time } of steps) expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    expect(steps.map(({ time }) => time)).toEqual(steps.map(({ time }) => time).toSorted());
    expect(steps[0]?.since).toBe(null);
    for (const { since } of steps.slice(1)) expect(since).toMatch(/^\+(\d{1,3} ms|\d+\.\d s|\d+ min \d+ s)$/);
  },
);

test("each attempt of a webhook names the endpoint that it went to, its address to those who develop", async () => {
  const path = "/live/transactions/good-equal";
  for (const { url } of [well, ill]) {
    const { host } = new URL(url);
    expect((await viewer.get(path)).text).toContain(`to ${host}. `);
    expect((await owner.get(path)).text).toContain(`to ${url.replace(/\?.*/, "")}. `);
  }
});

test("the operator's timeline has the same order, milliseconds, and each attempt's address", async () => {
  const environment = { DATABASE_URL: service.app.fresh.url };
  for (const clock of Object.keys(clocks)) {
    const { lines } = await operate(["transaction", "show", `bad-${clock}`, "--json"], environment);
    const { events } = lines[0] as { events: { at: string; kind: string; what: string; url?: string }[] };
    const kinds = events.slice(0, 5).map(({ kind, what }) => `${kind} ${what.split(/[ ,:]/)[0]}`);
    expect(kinds).toEqual(["request 1", "wallet purchase", "attempt attempt", "end failed", "wallet refund"]);
    const times = events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    for (const time of times) expect(time).toMatch(/T\d\d:\d\d:\d\d\.\d{3}\+01:00$/);
    const attempts = events.filter(({ what }) => what.includes(", attempt "));
    for (const { what } of attempts) expect(what).toMatch(/ to whe_\w+ at http:\/\/127\.0\.0\.1:\d+/);
    const { out } = await operate(["transaction", "show", `bad-${clock}`], environment);
    expect(out).toMatch(/T\d\d:\d\d:\d\d\.\d{3}\+01:00 +wallet +purchase/);
  }
});
