import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { MemberClient } from "../support/console.ts";
import { faultsOf, getRaw, hostile, parametersOn, someHostile, withNames } from "../support/hostile-addresses.ts";
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
async function ask(path: string, method = "GET", body = ""): Promise<string> {
  const once = () => getRaw(service.url, { path, cookie: `merchant=${member.cookies.get("merchant")}`, method, body });
  const head = await once();
  if (!head.includes(" 429 ")) return head;
  member = await service.member("owner");
  return once();
}

const ofTest = (method: "GET" | "POST") =>
  service.routes.filter((each) => each.method === method && each.mode !== "live");

test("no name in a page's path is a fault of ours, and none reaches a header", async () => {
  const named = ofTest("GET").filter(({ path }) => /[:*]/.test(path));
  expect(named.length).toBeGreaterThan(8);
  const paths = named.flatMap(({ path }) => hostile.map((name) => withNames(path, name)));
  expect(await faultsOf(paths, ask)).toEqual([]);
}, 240_000);

test("no value of a query parameter is a fault of ours, in a list or its file, all at once and each that a page names alone", async () => {
  const paths: string[] = [];
  for (const [at, { path: route }] of ofTest("GET").entries()) {
    if (route.includes("*")) continue;
    const path = withNames(route, "1");
    for (const value of someHostile(at))
      paths.push(`${path}?${parameters.map((name) => `${name}=${value.slice(0, 300)}`).join("&")}`);
    const { text } = await member.get(path);
    // A file of a list reads what the list does.
    const addresses = route.includes(":") ? [path] : [path, `${path}.csv`];
    paths.push(...parametersOn(text).flatMap((name) => addresses.map((each) => `${each}?${name}=a%00b`)));
  }
  expect(paths.length).toBeGreaterThan(300);
  expect(await faultsOf(paths, ask)).toEqual([]);
}, 240_000);

test("no name in a form's address is a fault of ours, whether it is sent for the first or the second time", async () => {
  const forms = ofTest("POST").filter(({ path }) => path.includes(":"));
  expect(forms.length).toBeGreaterThan(5);
  const faults: string[] = [];
  for (const { path } of forms)
    for (const name of ["%00", "a%0d%0aset-cookie:%20merchant=x", "%e2%80%ae", "%ff"]) {
      const body = `merchant=mer_${member.merchantId}&once=${randomBytes(32).toString("base64url")}&lines=1`;
      const twice = [withNames(path, name), withNames(path, name)];
      for (const each of twice) faults.push(...(await faultsOf([each], (form) => ask(form, "POST", body))));
    }
  expect(faults).toEqual([]);
}, 240_000);

test("no address of a page without a log-in is a fault of ours", async () => {
  const pages = ["/log-in", "/log-in/code", "/log-in/link", "/sign-up", "/verify-email", "/change-email"];
  const paths = [...pages, "/reset-password", "/accept-invitation"].flatMap((page) =>
    hostile.flatMap((value) => [`${page}?token=${value}&next=/${value}`, `${page}?next=${value}`]),
  );
  expect(await faultsOf(paths, ask)).toEqual([]);
}, 240_000);

test("a NUL in a form's field is no fault of ours: it is read as the mark of a character that was lost", async () => {
  for (const path of ["/log-in", "/test/beneficiaries/new", "/account/business", "/test/keys"]) {
    const answer = await member.send(path, { email: "a\0b", label: "a\0b", name: "a\0b" });
    expect([path, answer.status < 500]).toEqual([path, true]);
  }
});
