import { expect, test } from "vitest";
import { getRaw, hostile, withNames } from "../support/hostile-addresses.ts";
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

async function faultsOf(paths: readonly string[], method = "GET", body = ""): Promise<string[]> {
  const faults: string[] = [];
  for (let first = 0; first < paths.length; first += 8) {
    const some = paths.slice(first, first + 8).map(async (path) => {
      const head = await getRaw(service.url, { path, cookie, method, body });
      const status = Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(head)?.[1] ?? 0);
      if (status === 0 || status >= 500 || /set-cookie: *merchant=x/i.test(head))
        faults.push(`${status} ${method} ${path.slice(0, 90)}`);
    });
    await Promise.all(some);
  }
  return faults;
}

const pathsOf = (method: "GET" | "POST") =>
  service.operatorRoutes.filter((route) => route.method === method).map(({ path }) => path);

test("no name in the path of a page or a form of the company is a fault of ours", async () => {
  const named = (method: "GET" | "POST") => pathsOf(method).filter((path) => /[:*]/.test(path));
  expect(named("GET").length).toBeGreaterThan(5);
  expect(named("POST").length).toBeGreaterThan(5);
  const with1 = (paths: readonly string[]) => paths.flatMap((path) => hostile.map((name) => withNames(path, name)));
  const body = `once=${"A".repeat(43)}`;
  expect([...(await faultsOf(with1(named("GET")))), ...(await faultsOf(with1(named("POST")), "POST", body))]).toEqual(
    [],
  );
}, 240_000);

test("no value of a query parameter is a fault of ours, all at once and each alone", async () => {
  const pages = pathsOf("GET").map((path) => withNames(path, "1"));
  const all = pages.flatMap((path) =>
    hostile.map((value) => `${path}?${parameters.map((name) => `${name}=${value.slice(0, 300)}`).join("&")}`),
  );
  const alone = pages.flatMap((path) => parameters.map((name) => `${path}?${name}=a%00b`));
  expect(await faultsOf([...all, ...alone])).toEqual([]);
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
