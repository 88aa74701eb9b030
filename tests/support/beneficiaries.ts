import { expect } from "vitest";
import type { TestApp } from "./app.ts";

// biome-ignore lint/suspicious/noExplicitAny: what the wire brought
export type WireBeneficiary = any;

/** A beneficiary that nothing is wrong with. */
export const meter = {
  label: "Mama Tolu's shop",
  category: "electricity",
  customer_ref: "45012345678",
  biller_slug: "ikeja-electric",
  meter_type: "prepaid",
  customer_name: "ADEYEMI TOLU",
  phone: "08031234567",
};

/** Saves one, with these changes; `undefined` leaves a field out. */
export async function save(app: TestApp, key: string, changes: object = {}): Promise<WireBeneficiary> {
  const { status, body } = await app.call(key, "/beneficiaries", { body: { ...meter, ...changes } });
  expect([status, body], JSON.stringify(body)).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
  return body;
}

/** The labels of a list, in its order. */
export async function labels(app: TestApp, key: string, query = ""): Promise<string[]> {
  const { status, body } = await app.call(key, `/beneficiaries${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.beneficiaries.map((row: WireBeneficiary) => row.label);
}
