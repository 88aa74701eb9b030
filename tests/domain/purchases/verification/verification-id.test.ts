import { describe, expect, test } from "vitest";
import type { CustomerNumber } from "../../../../src/domain/purchases/buying/buy.ts";
import { verificationIds } from "../../../../src/domain/purchases/verification/verification-id.ts";
import type { MerchantId } from "../../../../src/kernel/ids.ts";
import { refused } from "../../../categories/ask.ts";

const clock = { at: Date.UTC(2026, 10, 20, 13, 3, 9), now: () => clock.at };
const keysOf = (...kept: Buffer[]) => ({ present: () => kept[0]!, kept });
const [own, older] = [Buffer.alloc(32, 7), Buffer.alloc(32, 6)];
const ids = verificationIds({ keys: keysOf(own, older), clock });

const number: CustomerNumber = {
  merchantId: 17 as MerchantId,
  mode: "test",
  category: "electricity",
  billerSlug: "ikeja-electric",
  customerRef: "45012345678",
};

const check = (id: string, calls: CustomerNumber = number) => refused(() => ids.check(calls, id));

/** Does something at another time. */
function at<T>(milliseconds: number, act: () => T): T {
  const before = clock.at;
  clock.at = milliseconds;
  try {
    return act();
  } finally {
    clock.at = before;
  }
}

test("an id fits its schema, and holds for its number", () => {
  const { id } = ids.issue(number);
  expect(id).toMatch(/^ver_[A-Za-z0-9_-]{28}$/);
  expect(check(id)).toBe("accepted");
});

test("it holds under every key that is held, so that another may sign from now on, and under no other", () => {
  const before = verificationIds({ keys: keysOf(older), clock });
  expect(check(before.issue(number).id)).toBe("accepted");
  const { id } = ids.issue(number);
  expect(refused(() => before.check(number, id))).toBe("VERIFICATION_EXPIRED");
});

test("it holds for thirty minutes, to the second that was told, and no longer", () => {
  for (const issuedAt of [clock.at, clock.at + 1, clock.at + 999]) {
    const { id, expiresAt } = at(issuedAt, () => ids.issue(number));
    expect(expiresAt % 1_000).toBe(0);
    expect(expiresAt - issuedAt).toBeGreaterThanOrEqual(1_800_000);
    expect(expiresAt - issuedAt).toBeLessThan(1_801_000);
    expect(at(expiresAt - 1, () => check(id))).toBe("accepted");
    expect(at(expiresAt, () => check(id))).toBe("VERIFICATION_EXPIRED");
  }
});

test.each<Partial<CustomerNumber>>([
  { merchantId: 18 as MerchantId },
  { mode: "live" },
  { category: "betting" },
  { billerSlug: "eko-electric" },
  { customerRef: "45012345679" },
  { customerRef: "4501234567" },
  { customerRef: null },
])("it holds for nothing that differs in %j", (change) => {
  const { id } = ids.issue(number);
  expect(check(id, { ...number, ...change })).toBe("VERIFICATION_EXPIRED");
});

test("facts that run into each other make other ids", () => {
  const one = { ...number, billerSlug: "bet9ja", customerRef: "1042377" };
  const other = { ...number, billerSlug: "bet9ja1", customerRef: "042377" };
  expect(check(ids.issue(one).id, other)).toBe("VERIFICATION_EXPIRED");
});

describe("an id that was tampered with", () => {
  const { id } = ids.issue(number);

  test("is refused whichever character was changed", () => {
    for (let place = 0; place < id.length; place++) {
      const character = id[place] === "A" ? "B" : "A";
      expect(check(id.slice(0, place) + character + id.slice(place + 1))).toBe("VERIFICATION_EXPIRED");
    }
  });

  test("is refused with a later end", () => {
    const later = at(clock.at + 3_600_000, () => ids.issue(number)).id;
    const moved = `ver_${later.slice(4, 10)}${id.slice(10)}`;
    expect(moved).not.toBe(id);
    expect(check(moved)).toBe("VERIFICATION_EXPIRED");
  });

  test.each([
    "",
    "ver_",
    "ver_1",
    id.slice(0, -1),
    `${id}A`,
    `${id}=`,
    ` ${id}`,
    `${id}\n`,
    id.slice(4),
    `VER_${id.slice(4)}`,
  ])("is refused as %j", (text) => {
    expect(check(text)).toBe("VERIFICATION_EXPIRED");
  });

  test("is refused by a deployment with another secret", () => {
    const elsewhere = verificationIds({ keys: keysOf(Buffer.alloc(32, 8)), clock });
    expect(refused(() => elsewhere.check(number, id))).toBe("VERIFICATION_EXPIRED");
  });
});
