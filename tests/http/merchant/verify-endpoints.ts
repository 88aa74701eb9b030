import { expect } from "vitest";
import type { CategorySlug } from "../../../src/categories/category-slugs.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { ProblemCode } from "../../../src/kernel/problems.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What the four verify endpoints differ in, as far as their common promises go. */
export interface VerifyEndpoint {
  readonly path: string;
  readonly category: CategorySlug;
  /** A complete request by biller. */
  readonly body: Fields & { readonly biller: string };
  readonly numberField: string;
  /** A number that ends so. */
  readonly numbered: (suffix: string) => string;
  /** Fields that alone are refused as missing. */
  readonly required: readonly string[];
  readonly malformed: readonly (readonly [change: Fields, code: ProblemCode, named: string | readonly string[]])[];
  /** What a live supplier finds out. */
  readonly findings: JsonObject;
  /** What the answer says beside the request, the name and the verification. */
  readonly reply: Fields;
}

export const betting: VerifyEndpoint = {
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
  reply: { min_amount: "100.00", max_amount: "1000000.00" },
};

export const cable: VerifyEndpoint = {
  path: "/cable/verify",
  category: "cable",
  body: { biller: "dstv", smartcard_number: "7032145678" },
  numberField: "smartcard_number",
  numbered: (suffix) => `703214${suffix}`,
  required: ["biller", "smartcard_number"],
  malformed: [
    [{ smartcard_number: "1234567" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: "703214567890123" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: 7_032_145_678 }, "VALIDATION_ERROR", "smartcard_number"],
    [{ biller: "DStv" }, "VALIDATION_ERROR", "biller"],
    [{ biller: ["dstv"] }, "VALIDATION_ERROR", "biller"],
  ],
  findings: {
    customer_name: "ADEYEMI TUNDE",
    account_status: "suspended",
    current_bouquet: "Compact",
    current_product_id: null,
    due_date: null,
    renewal_amount: "19000.00",
  },
  reply: {
    account_status: expect.stringMatching(/^(active|expired)$/),
    current_bouquet: expect.any(String),
    current_product_id: expect.any(Number),
    due_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    renewal_amount: expect.stringMatching(/^\d+\.00$/),
  },
};

export const electricity: VerifyEndpoint = {
  path: "/electricity/verify",
  category: "electricity",
  body: { biller: "ikeja-electric", meter_number: "45012345678", meter_type: "prepaid" },
  numberField: "meter_number",
  numbered: (suffix) => `4501234${suffix}`,
  required: ["meter_number", "meter_type"],
  malformed: [
    [{ meter_number: "12345" }, "INVALID_METER", "meter_number"],
    [{ meter_number: "4501 2345 678" }, "INVALID_METER", "meter_number"],
    [{ meter_number: 45_012_345_678 }, "VALIDATION_ERROR", "meter_number"],
    [{ meter_type: "smart" }, "VALIDATION_ERROR", "meter_type"],
    [{ meter_type: "PREPAID" }, "VALIDATION_ERROR", "meter_type"],
    [{ biller: "Ikeja Electric" }, "VALIDATION_ERROR", "biller"],
    [{ biller: undefined }, "VALIDATION_ERROR", ["product_id", "biller"]],
    [{ product_id: "x" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: 3003 }, "VALIDATION_ERROR", "biller"],
    [{ product_id: 3002, biller: undefined }, "VALIDATION_ERROR", "meter_type"],
  ],
  findings: {
    customer_name: "ADEYEMI TUNDE",
    customer_address: "12 Allen Avenue, Ikeja",
    tariff_class: null,
    outstanding_debt: "1250.00",
    can_vend: false,
  },
  reply: {
    customer_address: expect.stringMatching(/Testville$/),
    tariff_class: expect.stringMatching(/^[A-E]$/),
    ...{ min_amount: "1000.00", max_amount: "200000.00", outstanding_debt: "0.00", can_vend: true },
  },
};

export const internet: VerifyEndpoint = {
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
  reply: {},
};
