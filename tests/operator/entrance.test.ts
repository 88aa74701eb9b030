import { expect, test } from "vitest";
import { firstOperatorLink } from "../../src/domain/staff/staff.ts";
import { closing } from "../support/closing.ts";
import { consolePassword, startConsole } from "../support/console.ts";

const service = closing(await startConsole());

test("the printed link makes the first admin, who sets up two-step login before anything else", async () => {
  const link = await firstOperatorLink(service.app.services.people, service.url);
  const path = (link ?? "").slice(service.url.length);
  const browser = service.guest();
  expect((await browser.get(path)).text).toContain("Make the first admin");
  const token = new URL(link ?? "").searchParams.get("token") ?? "";
  const given = { token, email: "ada@company.example", name: "Ada Obi", password: consolePassword };
  expect(await browser.send("/operator/join", given)).toMatchObject({ status: 303, location: "/operator/log-in" });
  expect((await browser.send("/operator/join", given)).status).toBe(410);
  const answer = await browser.send("/operator/log-in", { email: given.email, password: consolePassword });
  expect(answer.status).toBe(303);
  const turnedAway = await browser.get("/operator/staff");
  expect([turnedAway.status, turnedAway.text.includes("Set up two-step login")]).toEqual([403, true]);
  const security = await browser.get("/operator/security");
  expect(security.text).toContain("Everyone in the company uses two-step login");
  expect((await browser.send("/operator/security/app")).text).toContain("Set up an authenticator app");
});

test("an expired link of the company's console leads back to its own login, and to nothing of merchants'", async () => {
  for (const path of ["/operator/join?token=none", "/operator/reset-password?token=none"]) {
    const page = await service.guest().get(path);
    expect(page.status).toBe(410);
    const links = [...page.text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href]) => href ?? "");
    expect(links).toContain("/operator/log-in");
    expect(links.filter((href) => !href.startsWith("/operator"))).toEqual([]);
    expect(page.text).not.toContain("owner of the business");
    expect(page.text).toContain('data-console="operator"');
  }
});

test("a merchant's session opens nothing of the company's, nor the other way round", async () => {
  const owner = await service.member("owner");
  const admin = await service.staff("admin");
  for (const { method, path } of service.operatorRoutes) {
    const at = path.replace(/:\w+/g, "1").replace("*", "nowhere");
    const answer = method === "GET" ? await owner.get(at) : await owner.send(at);
    expect([path, answer.status === 303 ? answer.location?.split("?")[0] : answer.status]).toEqual([
      path,
      method === "GET" ? "/operator/log-in" : 401,
    ]);
  }
  expect((await admin.get("/live/overview")).location).toMatch(/^\/log-in\?/);
  const stolen = service.guest();
  stolen.cookies.set("staff", owner.cookies.get("merchant") ?? "");
  expect((await stolen.get("/operator/security")).location).toMatch(/^\/operator\/log-in\?/);
});

test("a person who is removed sees nothing more in the open tab", async () => {
  const admin = await service.staff("admin");
  const other = await service.staff("finance");
  expect((await other.get("/operator/approvals")).status).toBe(200);
  await service.app.fresh.pool.query("delete from staff where person_id = $1", [other.personId]);
  expect((await other.get("/operator/approvals")).status).toBe(403);
  expect((await admin.get("/operator/approvals")).status).toBe(200);
});
