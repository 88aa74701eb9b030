import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, startConsole } from "../support/console.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

let answer = 200;

const receiver = closing(await startReceiver((response) => response.writeHead(answer).end("<b>thank you</b>")));
const service = closing(await startConsole({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } }));
const developer = await service.member("developer");

const settings = { url: "", description: "", mode: "both", notify: "changes", which: "all" };

/** Adds an endpoint at the receiver. @returns its page's path and its secret */
async function addEndpoint(by = developer, changes: Readonly<Record<string, string>> = {}) {
  const known = idsIn(await by.get("/test/webhooks"));
  const added = await by.send("/test/webhooks/endpoints/new", { ...settings, url: receiver.url, ...changes });
  const [, secret = ""] = /<code>(whsec_[^<]+)<\/code>/.exec(added.text) ?? [];
  const overview = await by.get("/test/webhooks");
  const id = idsIn(overview).find((each) => !known.includes(each)) ?? "";
  return { added, secret, id, path: `/test/webhooks/endpoints/${id}`, overview };
}

function idsIn({ text }: ConsoleAnswer): string[] {
  return [...new Set(text.match(/whe_[0-9a-z]+/g) ?? [])];
}

/** A page's text as people read it. */
function textOf({ text }: ConsoleAnswer): string {
  return text
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}

async function audited(): Promise<string[]> {
  const { rows } = await service.app.fresh.pool.query<{ entry: string }>(
    "select who || ' ' || command || ' ' || details as entry from audit_log order by number",
  );
  return rows.map(({ entry }) => entry);
}

describe("an endpoint", () => {
  test("is added with its secret shown once, changed, switched off and on, rotated and removed, all of it audited", async () => {
    const { added, secret, path, overview } = await addEndpoint(developer, { description: "<i>shop</i>" });
    expect([added.status, added.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(secret).toMatch(/^whsec_.{44}$/);
    expect(overview.text).toContain("&lt;i>shop&lt;/i>");
    expect(overview.text).not.toContain(secret);

    const chosen = { ...settings, url: receiver.url, which: "chosen", "event_bulk.completed": "on", notify: "all" };
    expect((await developer.send(path, chosen)).location).toBe(path);
    expect(textOf(await developer.get("/live/webhooks"))).toContain("1 of 7");

    expect((await developer.send(`${path}/off`)).location).toBe(path);
    expect(textOf(await developer.get(path))).toContain("Turned off. Events are not sent or kept while it’s off.");
    expect((await developer.send(`${path}/on`)).location).toBe(path);
    expect(textOf(await developer.get(path))).toContain(" On ");

    const rotated = await developer.send(`${path}/rotate`, { overlap: "48" });
    const [second] = /whsec_[A-Za-z0-9+/]+=*/.exec(rotated.text) ?? [];
    expect([rotated.status, second === secret]).toEqual([200, false]);
    expect(textOf(await developer.get(path))).toContain("Until then we sign with both secrets.");

    expect(textOf(await developer.get(`${path}/remove`))).toContain("Remove this endpoint?");
    expect((await developer.send(`${path}/remove`)).location).toBe("/test/webhooks");
    expect((await developer.get(path)).status).toBe(404);

    const entries = await audited();
    const commands = entries.filter((entry) => entry.includes("console webhook"));
    expect(commands.map((entry) => entry.split(" ").slice(0, 4).join(" "))).toEqual(
      ["add", "change", "change", "change", "rotate", "remove"].map(
        (verb) => `member:${developer.email} console webhook ${verb}`,
      ),
    );
    expect(entries.join("\n")).not.toContain("whsec_");
  });

  test("is refused at its fields, with what was typed", async () => {
    const refused = await developer.send("/test/webhooks/endpoints/new", {
      ...settings,
      ...{ url: "ftp://shop.example/<hook>", description: "kept", which: "chosen" },
    });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Choose at least one event, or all events.");
    const url = await developer.send("/test/webhooks/endpoints/new", { ...settings, url: "ftp://shop.example/<hook>" });
    expect([url.status, url.text.includes('value="ftp://shop.example/&lt;hook>"')]).toEqual([400, true]);
    expect(textOf(url)).toContain("Must begin with https://.");
    const { path } = await addEndpoint();
    const rotated = await developer.send(`${path}/rotate`, { overlap: "9999" });
    expect([rotated.status, rotated.text.includes('value="9999"')]).toEqual([400, true]);
    await developer.send(`${path}/remove`);
  });

  test("is added once by a form that is sent twice", async () => {
    const form = { ...settings, url: receiver.url, once: randomBytes(32).toString("base64url") };
    expect((await developer.send("/test/webhooks/endpoints/new", form)).status).toBe(200);
    expect((await developer.send("/test/webhooks/endpoints/new", form)).location).toBe("/test/webhooks");
    const ids = idsIn(await developer.get("/test/webhooks"));
    expect(ids).toHaveLength(1);
    await developer.send(`/test/webhooks/endpoints/${ids[0]}/remove`);
  });
});

describe("a delivery", () => {
  test("of an example is shown with the bytes that came and what was answered, and sent again", async () => {
    const { id, path, secret } = await addEndpoint();
    answer = 500;
    const before = receiver.received.length;
    const sent = await developer.send("/test/webhooks/examples", { endpoint: id, event: "bulk.completed" });
    const delivery = sent.location ?? "";
    expect(delivery).toMatch(/^\/test\/webhooks\/deliveries\/[0-9a-f-]{36}$/);
    await receiver.waitFor(before + 1);
    await waitUntil(async () => textOf(await developer.get(delivery)).includes("HTTP 500"), "the attempt's record");
    const shown = await developer.get(delivery);
    expect(textOf(shown)).toContain(receiver.received[before]?.body);
    expect(shown.text).toContain("&lt;b>thank you&lt;/b>");
    expect(textOf(shown)).toContain(`webhook-id: ${delivery.slice(-36)}`);
    expect(shown.text).not.toContain(secret);

    answer = 200;
    expect((await developer.send(`${delivery}/resend`)).location).toBe(delivery);
    await waitUntil(async () => textOf(await developer.get(delivery)).includes("HTTP 200"), "the second attempt");
    expect(receiver.received[before + 1]?.body).toBe(receiver.received[before]?.body);

    for (const query of [`q=${delivery.slice(-36)}`, "status=failed&event=bulk.completed", `endpoint=${id}`]) {
      expect([query, (await developer.get(`/test/webhooks/deliveries?${query}`)).text.includes(delivery)]).toEqual([
        query,
        true,
      ]);
    }
    for (const query of ["q=%3Cb%3Eno-such", "event=webhook.test", "endpoint=whe_zzx1"]) {
      const none = await developer.get(`/test/webhooks/deliveries?${query}`);
      expect([query, textOf(none).includes("No deliveries match these filters")]).toEqual([query, true]);
    }
    const live = delivery.replace("/test/", "/live/");
    expect([(await developer.get(live)).status, (await developer.send(`${live}/resend`)).status]).toEqual([404, 404]);
    const stranger = await service.member("developer", (await service.app.createMerchant()).id);
    expect((await stranger.get(delivery)).status).toBe(404);
    expect((await stranger.send(`${delivery}/resend`)).status).toBe(404);
    expect((await developer.get("/test/webhooks/deliveries/nothing")).status).toBe(404);

    await developer.send(`${path}/off`);
    const refused = await developer.send(`${delivery}/resend`);
    expect([refused.status, textOf(refused).includes("The webhook is removed or switched off.")]).toEqual([409, true]);
    const off = await developer.send("/test/webhooks/examples", { endpoint: id, event: "bulk.completed" });
    expect([off.status, textOf(off).includes("switch it on first")]).toEqual([409, true]);
    await developer.send(`${path}/remove`);
  });

  test("that failed is recovered since a time, as often a minute as by the API", async () => {
    const member = await service.member("developer", (await service.app.createMerchant()).id);
    const { path } = await addEndpoint(member, { notify: "all" });
    const needed = { date: "2026-01-01", time: "14:30", endpoint: "" };
    const bad = await member.send("/test/webhooks/recover", { ...needed, time: "25:99" });
    expect([bad.status, bad.text.includes('value="25:99"')]).toEqual([400, true]);
    for (let count = 1; count <= 6; count += 1) {
      const done = await member.send("/test/webhooks/recover", needed);
      expect(done.location).toBe("/test/webhooks/deliveries");
    }
    const limited = await member.send("/test/webhooks/recover", needed);
    expect([limited.status, textOf(limited).includes("At most 6 recoveries a minute")]).toEqual([429, true]);
    await member.send(`${path}/off`);
    expect((await member.send("/live/webhooks/recover", needed)).status).toBe(409);
  });
});

describe("the signature tester", () => {
  test("says that a delivery is right with its secret, and why it is not with another body or secret", async () => {
    const { id, path, secret } = await addEndpoint();
    const before = receiver.received.length;
    const sent = await developer.send("/test/webhooks/examples", { endpoint: id, event: "transaction.failed" });
    await receiver.waitFor(before + 1);
    const { body = "", headers: came = {} } = receiver.received[before] ?? {};
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const headers = names.map((name) => `${name}: ${came[name]}`).join("\r\n");
    const report = async (fields: Readonly<Record<string, string>>) => {
      const reply = await developer.send("/test/webhooks/tester", { secret, headers, body, ...fields });
      expect([reply.status, reply.text.includes(fields.secret ?? secret)]).toEqual([200, false]);
      return textOf(reply);
    };
    expect(await report({})).toContain("The signature is right.");
    expect(await report({ body: JSON.stringify(JSON.parse(body), null, 2) })).toContain(
      "spaces or line breaks changed",
    );
    const { data, ...rest } = JSON.parse(body);
    expect(await report({ body: JSON.stringify({ data, ...rest }) })).toContain("the order of keys changed");
    expect(await report({ body: body.replace("failed", "moved!") })).toContain("It differs from character");
    expect(await report({ secret: `whsec_${Buffer.alloc(32, 9).toString("base64")}` })).toContain(
      `The signature matches the present secret of ${id}`,
    );
    const hex = Buffer.from(String(came["webhook-signature"]).slice(3), "base64").toString("hex");
    expect(await report({ computed: hex })).toContain("The signature is in hex instead of base64.");
    expect(await report({ computed: "v1,AAAA" })).toContain("Your code signs something else.");
    expect(await report({ headers: "webhook-id: 1" })).toContain("webhook-signature is missing.");

    const filled = await developer.get(`/test/webhooks/tester?delivery=${sent.location?.slice(-36)}`);
    expect(textOf(filled)).toContain(body);
    expect(filled.text).not.toContain(secret);
    const [, signature] = /webhook-signature: (v1,[A-Za-z0-9+/=]+)/.exec(filled.text) ?? [];
    const [, timestamp] = /webhook-timestamp: (\d+)/.exec(filled.text) ?? [];
    const again = { ...came, "webhook-signature": signature, "webhook-timestamp": timestamp } as typeof came;
    expect(await report({ headers: names.map((name) => `${name}: ${again[name]}`).join("\n") })).toContain(
      "The signature is right.",
    );

    const stranger = await service.member("developer", (await service.app.createMerchant()).id);
    const foreign = await stranger.get(`/test/webhooks/tester?delivery=${sent.location?.slice(-36)}`);
    expect(textOf(foreign)).not.toContain(body);
    await developer.send(`${path}/remove`);
  });

  test("keeps what was typed but for the secret, and a log-in in between keeps no secret either", async () => {
    const secret = `whsec_${Buffer.alloc(32, 4).toString("base64")}`;
    const refused = await developer.send("/test/webhooks/tester", { secret, headers: "webhook-id: <1>", body: "" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("webhook-id: &lt;1>");
    expect(refused.text).not.toContain(secret);
    const guest = service.guest();
    const waiting = await guest.send("/test/webhooks/tester", { secret, headers: "kept", body: "{}" });
    expect([waiting.status, waiting.text.includes("kept"), waiting.text.includes("whsec_")]).toEqual([
      401,
      true,
      false,
    ]);
  });
});

test("pages without an endpoint say how to get one", async () => {
  const member = await service.member("owner", (await service.app.createMerchant()).id);
  for (const path of ["/live/webhooks", "/live/webhooks/examples", "/live/webhooks/deliveries"]) {
    expect([path, textOf(await member.get(path)).includes("Add endpoint")]).toEqual([path, true]);
  }
});
