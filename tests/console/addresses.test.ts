import { beforeEach, describe, expect, test } from "vitest";
import { listAllowlist } from "../../src/domain/merchants/queries.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { MemberClient } from "../support/console.ts";
import { answered, logUnderTest } from "../support/request-log.ts";
import { sharedConsole } from "../support/shared-console.ts";

let merchant: RegisteredMerchant;
let developer: MemberClient;

const service = await sharedConsole();
beforeEach(async () => {
  merchant = await service.app.createMerchant();
  developer = await service.member("developer", merchant.id);
});

const path = "/live/keys/addresses";
const stored = () => listAllowlist(service.app.services.database, merchant.id);
const dayMs = 86_400_000;

/** Puts requests into the merchant's log, as they came some days ago. */
async function called(address: string | null, times: number, daysAgo = 1, mode: "live" | "test" = "live") {
  const { database } = service.app.services;
  const { requestLog, note, time } = logUnderTest(database, Date.now() - daysAgo * dayMs);
  for (let at = 0; at < times; at++) {
    time.at += 1;
    note(answered({ merchantId: merchant.id, mode }, { address, requestId: `r-${at}` }));
  }
  await requestLog.flush();
}

test("an empty list says that requests come from any address, and a saved one holds for both modes", async () => {
  expect((await developer.get(path)).text).toContain("<strong>any address</strong>");
  const owner = await service.member("owner", merchant.id);
  const saved = await owner.send(path, { ranges: "192.0.2.7\n2001:db8::/32\n192.0.2.7/32" });
  expect([saved.status, await stored()]).toEqual([303, ["192.0.2.7/32", "2001:db8::/32"]]);
  expect((await owner.get("/test/keys/addresses")).text).toContain("<code>192.0.2.7/32</code>");
  const { rows } = await service.app.fresh.pool.query(
    "select who, command, details::jsonb from audit_log order by number desc limit 1",
  );
  expect(rows[0]).toMatchObject({ who: `member:${owner.email}`, command: "console addresses set" });
  const emptied = await owner.send(path, { ranges: " \n" });
  expect([emptied.status, await stored()]).toEqual([303, []]);
});

describe("a dry run", () => {
  test("tells who would be refused, with their requests, and saves nothing", async () => {
    await called("192.0.2.7", 3);
    await called("198.51.100.9", 5, 6);
    await called("203.0.113.1", 2, 1, "test");
    await called("203.0.113.77", 4, 8); // longer ago than seven days
    await called(null, 1, 2);
    const tried = await developer.send(`${path}/try`, { ranges: "192.0.2.0/24" });
    expect([tried.status, await stored()]).toEqual([200, []]);
    expect(tried.text).toContain("3 of 4 addresses that called in the last 7 days would be refused");
    for (const address of ["198.51.100.9", "203.0.113.1", "Unknown"]) {
      expect(tried.text).toContain(`<code>${address}</code>`);
    }
    expect(tried.text).not.toContain("<code>203.0.113.77</code>");
    expect(tried.text).not.toContain("<code>192.0.2.7</code>");
    expect(tried.text).toContain("Save list anyway");
  });

  test("of an empty list refuses nobody, and says what it means", async () => {
    await called("192.0.2.7", 1);
    const tried = await developer.send(`${path}/try`, { ranges: "" });
    expect(tried.text).toContain("None of the 1 addresses");
    expect(tried.text).toContain("may then come from any address");
  });

  test("warns where the person's own address would be out", async () => {
    const out = await developer.send(`${path}/try`, { ranges: "192.0.2.0/24" });
    expect(out.text).toContain("Your own address, 127.0.0.1, isn’t on the list");
    const within = await developer.send(`${path}/try`, { ranges: "127.0.0.0/8" });
    expect(within.text).not.toContain("Your own address");
  });

  test("says where bits beyond a prefix were cleared", async () => {
    const tried = await developer.send(`${path}/try`, { ranges: "192.0.2.7/24" });
    expect(tried.text).toContain("We read 192.0.2.7/24 as 192.0.2.0/24");
  });
});

test.each([
  ["192.0.2.300", "192.0.2.300 is no address range"],
  ["0.0.0.0/0", "0.0.0.0/0 is every address"],
  ["<img onerror=alert(1)>", "&lt;img is no address range"],
  [Array.from({ length: 51 }, (_, at) => `192.0.2.${at}`).join("\n"), "Must be at most 50"],
])("a wrong list is refused at its field, and stays as typed: %s", async (ranges, sentence) => {
  for (const form of [path, `${path}/try`]) {
    const refused = await developer.send(form, { ranges });
    expect([refused.status, refused.text.includes(sentence)]).toEqual([400, true]);
    expect(refused.text).toContain((ranges.split("\n").at(-1) ?? "").replace("<", "&lt;"));
    expect(refused.text).not.toContain("<img");
  }
  expect(await stored()).toEqual([]);
});

test("another's callers are not told of", async () => {
  const other = await service.app.createMerchant();
  const { requestLog, note } = logUnderTest(service.app.services.database, Date.now());
  note(answered({ merchantId: other.id, mode: "live" }, { address: "198.51.100.200" }));
  await requestLog.flush();
  const tried = await developer.send(`${path}/try`, { ranges: "192.0.2.0/24" });
  expect(tried.text).toContain("None of the 0 addresses");
});
