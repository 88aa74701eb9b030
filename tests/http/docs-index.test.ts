import { fastify } from "fastify";
import { describe, expect, test } from "vitest";
import { listGuides } from "../../src/http/docs/documents.ts";
import { documentationPages } from "../../src/http/docs/pages.tsx";
import { decorateRequests } from "../../src/http/request-context.ts";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();

function get(path: string): Promise<Response> {
  return fetch(`${app.url}${path}`);
}

describe("the way in", () => {
  test.each([
    { wayIn: null, links: [] },
    { wayIn: { canSignUp: async () => true }, links: ["/log-in", "/sign-up"] },
    { wayIn: { canSignUp: async () => false }, links: ["/log-in"] },
  ])(
    "leads into the dashboard where there is one, and to sign-up where it is open: $links",
    async ({ wayIn, links }) => {
      const server = fastify();
      decorateRequests(server);
      documentationPages(server, "/api/v1/merchant", wayIn);
      const { body } = await server.inject({ url: "/", headers: { accept: "text/html,*/*;q=0.8" } });
      const ways = [...body.matchAll(/<a class="way[^"]*" href="([^"]*)"/g)].map((match) => match[1]);
      expect(ways).toEqual(links);
      expect([/dashboard/.test(body), body.includes('href="/operator/log-in"')]).toEqual([
        wayIn !== null,
        wayIn !== null,
      ]);
      const calls = await server.inject({ url: "/", headers: { accept: "*/*" } });
      expect(calls.json().dashboard).toBe(wayIn === null ? undefined : "/log-in");
      expect(calls.json()).toMatchObject({ service: "Dispense API", docs: "/docs" });
      await server.close();
    },
  );
});

describe("the index", () => {
  test("leads to every part, without a script, each of which is served", async () => {
    const response = await get("/docs");
    const page = await response.text();
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; /);
    expect(page).not.toMatch(/<script| on[a-z]+=| style=/);
    const links = [...page.matchAll(/<li><a href="(\/[^"#]*)"/g)].map((match) => match[1] ?? "");
    expect(links).toEqual([
      "/docs/api",
      "/docs/errors",
      "/openapi.json",
      "/docs/dispense.postman_collection.json",
      "/llms.txt",
      ...listGuides().map(({ name }) => `/docs/${name}`),
      "/docs/sdk/node",
      "/docs/sdk/php",
      "/docs/sdk/python",
      "/docs/shops/shop.mjs",
      "/healthz",
      "/readyz",
    ]);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  test.each([
    ["/docs/reference", "/docs/api"],
    ["/docs/guides/examples", "/docs/examples"],
    ["/docs/guides/examples.md", "/docs/examples.md"],
  ])("%s leads for good to %s", async (from, to) => {
    const response = await fetch(`${app.url}${from}`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([301, to]);
    expect((await get(to)).status).toBe(200);
  });
});

describe("samples show the deployment's own address", () => {
  const addressed = [
    "/docs",
    "/docs/errors",
    "/docs/errors.md",
    "/docs/examples",
    "/docs/examples.md",
    "/docs/guides/sell-from-a-shop",
    "/docs/guides/receive-webhooks",
    "/docs/sdk/node",
    "/docs/dispense.postman_collection.json",
  ];

  test.each(addressed)("%s: the operator's, else the process's own, with a placeholder for the key", async (path) => {
    const response = await get(path);
    const text = await response.text();
    expect(text).toContain(app.url);
    expect(text).not.toContain("http://127.0.0.1:8080");
    expect(text).not.toMatch(/ds_(test|live)_[A-Za-z0-9]/);
  });

  test.each([
    ["https://api.shop.example", "other.example", "https://api.shop.example"],
    [null, "api.reached.example", "http://localhost"],
    [null, '"><script>', "http://localhost"],
  ])("PUBLIC_URL %s, asked as %s: %s", async (publicUrl, host, shown) => {
    const server = fastify();
    decorateRequests(server, publicUrl);
    documentationPages(server, "/api/v1/merchant");
    const { body } = await server.inject({ url: "/docs", headers: { host } });
    expect(body).toMatch(new RegExp(`export DISPENSE_URL=${shown}(:80)?\n`));
    expect(body).not.toContain("<script");
    await server.close();
  });
});
