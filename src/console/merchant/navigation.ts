import type { NavigationGroup, NavigationLink } from "../kit/shell.ts";
import type { Capability, MemberVisit } from "./access.ts";

interface Entry {
  readonly page: string;
  readonly label: string;
  readonly capability: Capability;
  readonly keys?: string;
  /** In this mode alone. */
  readonly onlyIn?: "live" | "test";
}

interface Group {
  readonly title: string | null;
  readonly entries: readonly Entry[];
}

/** Below the mode's path. */
const modeGroups: readonly Group[] = [
  {
    title: null,
    entries: [
      { page: "overview", label: "Overview", capability: "look", keys: "g o" },
      { page: "transactions", label: "Transactions", capability: "look", keys: "g t" },
      { page: "wallet", label: "Wallet", capability: "see_money", keys: "g w" },
      { page: "buy", label: "Buy", capability: "buy", keys: "g b" },
      { page: "bulk", label: "Bulk orders", capability: "buy_in_bulk" },
      { page: "my-sales", label: "My sales", capability: "buy" },
      { page: "team-sales", label: "Sales by person", capability: "run_business" },
      { page: "prices", label: "Prices", capability: "look", keys: "g p" },
      { page: "beneficiaries", label: "Beneficiaries", capability: "keep_beneficiaries" },
    ],
  },
  {
    title: "Developers",
    entries: [
      { page: "keys", label: "API keys", capability: "develop", keys: "g k" },
      { page: "webhooks", label: "Webhooks", capability: "develop", keys: "g h" },
      { page: "requests", label: "Request log", capability: "read_requests", keys: "g r" },
      { page: "errors", label: "Errors", capability: "read_requests", keys: "g e" },
      { page: "sandbox", label: "Sandbox", capability: "develop", onlyIn: "test" },
      { page: "try", label: "Try the API", capability: "develop", keys: "g y", onlyIn: "test" },
    ],
  },
];

/** Whether a page of a mode is in the other one as well; one that the menu doesn't name is taken to be. */
export function isInBothModes(page: string): boolean {
  return !modeGroups.some(({ entries }) => entries.some((entry) => entry.page === page && entry.onlyIn !== undefined));
}

const accountEntries: readonly Entry[] = [
  { page: "members", label: "Members", capability: "run_business" },
  { page: "business", label: "Business", capability: "run_business" },
  { page: "security", label: "Security", capability: "own_account" },
];

/** The menu of a visit: what its role may see, in its mode; from a page of the account it leads to live. */
export function navigationOf({ may, mode }: Pick<MemberVisit, "may" | "mode">, path: string): NavigationGroup[] {
  const link = (base: string, { page, label, keys }: Entry): NavigationLink => {
    const href = `${base}/${page}`;
    const isCurrent = path === href || path.startsWith(`${href}/`);
    return { href, label, isCurrent, badge: null, ...(keys === undefined ? {} : { keys }) };
  };
  const shown = (entries: readonly Entry[], base: string) =>
    entries
      .filter(({ capability, onlyIn }) => may(capability) && (onlyIn === undefined || onlyIn === mode))
      .map((entry) => link(base, entry));
  const docs = { href: "/docs", label: "Docs", isCurrent: false, badge: null };
  const groups = modeGroups.map(({ title, entries }) => ({ title, links: shown(entries, `/${mode ?? "live"}`) }));
  if (may("look")) groups.at(-1)?.links.push(docs);
  return [...groups, { title: "Account", links: shown(accountEntries, "/account") }].filter(
    ({ links }) => links.length > 0,
  );
}
