import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { requestIds } from "../../src/http/request-context.ts";
import { maskSecrets } from "../../src/kernel/mask-secrets.ts";

const idOf = requestIds({ clock: { now: () => Date.now() }, randomness: randomBytes });
const given = (id: string) => idOf({ headers: { "x-request-id": id } } as unknown as IncomingMessage);

test.each([
  ["a key", `ds_live_${"a".repeat(38)}`],
  ["a key in other case, within more", `my-DS_TEST_${"a".repeat(20)}`],
  ["a webhook's secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ["a token", "12345678901234567890"],
  ["a PIN in groups", "1234-5678-9012-3456"],
  ["a phone number", "08031234567"],
])("an id that looks like %s is replaced by one of ours: it would stand in the log", (_what, id) => {
  expect(given(id)).toMatch(/^req_[0-9A-Z]{26}$/);
});

test.each(["order-17", "4bf92f3577b34da6a3ce929d0e0e4736", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "1700000000.abc"])(
  "the id %s of a client's own is kept",
  (id) => expect(given(id)).toBe(id),
);

test.each([
  [`for ds_live_${"a".repeat(38)} of Ada`, "for [redacted] of Ada"],
  ["token 1234-5678-9012-3456-7890 was wrong", "token [redacted] was wrong"],
  ["the PIN is 4821, sorry", "the PIN is [redacted], sorry"],
  ["his password: hunter2", "his password: [redacted]"],
  ["Bank transfer 20261120 of 5,000.00", "Bank transfer 20261120 of 5,000.00"],
  ["token was refused", "token was refused"],
])("%s is stored as %s", (text, stored) => {
  expect(maskSecrets(text)).toBe(stored);
});
