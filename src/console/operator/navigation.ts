import { type MenuEntry, menuLinks, type NavigationGroup } from "../kit/shell.ts";
import type { Capability, StaffVisit } from "./access.ts";

type Entry = MenuEntry<Capability>;

const groups: readonly { readonly title: string | null; readonly entries: readonly Entry[] }[] = [
  {
    title: null,
    entries: [
      { page: "today", label: "Today", icon: "home", capability: "look", keys: "g h" },
      { page: "review", label: "Review queue", icon: "alert", capability: "see_review", keys: "g r" },
      { page: "approvals", label: "Approvals", icon: "check", capability: "approve", keys: "g a" },
      { page: "sales", label: "Transactions", icon: "list", capability: "look", keys: "g t" },
      { page: "incidents", label: "Incidents", icon: "alert", capability: "see_review" },
      { page: "merchants", label: "Merchants", icon: "shop", capability: "look", keys: "g m" },
    ],
  },
  {
    title: "Money",
    entries: [
      { page: "money", label: "Credits", icon: "wallet", capability: "see_money", keys: "g c" },
      { page: "payments", label: "Payments", icon: "wallet", capability: "see_payments", keys: "g y" },
      { page: "transfers", label: "Bank transfers", icon: "wallet", capability: "see_money" },
      { page: "float", label: "Float", icon: "wallet", capability: "see_reports" },
      { page: "ledger", label: "Ledger check", icon: "check", capability: "see_reports" },
      { page: "reconciliation", label: "Reconciliation", icon: "repeat", capability: "see_reports" },
      { page: "reports", label: "Reports", icon: "chart", capability: "see_reports", keys: "g p" },
      { page: "closed-days", label: "Closed days", icon: "book", capability: "see_reports" },
    ],
  },
  {
    title: "Selling",
    entries: [
      { page: "suppliers", label: "Suppliers", icon: "hook", capability: "see_suppliers" },
      { page: "routes", label: "Routes", icon: "bulk", capability: "see_suppliers", keys: "g o" },
      { page: "prices", label: "Prices", icon: "tag", capability: "see_prices" },
      { page: "vouchers", label: "Vouchers", icon: "box", capability: "see_suppliers" },
    ],
  },
  {
    title: "Company",
    entries: [
      { page: "staff", label: "Staff", icon: "users", capability: "see_staff" },
      { page: "alerts", label: "Alerts", icon: "alert", capability: "see_staff" },
      { page: "settings", label: "Settings", icon: "gear", capability: "change_settings" },
      { page: "company", label: "Company", icon: "tag", capability: "change_settings" },
      { page: "emails", label: "Emails", icon: "chat", capability: "read_emails" },
      { page: "audit", label: "Audit log", icon: "log", capability: "see_audit" },
      { page: "security", label: "Security", icon: "shield", capability: "own_account" },
    ],
  },
];

/** The menu of a visit: what its role may see. */
export function navigationOf({ may, toDecide }: Pick<StaffVisit, "may" | "toDecide">, path: string): NavigationGroup[] {
  const seen = (entries: readonly Entry[]) => entries.filter(({ capability }) => may(capability));
  return groups
    .map(({ title, entries }) => ({
      title,
      links: menuLinks(seen(entries), "/operator", path, { approvals: toDecide }),
    }))
    .filter(({ links }) => links.length > 0);
}
