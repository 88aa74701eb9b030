import fc from "fast-check";
import { expect, test } from "vitest";
import { arrayOf, arrayOfRows, openDatabase, openPool, rowOf } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());
const pool = { connectionString: fresh.ownerUrl, connectionsMax: 1, applicationName: "test" };
const database = closing(openDatabase(openPool({ ...pool, plans: "ordinary" })));
await database.query({ name: "pair", text: "create type pair as (first text, number bigint, last text)" });

/** Texts of the characters that literals give a meaning to, the word null, and any others but NUL. */
const text = fc.option(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "(", ")", ",", " ", "'", "\n", "a", "é") }),
    fc.constantFrom("", "null", "NULL", " ", "t"),
    fc.string({ unit: "binary" }).map((any) => any.replaceAll("\0", "")),
  ),
);

test("an array of any texts arrives as it was", async () => {
  const sent = fc.array(text, { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sent, async (values) => {
      const [row] = await database.query<{ values: unknown[] }>(
        { name: "texts", text: "select $1::text[] as values" },
        [arrayOf(values)],
      );
      expect(row?.values).toEqual(values);
    }),
    { numRuns: 200 },
  );
});

test("an array of rows of any texts arrives as it was", async () => {
  const row = fc.record({ first: text, number: fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)), last: text });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (sent) => {
      const rows = await database.query({ name: "pairs", text: "select first, number, last from unnest($1::pair[])" }, [
        arrayOfRows(sent.map(({ first, number, last }) => rowOf([first, number, last]))),
      ]);
      expect(rows).toEqual(sent);
    }),
    { numRuns: 200 },
  );
});
