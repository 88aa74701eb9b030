import { expect, test } from "vitest";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

test("a person logs in, sees the overview and logs out", async () => {
  const owner = await service.member("owner");
  const overview = await owner.get("/live/overview");
  expect([overview.status, overview.text.includes("Test merchant")]).toEqual([200, true]);
  expect((await owner.send("/log-out")).location).toBe("/log-in");
  expect((await owner.get("/live/overview")).location).toBe("/log-in?next=%2Flive%2Foverview");
});

test("every page behind the log-in leads a stranger to it, and a form is not carried out", async () => {
  expect(service.routes.length).toBeGreaterThan(4);
  for (const { method, path } of service.routes) {
    const stranger = service.guest();
    const answer = method === "GET" ? await stranger.get(path) : await stranger.send(path);
    expect([path, answer.status]).toEqual([path, method === "GET" ? 303 : 401]);
  }
});

test.each(["", "null", "https://evil.example"])("a form with the origin “%s” is not carried out", async (origin) => {
  const owner = await service.member("owner");
  expect((await owner.send("/log-out", {}, { origin })).status).toBe(403);
  expect((await owner.get("/live/overview")).status).toBe(200);
});
