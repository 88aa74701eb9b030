/** What comes first in a date of numbers. */
export type DateOrder = "day" | "month";

/** A date as a statement has it: one reading, or one for each order. */
type ReadDate = { readonly day: string | null; readonly month: string | null };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Null for a day that no calendar has. Years of two digits are of this century. */
function dateOf(year: string, month: number, day: number): string | null {
  const whole = year.length === 2 ? `20${year}` : year;
  const date = `${whole}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const instant = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date) ? date : null;
}

/** Both readings of a cell; what comes behind the date, such as a time, is left out. */
function readDate(cell: string): ReadDate {
  const same = (date: string | null): ReadDate => ({ day: date, month: date });
  const text = cell.trim();
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(text);
  if (iso !== null) return same(dateOf(iso[1] ?? "", Number(iso[2]), Number(iso[3])));
  const [, one = "", other = "", year = ""] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?!\d)/.exec(text) ?? [];
  if (year !== "") {
    return { day: dateOf(year, Number(other), Number(one)), month: dateOf(year, Number(one), Number(other)) };
  }
  const [, day = "", name = "", spokenYear = ""] =
    /^(\d{1,2})[-/. ]*([a-z]{3})[a-z]*[-/., ]*(\d{4}|\d{2})(?!\d)/i.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  return same(month === 0 ? null : dateOf(spokenYear, month, Number(day)));
}

/** Collects the dates of a whole file, which together tell their order. */
export function openDates() {
  /** The first line that can be read by this order alone. */
  const only: Record<DateOrder, number | null> = { day: null, month: null };
  let open: number | null = null;
  return {
    read(cell: string, line: number): ReadDate {
      const read = readDate(cell);
      if (read.day !== null && read.month === null) only.day ??= line;
      else if (read.month !== null && read.day === null) only.month ??= line;
      else if (read.day !== read.month) open ??= line;
      return read;
    },
    /** @returns the order, or why it is none */
    order(): DateOrder | { readonly sentence: string } {
      if (only.day !== null && only.month !== null) {
        const sentence = `Its dates have two orders: line ${only.day} begins with the day, line ${only.month} with the month. Export it anew from the bank.`;
        return { sentence };
      }
      if (only.month !== null) return "month";
      if (only.day !== null || open === null) return "day";
      const sentence = `Its dates may begin with the day or with the month, as in line ${open}: say which, or take a longer time.`;
      return { sentence };
    },
  };
}
