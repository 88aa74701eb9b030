import { typedText } from "../../../kernel/typed-text.ts";

/** What a statement's column may say. */
export const statementRoles = ["date", "narration", "credit", "debit", "reference", "balance"] as const;
export type StatementRole = (typeof statementRoles)[number];
export const neededRoles: readonly StatementRole[] = ["date", "narration", "credit"];

/** Which heading says what, as `plainHeading` spells it; a role that is missing has no column. */
export type StatementColumns = Readonly<Partial<Record<StatementRole, string>>>;

/** What is told of headings that were mapped by hand. */
export const mappedByHand = "mapped by hand";

export const statementBanks = ["GTBank", "Access Bank", "Zenith Bank", "UBA", "First Bank"] as const;

interface Layout {
  readonly bank: (typeof statementBanks)[number];
  /** The headings that each role has had in this bank's files. */
  readonly roles: Readonly<Partial<Record<StatementRole, readonly string[]>>>;
  /** One of these alone tells the bank from the others. */
  readonly mark: readonly string[];
}

const debits = ["debit", "debits", "debitamount"];
const credits = ["credit", "credits", "creditamount"];
const withdrawals = ["withdrawal", "withdrawals"];
const dates = ["transdate", "transactiondate", "date"];

/** As their internet banking writes them; a bank that changes them is mapped by hand. */
const layouts: readonly Layout[] = [
  {
    bank: "GTBank",
    mark: ["remarks"],
    roles: { date: dates, narration: ["remarks"], credit: credits, debit: debits, reference: ["reference"] },
  },
  {
    bank: "Access Bank",
    mark: ["lodgement", "lodgements"],
    roles: {
      date: ["posteddate", ...dates],
      narration: ["transactiondetails", "description"],
      credit: ["lodgement", "lodgements"],
      debit: withdrawals,
      reference: ["reference"],
    },
  },
  {
    bank: "Zenith Bank",
    mark: ["dateposted"],
    roles: { date: ["dateposted"], narration: ["description"], credit: credits, debit: debits, reference: ["transid"] },
  },
  {
    bank: "UBA",
    mark: ["chqno", "chequeno"],
    roles: {
      date: ["trandate", ...dates],
      narration: ["narration", "description"],
      credit: credits,
      debit: debits,
      reference: ["tranref"],
    },
  },
  {
    bank: "First Bank",
    mark: ["deposit", "deposits"],
    roles: {
      date: dates,
      narration: ["transactiondetails", "details"],
      credit: ["deposit", "deposits"],
      debit: withdrawals,
      reference: ["reference"],
    },
  },
];

/** `Trans. Date` → `transdate`: banks write one heading in several ways. */
export function plainHeading(cell: string): string {
  return typedText(cell)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** A line of headings as it is kept. */
export function headingKey(cells: readonly string[]): string {
  const plain = cells.map(plainHeading);
  return plain.slice(0, plain.findLastIndex((name) => name !== "") + 1).join("|");
}

export interface FoundLayout {
  /** A bank's name, or that it was mapped by hand. */
  readonly name: string;
  readonly columns: StatementColumns;
}

/** What a line of headings is the layout of: one that was mapped by hand before the known ones. Null for no headings. */
export function findLayout(cells: readonly string[], kept: ReadonlyMap<string, StatementColumns>): FoundLayout | null {
  const own = kept.get(headingKey(cells));
  if (own !== undefined) return { name: mappedByHand, columns: own };
  const names = new Set(cells.map(plainHeading));
  for (const { bank, mark, roles } of layouts) {
    if (!mark.some((name) => names.has(name))) continue;
    const entries = Object.entries(roles).map(
      ([role, alike]) => [role, alike.find((name) => names.has(name))] as const,
    );
    const columns: StatementColumns = Object.fromEntries(entries.filter(([, name]) => name !== undefined));
    if (neededRoles.every((role) => role in columns) && "debit" in columns) return { name: bank, columns };
  }
  return null;
}
