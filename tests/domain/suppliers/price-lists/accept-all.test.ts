import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AcceptedLine } from "../../../../src/domain/suppliers/price-lists/accept.ts";
import { type Difference, subjectOf } from "../../../../src/domain/suppliers/price-lists/compare.ts";
import type { ProductId } from "../../../../src/kernel/ids.ts";
import { closing } from "../../../support/closing.ts";
import { cards, lineOf, naira, openListedRoutes, plans } from "../../../support/price-list/listed-routes.ts";
import { listedCategories, type SentProduct } from "../../../support/price-list/price-list-kind.ts";
import { sent } from "../../../support/price-list/price-list-server.ts";

const own = closing(await openListedRoutes());
beforeEach(() => own.empty());

const codes = ["a", "b", "c", "d", "e", "f"];
const costs: fc.Arbitrary<SentProduct["cost"]> = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 1, max: 3 }).map((whole) => ["NGN", whole * 100_000] as const),
  fc.integer({ min: 1, max: 2 }).map((whole) => ["USD", whole * 100] as const),
  fc.constantFrom(9_000, 9_100),
);
const faces: fc.Arbitrary<SentProduct["face"]> = fc.constantFrom(null, ["USD", 1_000], ["USD", 2_500]);
const lists = fc.uniqueArray(fc.tuple(fc.constantFrom(...listedCategories), fc.constantFrom(...codes), costs, faces), {
  selector: ([category, code]) => `${category} ${code}`,
});
const owned = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(...plans, ...cards),
    fc.constantFrom(...codes),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
  ),
  { selector: ([id]) => id },
);

/** Which product of ours each new line becomes: one that has no route there yet and is worth the same, as far as there is one. */
async function mapped(differences: readonly Difference[]): Promise<AcceptedLine[]> {
  const taken = new Set((await own.stored()).map(({ id }) => id as ProductId));
  return differences.flatMap((difference, index) => {
    if (difference.kind !== "new") return lineOf(difference, index + 2, null);
    if (difference.cost === null) return [];
    const { category, face } = difference.listed;
    // 11001 to 11004 are cards of 10, 25, 50 and 100 dollars.
    const worth = face === null ? cards : cards.slice(face.hundredths === 1_000n ? 0 : 1).slice(0, 1);
    const free = (category === "data" ? plans : worth).find((id) => !taken.has(id));
    if (free === undefined) return [];
    taken.add(free);
    return lineOf(difference, index + 2, free);
  });
}

test("whatever differs: with all of it applied, the next comparison finds what was left out alone", async () => {
  await fc.assert(
    fc.asyncProperty(lists, owned, async (rows, routes) => {
      await own.fresh.pool.query("delete from supplier_routes");
      for (const [id, code, whole, enabled] of routes) await own.routed(id, code, naira(whole * 1_000), enabled);
      const list = rows.map(([category, code, cost, face]) =>
        sent(category, code, cost, category === "data" ? null : face),
      );
      const { differences } = await own.compareWith(list);
      const lines = await mapped(differences);
      const done = await own.accept(lines);
      expect(done.added + done.repriced + done.switchedOff).toBe(lines.length);
      const left = (await own.compareWith(list)).differences;
      expect(left.map(subjectOf)).toEqual(
        differences.filter((each) => !lines.some((line) => isAbout(line, each))).map(subjectOf),
      );
      expect(left.every(({ kind }) => kind === "new")).toBe(true);
      expect(await own.accept(lines)).toMatchObject({ already: lines.length });
    }),
    { numRuns: 25 },
  );
});

function isAbout(line: AcceptedLine, difference: Difference): boolean {
  const { category, supplierCode } = subjectOf(difference);
  return line.kind === difference.kind && line.category === category && line.supplierCode === supplierCode;
}
