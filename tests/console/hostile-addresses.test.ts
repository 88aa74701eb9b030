import { expect, test } from "vitest";
import type { MemberClient } from "../support/console.ts";
import { getRaw, hostile, withNames } from "../support/hostile-addresses.ts";
import { sharedConsole } from "../support/shared-console.ts";

let member: MemberClient;

const service = await sharedConsole();
member = await service.member("owner");

/** Query parameters of all pages, in their spelling. */
const parameters = [
  ...[
    "q",
    "status",
    "category",
    "network",
    "channel",
    "from",
    "to",
    "bulk",
    "page",
    "open",
    "before",
    "after",
    "event",
  ],
  ...["endpoint", "upto", "product", "beneficiary", "merchant", "next", "token", "example", "code", "method", "key"],
  ...["reference", "day", "id", "mode", "path", "place", "until", "find", "ip", "address", "number", "biller", "error"],
];

/** Asks with a member whose minute is not over: pages have a rate. */
async function statusOf(path: string, method = "GET", body = ""): Promise<{ status: number; head: string }> {
  const ask = () => getRaw(service.url, { path, cookie: `merchant=${member.cookies.get("merchant")}`, method, body });
  let head = await ask();
  if (head.includes(" 429 ")) {
    member = await service.member("owner");
    head = await ask();
  }
  return { status: Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(head)?.[1] ?? 0), head };
}

/** What is wrong, some at a time. */
async function faultsOf(paths: readonly string[], method = "GET", body = ""): Promise<string[]> {
  const faults: string[] = [];
  for (let first = 0; first < paths.length; first += 8) {
    const some = paths.slice(first, first + 8).map(async (path) => {
      const { status, head } = await statusOf(path, method, body);
      if (status === 0 || status >= 500 || /set-cookie: *merchant=x/i.test(head))
        faults.push(`${status} ${path.slice(0, 90)}`);
    });
    await Promise.all(some);
  }
  return faults;
}

test("no name in a page's path is a fault of ours, and none reaches a header", async () => {
  const named = service.routes.filter(
    ({ method, path, mode }) => method === "GET" && mode !== "live" && /[:*]/.test(path),
  );
  expect(named.length).toBeGreaterThan(8);
  const paths = named.flatMap(({ path }) => hostile.map((name) => withNames(path, name)));
  expect(await faultsOf(paths)).toEqual([]);
}, 240_000);

test("no value of a query parameter is a fault of ours, in a list or its file", async () => {
  const pages = service.routes.filter(
    ({ method, path, mode }) => method === "GET" && mode !== "live" && !path.includes("*"),
  );
  const paths = pages.flatMap(({ path }) =>
    hostile.map(
      (value) => `${withNames(path, "1")}?${parameters.map((name) => `${name}=${value.slice(0, 300)}`).join("&")}`,
    ),
  );
  expect(await faultsOf(paths)).toEqual([]);
}, 240_000);

test("no value of one filter alone is a fault of ours", async () => {
  const lists = [
    "transactions",
    "transactions.csv",
    "webhooks/deliveries",
    "webhooks/deliveries.csv",
    "requests",
    "errors",
  ];
  const more = [
    "beneficiaries",
    "beneficiaries.csv",
    "bulk",
    "bulk.csv",
    "prices",
    "search",
    "wallet",
    "wallet/statement.csv",
  ];
  const paths = [...lists, ...more].flatMap((page) => parameters.map((name) => `/test/${page}?${name}=a%00b`));
  expect(await faultsOf(paths)).toEqual([]);
}, 240_000);

test("no name in a form's address is a fault of ours, whether it is sent for the first or the second time", async () => {
  const forms = service.routes.filter(
    ({ method, path, mode }) => method === "POST" && mode !== "live" && path.includes(":"),
  );
  expect(forms.length).toBeGreaterThan(5);
  const faults: string[] = [];
  for (const { path } of forms)
    for (const name of ["%00", "a%0d%0aset-cookie:%20merchant=x", "%e2%80%ae", "%ff"]) {
      const body = `merchant=mer_${member.merchantId}&once=${"A".repeat(43)}&lines=1`;
      for (let sent = 0; sent < 2; sent += 1) faults.push(...(await faultsOf([withNames(path, name)], "POST", body)));
    }
  expect(faults).toEqual([]);
}, 240_000);

test("no address of a page without a log-in is a fault of ours", async () => {
  const pages = ["/log-in", "/log-in/code", "/log-in/link", "/sign-up", "/verify-email", "/change-email"];
  const paths = [...pages, "/reset-password", "/accept-invitation"].flatMap((page) =>
    hostile.flatMap((value) => [`${page}?token=${value}&next=/${value}`, `${page}?next=${value}`]),
  );
  expect(await faultsOf(paths)).toEqual([]);
}, 240_000);

test("a NUL in a form's field is no fault of ours: it is read as the mark of a character that was lost", async () => {
  for (const path of ["/log-in", "/test/beneficiaries/new", "/account/business", "/test/keys"]) {
    const answer = await member.send(path, { email: "a\0b", label: "a\0b", name: "a\0b" });
    expect([path, answer.status < 500]).toEqual([path, true]);
  }
});
