import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { faultsOf, getRaw, parametersOn, someHostile, withNames } from "../support/hostile-addresses.ts";
import { sendRaw } from "../support/raw-request.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const admin = await service.staff("admin");
const cookie = `staff=${admin.cookies.get("staff")}`;

/** Query parameters of all pages, in their spelling. */
const parameters = [
  ...["q", "status", "category", "from", "to", "days", "page", "open", "before", "merchant", "customer", "reference"],
  ...["supplier", "mode", "by", "who", "state", "take", "token", "next", "product", "tier"],
];

const ask = (path: string) => getRaw(service.url, { path, cookie });
const send = (path: string) =>
  getRaw(service.url, { path, cookie, method: "POST", body: `once=${randomBytes(32).toString("base64url")}` });

const pathsOf = (method: "GET" | "POST") =>
  service.operatorRoutes.filter((route) => route.method === method).map(({ path }) => path);

test("no name in the path of a page or a form of the company is a fault of ours", async () => {
  const named = (method: "GET" | "POST") => pathsOf(method).filter((path) => /[:*]/.test(path));
  expect(named("GET").length).toBeGreaterThan(5);
  expect(named("POST").length).toBeGreaterThan(5);
  const addresses = (paths: readonly string[]) =>
    paths.flatMap((path, at) => someHostile(at).map((name) => withNames(path, name)));
  expect(await faultsOf(addresses(named("GET")), ask)).toEqual([]);
  expect(await faultsOf(addresses(named("POST")), send)).toEqual([]);
}, 240_000);

test("no value of a query parameter is a fault of ours, all at once and each that a page names alone", async () => {
  const paths: string[] = [];
  for (const [at, page] of pathsOf("GET").entries()) {
    const path = withNames(page, "1");
    for (const value of someHostile(at))
      paths.push(`${path}?${parameters.map((name) => `${name}=${value.slice(0, 300)}`).join("&")}`);
    const { text } = await admin.get(path);
    paths.push(...parametersOn(text).map((name) => `${path}?${name}=a%00b`));
  }
  expect(paths.length).toBeGreaterThan(500);
  expect(await faultsOf(paths, ask)).toEqual([]);
}, 240_000);

test("a request that names no host is refused by each page, and is a fault of none", async () => {
  const statuses = await Promise.all(
    pathsOf("GET").map(async (path) => {
      const answer = await sendRaw(service.url, {
        head: [`GET ${withNames(path, "1")} HTTP/1.1`, "Connection: close"],
      });
      return answer?.status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([400]));
});
