import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smsPages } from "../../src/kernel/sms-pages.ts";

const gsm = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./:;<=>?¡ÄÖÑÜ§¿äöñüàAz09";
const extended = "^{}\\[~]|€\f";

describe("which encoding", () => {
  test("every character of GSM 03.38 and of its extension travels as GSM-7", () => {
    for (const character of gsm + extended)
      expect([character, smsPages(character).encoding]).toEqual([character, "GSM-7"]);
  });

  test("one character outside makes the whole message UCS-2", () => {
    for (const character of ["ẹ", "ọ", "ç", "`", "“", "–", "₦", "😀", "\t", "\u00a0"]) {
      expect([character, smsPages(`Hello ${character}`).encoding]).toEqual([character, "UCS-2"]);
    }
  });
});

describe("how many pages", () => {
  test.each([
    ["a", 1, 1],
    ["a", 160, 1],
    ["a", 161, 2],
    ["a", 306, 2],
    ["a", 307, 3],
    ["a", 1_530, 10],
    ["€", 80, 1],
    ["€", 81, 2],
    // 76 of two septets leave one septet of the page's 153 unused: 153 of them need three pages, not two.
    ["€", 152, 2],
    ["€", 153, 3],
    ["ẹ", 70, 1],
    ["ẹ", 71, 2],
    ["ẹ", 134, 2],
    ["ẹ", 135, 3],
    ["😀", 35, 1],
    ["😀", 36, 2],
    // 33 pairs a page, as the 67th unit cannot hold half a pair.
    ["😀", 66, 2],
    ["😀", 67, 3],
  ])("%s × %i → %i", (character, count, pages) => {
    expect(smsPages(character.repeat(count))).toMatchObject({ pages, characters: count });
  });

  test("an extension character that straddles the edge moves to the next page", () => {
    expect(smsPages(`${"a".repeat(152)}€${"a".repeat(151)}`).pages).toBe(2);
    expect(smsPages(`${"a".repeat(152)}€${"a".repeat(152)}`).pages).toBe(3);
    // The same length without straddling: 305 septets fit two pages of 153.
    expect(smsPages(`${"a".repeat(151)}€${"a".repeat(153)}`).pages).toBe(2);
  });

  test("any text can be cut into that many pages, at whole characters, and not into fewer", () => {
    const mixed = fc.array(fc.constantFrom(..."aZ 9", ..."€[]^", "ẹ", "😀"), { minLength: 1, maxLength: 1_530 });
    const plain = fc.array(fc.constantFrom(..."aZ 9", ..."€[]^"), { minLength: 140, maxLength: 1_530 });
    fc.assert(
      fc.property(fc.oneof(mixed, plain), (characters) => {
        const { encoding, pages } = smsPages(characters.join(""));
        const size = (character: string) =>
          encoding === "UCS-2" ? character.length : extended.includes(character) ? 2 : 1;
        expect(pages).toBe(fewestPages(characters.map(size), encoding === "UCS-2" ? [70, 67] : [160, 153]));
      }),
      { numRuns: 300 },
    );
  });
});

/** The rule by exhaustion: for each prefix the fewest pages, over every place where the last page could begin. */
function fewestPages(sizes: readonly number[], [alone, part]: readonly [number, number] | number[]): number {
  if (sizes.reduce((sum, size) => sum + size, 0) <= (alone ?? 0)) return 1;
  const fewest = [0];
  for (let end = 1; end <= sizes.length; end++) {
    let room = part ?? 0;
    let best = Number.POSITIVE_INFINITY;
    for (let start = end - 1; start >= 0; start--) {
      room -= sizes[start] ?? 0;
      if (room < 0) break;
      best = Math.min(best, (fewest[start] ?? 0) + 1);
    }
    fewest.push(best);
  }
  return fewest[sizes.length] ?? 0;
}
