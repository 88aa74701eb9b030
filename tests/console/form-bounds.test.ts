import { request } from "node:http";
import { expect, test } from "vitest";
import { consolePassword } from "../support/console.ts";
import { sendRaw } from "../support/raw-request.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

const patienceMs = 2_000;

/** Announces a form and sends none of it. @returns the status, or 0 where the service waits for the rest */
function announce(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const calls = request({ hostname, port, path, method: "POST", agent: false, timeout: patienceMs, headers });
    calls.setHeader("content-type", "application/x-www-form-urlencoded");
    calls.once("response", ({ statusCode = 0 }) => {
      resolve(statusCode);
      calls.destroy();
    });
    calls.once("timeout", () => calls.destroy());
    calls.once("error", () => resolve(0));
    calls.flushHeaders();
  });
}

const own = () => ({ origin: service.url, "sec-fetch-site": "same-origin" });
const kib = (count: number) => String(count * 1_024);

test("a form from another site is answered before its body comes", async () => {
  for (const path of ["/log-in", "/live/bulk/check", "/account/security/password"])
    for (const headers of [{ origin: "https://evil.example" }, { ...own(), "sec-fetch-site": "cross-site" }, {}])
      expect([path, await announce(path, { ...headers, "content-length": kib(60) })]).toEqual([path, 403]);
});

test("a form of more than 64 KiB is refused before its body comes, but for a bulk order's of a member", async () => {
  const { cookies } = await service.member("owner");
  const cookie = `merchant=${cookies.get("merchant")}`;
  const tooLong = { ...own(), "content-length": kib(65) };
  for (const path of ["/log-in", "/sign-up", "/live/buy/airtime/check"])
    expect([path, await announce(path, tooLong)]).toEqual([path, 413]);
  expect(await announce("/account/security/password", { ...tooLong, cookie })).toBe(413);
  // A visitor who is not logged in is asked for that first.
  for (const path of ["/live/bulk/check", "/test/bulk/start/b-1"]) {
    expect([path, await announce(path, tooLong)]).toEqual([path, 401]);
    expect([path, await announce(path, { ...own(), "transfer-encoding": "chunked" })]).toEqual([path, 401]);
    // Read on: nothing is answered until it is whole.
    expect([path, await announce(path, { ...tooLong, cookie })]).toEqual([path, 0]);
    expect([path, await announce(path, { ...own(), cookie, "content-length": kib(4_097) })]).toEqual([path, 413]);
  }
});

test("a form of more than 200 fields is refused in a sentence, whatever separates them", async () => {
  const { email } = await service.member("owner");
  const fields = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`field-${at}`, ""]));
  const refused = await service.guest().send("/log-in", { ...fields, email, password: consolePassword });
  expect([refused.status, refused.text.includes("at most 200 fields")]).toEqual([400, true]);
  const many = await service.guest().send("/log-in", { email: Array.from({ length: 5_000 }, () => "") });
  expect(many.status).toBe(400);
});

test("a form with files is as bounded, and one that breaks off is refused in a sentence", async () => {
  const { cookies } = await service.member("owner");
  const headers = { ...own(), cookie: `merchant=${cookies.get("merchant")}` };
  const many = new FormData();
  for (let at = 0; at < 201; at += 1) many.set(`field-${at}`, new Blob(["08031234567,500"]), "list.csv");
  const send = async (init: RequestInit, path = "/test/bulk/check") => {
    const answer = await fetch(`${service.url}${path}`, { method: "POST", ...init });
    return [answer.status, await answer.text()];
  };
  expect(await send({ body: many, headers })).toEqual([400, expect.stringContaining("at most 200 fields")]);
  const type = "multipart/form-data; boundary=edge";
  const broken = '--edge\r\ncontent-disposition: form-data; name="lines"\r\n\r\n08031234567,5';
  const sent = await send({ body: broken, headers: { ...headers, "content-type": type } });
  expect(sent).toEqual([400, expect.stringContaining("did not come whole")]);
  const large = new FormData();
  large.set("file", new Blob(["08031234567,500\n".repeat(300_000)]), "list.csv");
  expect((await send({ body: large, headers }))[0]).toBe(413);
  expect((await send({ body: many, headers }, "/log-in"))[0]).toBe(400);
});

test("no page of the console reads JSON or any other body than a form", async () => {
  const { email } = await service.member("owner");
  for (const type of ["application/json", "text/plain"]) {
    const answered = await fetch(`${service.url}/log-in`, {
      method: "POST",
      headers: { ...own(), "content-type": type },
      body: JSON.stringify({ email, password: consolePassword }),
      redirect: "manual",
    });
    expect([type, answered.status]).toEqual([type, 415]);
  }
});

test("a form that is kept across a log-in is short and without secrets, and the page says what was kept", async () => {
  const browser = service.guest();
  const typed = { label: "Till 4", password: "violet anchor", code: "123456", token: "t0ken", secret: "whsec_typed" };
  const short = await browser.send("/test/keys", typed);
  expect([short.status, short.text.includes("Till 4")]).toEqual([401, true]);
  expect(short.text).not.toMatch(/violet|123456|t0ken|whsec_/);
  expect(short.text).toContain("except passwords and codes");
  const long = await browser.send("/test/webhooks/tester", { body: "&".repeat(20_000) });
  expect([long.status, long.text.length < 10_000]).toEqual([401, true]);
  expect(long.text).toContain("too long to keep");
});

test("a form whose factor is asked for says that its passwords are to be typed again", async () => {
  const owner = await service.member("owner");
  await service.age(owner);
  const calls = await owner.send("/account/security/password", { password: "violet anchor 8 lamps" });
  expect([calls.status, calls.text.includes("except passwords and codes")]).toEqual([403, true]);
});

test("a form whose length can't be read is the sender's fault, and no error of ours is logged", async () => {
  const head = ["POST /log-in HTTP/1.1", `Host: ${new URL(service.url).host}`, `Origin: ${service.url}`];
  const form = ["Content-Type: application/x-www-form-urlencoded", "Connection: close"];
  const short = await sendRaw(service.url, {
    head: [...head, ...form, "Content-Length: 9"],
    body: "a=1",
    hangUp: true,
  });
  expect(short === null || short.status === 400).toBe(true);
  service.app.throwFaults();
});

test("a file of a page is not packed in a way that its client refuses", async () => {
  const page = await service.guest().get("/log-in");
  const [, path = ""] = /href="([^"]+\.css)"/.exec(page.text) ?? [];
  const packed = async (accepted: string) =>
    (await fetch(`${service.url}${path}`, { headers: { "accept-encoding": accepted } })).headers.get(
      "content-encoding",
    );
  expect([await packed("br, gzip"), await packed("br;q=0, gzip"), await packed("identity")]).toEqual([
    "br",
    "gzip",
    null,
  ]);
});
