import { expect, test } from "vitest";
import { fingerprintOf } from "../../../src/domain/purchases/fingerprint.ts";

test("a fingerprint stays what it was, or purchases of before would conflict with their own repetition", () => {
  const data = { product_id: 1002, phone: "08031234567" };
  expect(fingerprintOf("data", data)).toBe("e2ef4e77-b62a-f516-0120-d1674f51e45c");
  expect(fingerprintOf("data", { phone: data.phone, product_id: 1002 })).toBe(fingerprintOf("data", data));
  const strange = { b: [{ z: 1, a: 'q"\\é' }], a: null, aa: true, a_b: { x: 1 } };
  expect(fingerprintOf("sms", strange)).toBe("08eb8fd9-1d17-2a9c-d654-4fbdc02238d0");
});
