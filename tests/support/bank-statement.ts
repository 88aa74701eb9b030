const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The day so many days ago, as ISO has it. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** `2026-11-26` as banks write it: `26-Nov-2026`. */
export function bankDay(day: string): string {
  const [year, month, date] = day.split("-");
  return `${date}-${months[Number(month) - 1]}-${year}`;
}

/** Money that came, as a statement of GTBank has it. */
export interface Came {
  readonly narration: string;
  /** As people write it: `50,000.00`. */
  readonly amount: string;
  readonly reference?: string;
  readonly day?: string;
}

export const gtbHeading = "Trans. Date,Reference,Value Date,Debit,Credit,Balance,Remarks";

/** A statement of GTBank as CSV, after the lines that stand before its headings; with the charge that each line brings. */
export function gtbStatement(lines: readonly Came[], accountNumber: string): string {
  const rows = lines.flatMap(({ narration, amount, reference = "", day = daysAgo(1) }, at) => {
    const date = bankDay(day);
    return [
      `${date},${reference},${date},,"${amount}","1,000,000.00",${narration}`,
      `${date},CHARGE${String(at).padStart(6, "0")},${date},52.50,,"999,947.50",COMMISSION`,
    ];
  });
  return [`Account Statement`, `Account Number,${accountNumber}`, gtbHeading, ...rows, ""].join("\r\n");
}
