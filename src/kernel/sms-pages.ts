/** How a text travels: GSM-7 when every character is in its alphabet, else UCS-2, for the whole message. */
export type SmsEncoding = "GSM-7" | "UCS-2";

export interface SmsPages {
  readonly encoding: SmsEncoding;
  /** Unicode characters (code points), as a person counts and as the 1,530 of the request are counted. */
  readonly characters: number;
  readonly pages: number;
}

// 3GPP TS 23.038, table 6.2.1: the default alphabet without its escape.
const alphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
// Table 6.2.1.1, the extension: each of these is sent as the escape and one more septet.
const extension = "\f^{}\\[~]|€";

const septets = new Map<string, number>([
  ...Array.from(alphabet, (character): [string, number] => [character, 1]),
  ...Array.from(extension, (character): [string, number] => [character, 2]),
]);

/** Units that one page holds: alone, and as part of a message, where a header takes six octets. */
const capacity: Readonly<Record<SmsEncoding, { readonly alone: number; readonly part: number }>> = {
  "GSM-7": { alone: 160, part: 153 },
  "UCS-2": { alone: 70, part: 67 },
};

/**
 * Counts a message's pages by packing them, since dividing the length is wrong: an escaped character or a surrogate
 * pair that does not fit on a page as a whole moves to the next and leaves a unit of the page empty.
 */
export function smsPages(message: string): SmsPages {
  const characters = Array.from(message);
  const encoding = characters.every((character) => septets.has(character)) ? "GSM-7" : "UCS-2";
  const sizes = characters.map((character) =>
    encoding === "GSM-7" ? (septets.get(character) ?? 1) : character.length,
  );
  const { alone, part } = capacity[encoding];
  const units = sizes.reduce((sum, size) => sum + size, 0);
  return { encoding, characters: characters.length, pages: units <= alone ? 1 : packed(sizes, part) };
}

function packed(sizes: readonly number[], capacity: number): number {
  let pages = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > capacity) {
      pages += 1;
      used = 0;
    }
    used += size;
  }
  return pages;
}
