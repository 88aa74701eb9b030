import { describe, expect, test } from "vitest";
import { admit } from "../../../src/domain/merchants/keyring.ts";
import { usualLegacySettings } from "../../../src/domain/merchants/legacy-settings.ts";
import type { Account } from "../../../src/domain/merchants/merchant.ts";
import type { ApiKeyId, MerchantId } from "../../../src/kernel/ids.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { Refusal } from "../../../src/kernel/problems.ts";
import { parseAddress, parseAddressRange } from "../../../src/platform/address.ts";

const office = parseAddressRange("203.0.113.0/24");

function account(mode: Mode, wrong: { suspended?: boolean; gate?: boolean; list?: boolean }): Account {
  return {
    principal: {
      merchantId: 1 as MerchantId,
      mode,
      keyId: 2 as ApiKeyId,
      priceTier: 1,
      limits: null,
      duplicateGuardSeconds: null,
      legacy: usualLegacySettings,
    },
    status: wrong.suspended ? "suspended" : "active",
    apiApproved: !wrong.gate,
    sandboxOn: !wrong.gate,
    keyExpiresAt: null,
    allowlist: wrong.list && office !== null ? [office] : [],
  };
}

function outcome(given: Account | null, address = "198.51.100.1"): string {
  try {
    return `let in as key ${admit(given, () => parseAddress(address)).keyId}`;
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

describe("the first thing wrong decides, in the contract's order", () => {
  test.each([
    ["live", {}, "let in as key 2"],
    ["test", {}, "let in as key 2"],
    ["live", { list: true }, "IP_NOT_ALLOWED"],
    ["test", { list: true }, "IP_NOT_ALLOWED"],
    ["live", { gate: true, list: true }, "API_ACCESS_NOT_APPROVED"],
    ["test", { gate: true, list: true }, "SANDBOX_DISABLED"],
    ["live", { suspended: true, gate: true, list: true }, "ACCOUNT_SUSPENDED"],
    ["test", { suspended: true, gate: true, list: true }, "ACCOUNT_SUSPENDED"],
  ] as const)("%s with %o: %s", (mode, wrong, expected) => {
    expect(outcome(account(mode, wrong))).toBe(expected);
  });

  test("without an account nothing else is looked at", () => {
    expect(outcome(null)).toBe("UNAUTHORIZED");
  });
});

describe("an allowlist", () => {
  test("lets its addresses in and nobody whose address is unreadable", () => {
    expect(outcome(account("live", { list: true }), "203.0.113.77")).toBe("let in as key 2");
    expect(outcome(account("live", { list: true }), "unknown")).toBe("IP_NOT_ALLOWED");
  });

  test("that is empty never asks where a request came from", () => {
    const calls: string[] = [];
    admit(account("live", {}), () => {
      calls.push("asked");
      return null;
    });
    expect(calls).toEqual([]);
  });

  test("works the same for sandbox keys, as both modes share it", () => {
    expect(outcome(account("test", { list: true }), "203.0.113.77")).toBe("let in as key 2");
  });
});
