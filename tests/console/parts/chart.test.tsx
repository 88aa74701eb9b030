import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { Chart, niceTicks, shortNumber, spreadPlaces } from "../../../src/console/kit/parts/chart.tsx";

describe("the ticks of an axis", () => {
  test.each([
    [[], [0, 1]],
    [
      [0, 0],
      [0, 1],
    ],
    [[1], [0, 1]],
    [[3], [0, 1, 2, 3]],
    [[7], [0, 2, 4, 6, 8]],
    [[870_000], [0, 250_000, 500_000, 750_000, 1_000_000]],
    [[0.3], [0, 0.1, 0.2, 0.3]],
    [[1_000_000], [0, 250_000, 500_000, 750_000, 1_000_000]],
    [
      [-5, 5],
      [-5, -2.5, 0, 2.5, 5],
    ],
    [[-40], [-40, -30, -20, -10, 0]],
    [
      [Number.NaN, 4],
      [0, 1, 2, 3, 4],
    ],
  ])("of the values %j are nice: %j", (values, ticks) => {
    expect(niceTicks(values)).toEqual(ticks);
  });

  test("hold every value, whatever its size, in seven steps at most", () => {
    for (let exponent = -3; exponent < 12; exponent++) {
      for (const digit of [1, 1.01, 1.9, 2.4, 3.7, 5, 7.77, 9.99]) {
        const value = digit * 10 ** exponent;
        const ticks = niceTicks([value]);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(niceTicks([value, -value / 3]).length).toBeLessThanOrEqual(7);
      }
    }
  });

  test.each([
    [0, "0"],
    [950, "950"],
    [250_000, "250k"],
    [1_500_000, "1.5m"],
    [2e9, "2bn"],
    [-1_000, "-1k"],
  ])("%d is written %s", (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });
});

describe("labels under an axis", () => {
  test.each([
    [0, []],
    [1, [0]],
    [2, [0, 1]],
    [4, [0, 1, 2, 3]],
    [6, [0, 5]],
    [7, [0, 2, 4, 6]],
    [24, [0, 8, 15, 23]],
    [30, [0, 10, 19, 29]],
  ])("of %d places are spread evenly: %j", (count, places) => {
    expect(spreadPlaces(count, 4)).toEqual(places);
  });
});

describe("a chart", () => {
  const labels = ["Mon", "Tue", "Wed"];
  const chart = (values: (number | null)[]) =>
    renderToString(<Chart title="Sales a day" labels={labels} series={[{ name: "sold", values, look: "area" }]} />);

  test("has a name and its numbers as a table", () => {
    const html = chart([10, 20, 40]);
    expect(html).toContain('aria-label="Sales a day"');
    expect(html).toContain("<title>Sales a day</title>");
    expect(html).toContain('<th scope="row">Wed</th><td class="end">40</td>');
  });

  test("draws from the floor to the highest tick", () => {
    expect(chart([0, 20, 40])).toContain('class="line" d="M0 100L50 50L100 0"');
  });

  test("leaves a gap where nothing is known, and a dash for a lone value", () => {
    const html = chart([40, null, 40]);
    expect(html).toContain('d="M0 0M100 0M-1 0h2M99 0h2"');
    expect(html).toContain('<th scope="row">Tue</th><td class="end">–</td>');
  });

  test("without any value is drawn all the same", () => {
    expect(chart([null, null, null])).not.toContain("NaN");
    expect(renderToString(<Chart title="Nothing" labels={[]} series={[]} />)).not.toContain("NaN");
  });
});
