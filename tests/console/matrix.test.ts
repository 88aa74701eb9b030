import { describe, expect, test } from "vitest";
import { type MerchantRoute, may } from "../../src/console/merchant/access.ts";
import { type Role, roles } from "../../src/domain/members/roles.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { ConsoleAnswer, MemberClient } from "../support/console.ts";
import { entranceForms, routeOf } from "../support/console-pages.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

const notForRole = "Not for your role";
const settings = { url: "https://shop.example/hook", description: "typed in the old tab", mode: "both" };

/** A route's path with nothing behind its names. */
function pathOf({ path }: MerchantRoute): string {
  return path.replace(/:\w+/g, "nothing").replace("*", "nowhere");
}

async function ask(client: MemberClient, route: MerchantRoute): Promise<ConsoleAnswer> {
  const look = () => (route.method === "GET" ? client.get(pathOf(route)) : client.send(pathOf(route)));
  const answer = await look();
  // As a busy machine may answer, which says nothing about who may look.
  return answer.status === 503 ? look() : answer;
}

function forms(): MerchantRoute[] {
  return service.routes.filter(({ method }) => method === "POST");
}

async function personOf({ email }: MemberClient): Promise<string> {
  const { rows } = await service.app.fresh.pool.query<{ id: number }>("select id from people where email = $1", [
    email,
  ]);
  return String(rows[0]?.id);
}

/** One gate asks for both modes: a route of live is walked by one role each, the next route by the next one. */
const isWalkedBy = (role: Role, { mode }: MerchantRoute, at: number) =>
  mode !== "live" || at % roles.length === roles.indexOf(role);

test.each(roles)(
  "whoever is %s comes to every route of the role by the matrix, and to none else, nor to a link to one",
  async (role) => {
    const member = await service.member(role);
    const wrong = new Set<string>();
    for (const route of service.routes.filter((each, at) => isWalkedBy(role, each, at))) {
      const { status, text, location } = await ask(member, route);
      const isRefused = status === 403 && text.includes(notForRole);
      const isOut = status === 401 || (location ?? "").startsWith("/log-in");
      const isFault = status >= 500;
      const isLetIn = !isRefused && !isOut && !isFault;
      if (isLetIn !== may(role, route.capability) || isOut || isFault)
        wrong.add(`${route.method} ${route.path} (${route.capability}) answered ${status}`);
      if (route.method === "POST" || !isLetIn) continue;
      for (const link of linksIn(text)) {
        const [by, path = ""] = link.trim().split('="');
        const target = routeOf(service.routes, { method: by === "action" ? "POST" : "GET", path });
        if (target !== null && !may(role, target.capability)) wrong.add(`${route.path} leads to ${path}`);
      }
    }
    expect([...wrong]).toEqual([]);
  },
);

function linksIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\s(href|action)="\/(?:live|test|account)\/[^"?#]*/g));
}

describe("a change of access", () => {
  test("closes the open tab of a removed member at its next click", async () => {
    const owner = await service.member("owner");
    const developer = await service.member("developer");
    expect((await developer.get("/test/webhooks")).status).toBe(200);
    const change = { person: await personOf(developer), do: "remove" };
    expect((await owner.send("/account/members/change", change)).status).toBe(303);
    for (const path of ["/test/webhooks", "/live/overview", "/account/security"]) {
      const { status, text } = await developer.get(path);
      expect([path, status, text.includes("belongs to no business")]).toEqual([path, 403, true]);
    }
    expect((await developer.send("/test/webhooks/endpoints/new", settings)).status).toBe(403);
  });

  test("holds at once where a role was changed in another tab, also for the forms that stand open", async () => {
    const owner = await service.member("owner");
    const developer = await service.member("developer");
    expect((await developer.get("/test/webhooks/endpoints/new")).status).toBe(200);
    const change = { person: await personOf(developer), do: "role", role: "viewer" };
    expect((await owner.send("/account/members/change", change)).status).toBe(303);
    const sent = await developer.send("/test/webhooks/endpoints/new", settings);
    expect([sent.status, sent.text.includes(notForRole)]).toEqual([403, true]);
    expect((await developer.get("/test/webhooks")).status).toBe(403);
    expect((await developer.get("/live/overview")).status).toBe(200);
  });
});

describe("a member of two businesses", () => {
  test("sends a form of the one after choosing the other: it is refused, and shows what was typed", async () => {
    const developer = await service.member("developer");
    const other = await service.app.createMerchant();
    await service.app.fresh.pool.query(
      "insert into members (merchant_id, person_id, role, created_at) values ($1, $2, 'developer', now())",
      [other.id, await personOf(developer)],
    );
    const chosen = await developer.send("/account/choose", { merchant: formatMerchantId(other.id) });
    expect(chosen.location).toBe("/live/overview");
    for (const route of forms().filter(({ capability }) => may("developer", capability))) {
      const { status, text } = await developer.send(pathOf(route), { description: settings.description });
      expect([route.path, status, text.includes(settings.description)]).toEqual([route.path, 409, true]);
    }
    const { rows } = await service.app.fresh.pool.query(
      "select count(*)::int as count from webhook_endpoints where merchant_id = any($1)",
      [[developer.merchantId, other.id]],
    );
    expect(rows[0].count).toBe(0);
  });

  test("can't choose a business of somebody else", async () => {
    const owner = await service.member("owner");
    const other = await service.app.createMerchant();
    const chosen = await owner.send("/account/choose", { merchant: formatMerchantId(other.id) });
    const page = await owner.follow(chosen);
    expect(page.text).toContain("You don’t belong to that business.");
    expect(owner.cookies.has("chosen")).toBe(false);
    owner.cookies.set("chosen", formatMerchantId(other.id));
    const sent = await owner.send("/account/members/change", { merchant: formatMerchantId(other.id) });
    expect(sent.status).toBe(409);
  });
});

describe("a suspended business", () => {
  test("reads every page, and sends no form of a mode", async () => {
    const merchant = await service.app.createMerchant();
    const owner = await service.member("owner", merchant.id);
    await service.app.fresh.pool.query("update merchants set status = 'suspended' where id = $1", [merchant.id]);
    for (const route of service.routes.filter(({ method, path }) => method === "GET" && !/[:*]/.test(path))) {
      const { status } = await ask(owner, route);
      expect([route.path, status < 400]).toEqual([route.path, true]);
    }
    for (const route of forms().filter(({ mode }) => mode !== null)) {
      const { status, text } = await ask(owner, route);
      expect([route.path, status, text.includes("is suspended")]).toEqual([route.path, 403, true]);
    }
  });
});

const strangers: readonly (readonly [string, Record<string, string>])[] = [
  ["no origin", {}],
  ["the origin null", { origin: "null" }],
  ["a foreign origin", { origin: "https://evil.example" }],
  ["a foreign origin that looks like ours", { origin: "http://127.0.0.1.evil.example" }],
  ["our origin, but across sites", { origin: "own", "sec-fetch-site": "cross-site" }],
];

// One look refuses them all: each form gets one of them, the next form the next one, and the entrance all.
test.each(strangers)("a form with %s is carried out by no route", async (what, given) => {
  const isIts = (_form: MerchantRoute, at: number) => strangers[at % strangers.length]?.[0] === what;
  const owner = await service.member("owner");
  const headers = { ...given, ...(given.origin === "own" ? { origin: service.url } : {}) };
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of [...forms().filter(isIts).map(pathOf), ...entranceForms]) {
    const body = new URLSearchParams({ merchant: formatMerchantId(owner.merchantId), do: "all", once: "x".repeat(43) });
    const answer = await fetch(`${service.url}${path}`, { method: "POST", body, headers: { cookie, ...headers } });
    const text = await answer.text();
    expect([path, answer.status, text.includes("Not sent from this console")]).toEqual([path, 403, true]);
  }
  expect((await owner.get("/live/overview")).status).toBe(200);
});
