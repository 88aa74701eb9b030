import type { VoucherRow } from "./voucher-format.ts";

/** Rows that are looked at before the first one is judged. */
const lookedAtMax = 1_000;
/** So many times as often as by chance, and numbers of a length that end in zeros were rounded. */
const timesChance = 3;

/** A row of the file, and whether a spreadsheet rounded a number in it. */
type Judged = readonly [row: VoucherRow, isRounded: boolean];

/**
 * Finds the rows that a spreadsheet rounded: it keeps 15 digits of a number and makes zeros of those after them. One
 * genuine number of 16 digits in ten ends so too, so each length is judged by how often that comes in the file.
 */
export async function* judgeRounded(rows: AsyncIterable<VoucherRow>): AsyncGenerator<Judged> {
  const long = new Map<number, number>();
  const ending = new Map<number, number>();
  const isRounded = (text: string) => {
    const zeros = zerosOf(text);
    const found = Math.max(1, ending.get(text.length) ?? 0);
    const share = found / Math.max(1, long.get(text.length) ?? 0);
    // One zero in one code tells nothing.
    return found * zeros > 1 && share * 10 ** zeros > timesChance;
  };
  let first: VoucherRow[] | null = [];
  for await (const row of rows) {
    if (first === null) yield [row, cellsOf(row).some(isRounded)];
    else {
      for (const text of cellsOf(row).filter((cell) => /^[1-9][0-9]{15,}$/.test(cell))) {
        long.set(text.length, (long.get(text.length) ?? 0) + 1);
        if (zerosOf(text) > 0) ending.set(text.length, (ending.get(text.length) ?? 0) + 1);
      }
      first.push(row);
      if (first.length < lookedAtMax) continue;
      for (const before of first) yield [before, cellsOf(before).some(isRounded)];
      first = null;
    }
  }
  for (const row of first ?? []) yield [row, cellsOf(row).some(isRounded)];
}

function cellsOf({ code, pin = "", serial }: VoucherRow): readonly string[] {
  return [code, pin, serial];
}

/** How many digits follow the fifteenth, where all of them are zeros. What begins with a zero was no number. */
function zerosOf(text: string): number {
  return /^[1-9][0-9]{14}(0+)$/.exec(text)?.[1]?.length ?? 0;
}
