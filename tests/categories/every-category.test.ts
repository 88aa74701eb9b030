import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { categoryOf, categorySlugs } from "../../src/categories/category-slugs.ts";
import { simulatedFulfilment } from "../../src/categories/fulfilment/simulated.ts";
import { categories } from "../../src/categories/registry.ts";
import { closed } from "../support/wire-expectations.ts";
import { ask, lagos, refused, vendRequestOf } from "./ask.ts";
import { exampleOf } from "./examples.ts";

const seeds = Array.from({ length: 40 }, (_, index) => `SBX${String(index).padStart(26, "0")}`);

/** The categories of the contract. */
const contracted = [
  ...["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice"],
  ...["sms", "recharge_pin"],
];

test("every slug of the contract is sold, by one category and on one path", () => {
  expect(categorySlugs).toEqual(expect.arrayContaining(contracted));
  expect(new Set(categorySlugs).size).toBe(categories.length);
  expect(new Set(categories.map((category) => category.paths.purchase)).size).toBe(categorySlugs.length);
});

describe.each(categories)("$slug", (category) => {
  const { body, product } = exampleOf(category);
  const request = (seed: string) => vendRequestOf(category, ask(category, body), product, seed);

  test("fulfilments fit the schema that documents them, and hold nothing that it does not name", async () => {
    const schema = Compile(closed(category.fulfilment));
    for (const seed of seeds) {
      const fulfilment = await category.simulate(request(seed), lagos);
      expect(schema.Errors(fulfilment)).toEqual([]);
    }
  });

  test("asking again for a purchase gives the same goods", async () => {
    const fulfil = simulatedFulfilment(lagos);
    expect(await fulfil(request("SBX1"))).toEqual(await fulfil(request("SBX1")));
  });

  test("what is secret is in the fulfilment, and differs between purchases", async () => {
    const schema = category.fulfilment as { properties?: Record<string, unknown> };
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining([...category.secrets]));
    for (const name of category.secrets) {
      const values = await Promise.all(
        seeds.map(async (seed) => (await category.simulate(request(seed), lagos))[name]),
      );
      expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(seeds.length);
    }
  });

  test("what is stored and compared survives the database's JSON", () => {
    const { details, intent } = ask(category, body);
    expect(JSON.parse(JSON.stringify({ details, intent }))).toEqual({ details, intent });
  });

  test("the same request in PHP's spelling, with digits as strings, is the same purchase", () => {
    const spelled = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
    );
    expect(ask(category, spelled).intent).toEqual(ask(category, body).intent);
  });

  test("each field that selects or sizes the purchase is part of what is compared", () => {
    const { intent } = ask(category, body);
    for (const change of [{ product_id: 42 }, { amount: "4321.00" }, { quantity: 1, months: 2 }]) {
      const changed = Object.keys(change).some((name) => name in category.body.properties);
      const other = ask(category, { ...body, ...change }).intent;
      if (changed) expect(other).not.toEqual(intent);
      else expect(other).toEqual(intent);
    }
  });

  test("names, e-mail and verification are not compared", () => {
    const { intent } = ask(category, body);
    const changed = { business_name: "Other", recipient_email: "a@b.ng", email: "a@b.ng", verification_id: "ver_1" };
    expect(ask(category, { ...body, ...changed }).intent).toEqual(intent);
  });

  test("its purchase takes the verification of its number, where there is one to take", () => {
    expect("verification_id" in category.body.properties).toBe(category.verify !== undefined);
  });

  test("its customer field and quantity field are fields of its request", () => {
    expect(Object.keys(category.body.properties)).toContain(category.customerField);
    if (category.quantityField !== null)
      expect(Object.keys(category.body.properties)).toContain(category.quantityField);
  });

  test("fields of the wrong kind are refused, never read", () => {
    for (const name of Object.keys(category.body.properties)) {
      for (const value of [{}, [[]], 1.5e300, "\u0000"]) {
        const outcome = refused(() => ask(category, { ...body, [name]: value }));
        if (["message", "business_name", "verification_id"].includes(name) && value === "\u0000") continue;
        expect([name, value, outcome]).not.toContain("accepted");
      }
    }
  });

  test("null in any field is as good as leaving it out, and the same purchase", () => {
    const reply = (sent: typeof body) => {
      const outcome = refused(() => ask(category, sent));
      return outcome === "accepted" ? ask(category, sent).intent : outcome;
    };
    for (const name of Object.keys(category.body.properties)) {
      const { [name]: _, ...without } = body;
      expect([name, reply({ ...body, [name]: null })]).toEqual([name, reply(without)]);
    }
  });

  test("is found by its slug", () => {
    expect(categoryOf(category.slug)).toBe(category);
  });
});
