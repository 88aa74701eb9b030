import type { Mode } from "../../kernel/mode.ts";
import { readCookie } from "../kit/session-cookies.ts";
import { type MenuEntry, menuLinks, type NavigationGroup, type NavigationLink } from "../kit/shell.ts";
import type { Visit } from "../kit/visit.ts";
import type { Capability, MemberVisit } from "./access.ts";

interface Entry extends MenuEntry<Capability> {
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
      { page: "overview", label: "Overview", icon: "home", capability: "look", keys: "g o" },
      { page: "buy", label: "Sell", icon: "buy", capability: "buy", keys: "g b" },
      { page: "bulk", label: "Bulk orders", icon: "bulk", capability: "buy_in_bulk" },
      { page: "my-sales", label: "My sales", icon: "check", capability: "buy" },
      { page: "team-sales", label: "Sales by person", icon: "chart", capability: "run_business" },
      { page: "transactions", label: "Transactions", icon: "list", capability: "look", keys: "g t" },
      { page: "wallet", label: "Wallet", icon: "wallet", capability: "see_money", keys: "g w" },
      { page: "prices", label: "Prices", icon: "tag", capability: "look", keys: "g p" },
      { page: "beneficiaries", label: "Customers", icon: "person", capability: "keep_beneficiaries" },
    ],
  },
  {
    title: "Developers",
    entries: [
      { page: "keys", label: "API keys", icon: "key", capability: "develop", keys: "g k" },
      { page: "webhooks", label: "Webhooks", icon: "hook", capability: "develop", keys: "g h" },
      { page: "requests", label: "Request log", icon: "log", capability: "read_requests", keys: "g r" },
      { page: "errors", label: "Errors", icon: "alert", capability: "read_requests", keys: "g e" },
      { page: "sandbox", label: "Sandbox", icon: "box", capability: "develop", onlyIn: "test" },
      { page: "try", label: "Try the API", icon: "play", capability: "develop", keys: "g y", onlyIn: "test" },
    ],
  },
];

/** Whether a page of a mode is in the other one as well; one that the menu doesn't name is taken to be. */
export function isInBothModes(page: string): boolean {
  return !modeGroups.some(({ entries }) => entries.some((entry) => entry.page === page && entry.onlyIn !== undefined));
}

const accountEntries: readonly Entry[] = [
  { page: "members", label: "Team", icon: "users", capability: "run_business" },
  { page: "log", label: "Team log", icon: "clock", capability: "run_business" },
  { page: "business", label: "Business", icon: "shop", capability: "run_business" },
  { page: "security", label: "Security", icon: "shield", capability: "own_account" },
  { page: "notifications", label: "Notifications", icon: "chat", capability: "own_account" },
];

const modeField = "mode";

/** Where the menu leads from a page of the account: to the mode that its link came from, else to the last one looked at. */
export function menuModeOf({ mode, query, request, place }: Visit): Mode {
  const kept = mode ?? query.get(modeField) ?? readCookie(request, place, "mode");
  return kept === "test" ? "test" : "live";
}

/** The menu of a visit: what its role may see, in its mode; pages of the account keep the mode that they were opened in. */
export function navigationOf(visit: MemberVisit, path: string): NavigationGroup[] {
  const { may } = visit;
  const mode = menuModeOf(visit);
  const isSeen = ({ capability, onlyIn }: Entry) => may(capability) && (onlyIn === undefined || onlyIn === visit.mode);
  const shown = (entries: readonly Entry[], base: string) => menuLinks(entries.filter(isSeen), base, path);
  const docs: NavigationLink = { href: "/docs", label: "Docs", icon: "book", isCurrent: false, badge: null };
  const groups = modeGroups.map(({ title, entries }) => ({ title, links: shown(entries, `/${mode}`) }));
  if (may("look")) groups.at(-1)?.links.push(docs);
  const account = shown(accountEntries, "/account").map((link) => ({
    ...link,
    href: `${link.href}?${modeField}=${mode}`,
  }));
  return [...groups, { title: "Account", links: account }].filter(({ links }) => links.length > 0);
}
