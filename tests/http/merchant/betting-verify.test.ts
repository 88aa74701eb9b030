import { expect, test } from "vitest";
import { describeVerifyEndpoint } from "../../support/verify-endpoint.ts";

const under = describeVerifyEndpoint({
  path: "/betting/verify",
  category: "betting",
  body: { biller: "bet9ja", customer_id: "1042377" },
  numberField: "customer_id",
  numbered: (suffix) => `Ada104${suffix}`,
  required: ["biller", "customer_id"],
  malformed: [
    [{ customer_id: "ab" }, "VALIDATION_ERROR", "customer_id"],
    [{ customer_id: "a".repeat(33) }, "VALIDATION_ERROR", "customer_id"],
    [{ customer_id: "104-2377" }, "VALIDATION_ERROR", "customer_id"],
    [{ customer_id: 1_042_377 }, "VALIDATION_ERROR", "customer_id"],
    [{ biller: "" }, "VALIDATION_ERROR", "biller"],
  ],
  findings: { customer_name: "ADEYEMI TUNDE" },
});

test("200 answers exactly what the contract names", async () => {
  const { body } = await under.send();
  expect(body).toEqual({
    verified: true,
    biller_slug: "bet9ja",
    customer_id: "1042377",
    customer_name: expect.any(String),
    min_amount: "100.00",
    max_amount: "1000000.00",
    verification_id: expect.stringMatching(/^ver_[A-Za-z0-9_-]{28}$/),
    expires_at: expect.any(String),
    sandbox: true,
  });
});
