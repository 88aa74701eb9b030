import { expect, test } from "vitest";
import { describeVerifyEndpoint } from "../../support/verify-endpoint.ts";

const under = describeVerifyEndpoint({
  path: "/internet/verify",
  category: "internet",
  body: { biller: "smile", account_number: "ada+1@smile.ng" },
  numberField: "account_number",
  numbered: (suffix) => `070212${suffix}`,
  required: ["biller", "account_number"],
  malformed: [
    [{ account_number: "abc" }, "VALIDATION_ERROR", "account_number"],
    [{ account_number: "a".repeat(65) }, "VALIDATION_ERROR", "account_number"],
    [{ account_number: "ada okafor" }, "VALIDATION_ERROR", "account_number"],
    [{ account_number: null }, "VALIDATION_ERROR", "account_number"],
    [{ biller: "smile/" }, "VALIDATION_ERROR", "biller"],
  ],
  findings: { customer_name: "ADEYEMI TUNDE" },
});

test("200 answers exactly what the contract names", async () => {
  const { body } = await under.send();
  expect(body).toEqual({
    verified: true,
    biller_slug: "smile",
    account_number: "ada+1@smile.ng",
    customer_name: expect.any(String),
    verification_id: expect.stringMatching(/^ver_[A-Za-z0-9_-]{28}$/),
    expires_at: expect.any(String),
    sandbox: true,
  });
});
