import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, withMembers, writeJson } from "../../src/kernel/json.ts";

const object = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

test("an object that was written and completed later reads as one that was written whole", () => {
  fc.assert(
    fc.property(object, object, (first, more) => {
      const others = Object.fromEntries(Object.entries(more).filter(([name]) => !Object.hasOwn(first, name)));
      const whole = JSON.stringify({ ...first, ...others });
      expect(JSON.parse(withMembers(writeJson(first), others))).toEqual(JSON.parse(whole));
    }),
    {
      examples: [
        [{}, {}],
        [{ a: 1 }, {}],
        [{}, { a: 1 }],
        [{ a: 1 }, { b: { c: [] } }],
      ],
    },
  );
});
