import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, startConsole } from "../support/console.ts";
import { formOf, formsOf, submit } from "../support/forms.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { testWebhooks } from "../support/webhooks.ts";

/** In a row, they open the breaker. */
const failures = 10;

let endpoint = "";
let status = 503;

const receiver = closing(await startReceiver((response) => response.writeHead(status).end()));
const service = closing(await startConsole({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } }));
const shop = await service.app.createMerchant();
const developer = await service.member("developer", shop.id);
const settings = { url: receiver.url, description: "", mode: "both", notify: "all", which: "all" };
expect((await developer.send("/test/webhooks/endpoints/new", settings)).status).toBe(200);
const [id] = /whe_[0-9a-z]+/.exec((await developer.get("/test/webhooks")).text) ?? [];
endpoint = `/test/webhooks/endpoints/${id}`;
const { path, body } = sampleOf("airtime");
for (let sale = 1; sale <= failures; sale += 1) {
  const sent = { ...body, reference: `told-${sale}` };
  expect((await service.app.call(shop.testKey, path, { body: sent })).status).toBeLessThan(300);
}
await waitUntil(async () => (await textOf("/test/webhooks")).includes(" Paused "), "the breaker");

/** A page's text as people read it. */
async function textOf(path: string): Promise<string> {
  const { text } = await developer.get(path);
  return text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

const actionsOf = (answer: ConsoleAnswer) => formsOf(answer).map(({ action }) => action.replace(endpoint, ""));

/** The ids of deliveries that came, as often as they came. */
const came = () => receiver.received.map(({ headers }) => String(headers["webhook-id"]));

test("a paused endpoint says so in words, until when, what waits, and how to end it; in live nothing waits", async () => {
  expect(await textOf("/test/webhooks")).toMatch(new RegExp(` Paused .* ${failures} `));
  expect(await textOf("/live/webhooks")).toMatch(/ Paused .* 0 /);
  const page = await textOf(endpoint);
  for (const said of [`Waiting ${failures}`, "Paused until", "Failing since", "wait until then and try once"])
    expect(page).toContain(said);
  expect(actionsOf(await developer.get(endpoint))).toEqual(expect.arrayContaining(["/on", "/off"]));
  const viewer = await service.member("viewer", shop.id);
  expect((await viewer.send(`${endpoint}/on`)).status).toBe(403);
  expect(await textOf("/test/webhooks")).toContain(" Paused ");
});

test("what failed is recovered by the page, from the time that it proposes: each once more, with its id", async () => {
  status = 200;
  const failed = [...new Set(came())];
  expect(failed).toHaveLength(failures);
  const before = came().length;
  expect((await submit(developer, formOf(await developer.get(endpoint), "/on"))).location).toBe(endpoint);

  const form = formOf(await developer.get(`/test/webhooks/recover?endpoint=${endpoint.split("/").at(-1)}`), "/recover");
  const recovered = await submit(developer, form);
  expect(recovered.location).toBe("/test/webhooks/deliveries");
  expect((await developer.follow(recovered)).text).toMatch(/Resending \d+ events? now/);
  await waitUntil(() => new Set(came().slice(before)).size === failures, "all of them again");
  expect(new Set(came())).toEqual(new Set(failed));
  await waitUntil(async () => (await textOf("/test/webhooks")).includes(" On "), "the end of the failing");
  expect(actionsOf(await developer.get(endpoint))).not.toContain("/on");
  for (const id of failed) expect(await textOf(`/test/webhooks/deliveries/${id}`)).toContain("HTTP 200");
});
