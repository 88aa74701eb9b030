/** A kind of transactions that write both wallets' tables and others: what it writes at most of each. */
export interface TransactionOverBoth {
  readonly what: string;
  /** Below `src/`. */
  readonly where: string;
  readonly wallets: readonly string[];
  readonly outside: readonly string[];
  /** It comes after a time that a short run may not last. */
  readonly isLate?: true;
}

const entries = ["ledger_entries", "wallets"];
const payment = ["funding_entries", "ledger_entries", "payment_announcements", "payments", "wallets"];
const deliveries = ["webhook_deliveries", "webhook_outbox"];
const change = ["audit_log", "change_subjects", "changes", "emails"];
const letters = ["emails", "log_in_failures"];

/** Each that is not late is carried out by `tests/architecture/transactions-over-both.test.ts`, which finds no other. */
export const transactionsOverBoth: readonly TransactionOverBoth[] = [
  {
    what: "merchants are made, with their wallets, keys and first credit",
    where: "domain/members/new-merchants/create-merchants.ts",
    wallets: entries,
    outside: ["api_keys", "merchants", "revisions"],
  },
  {
    what: "a merchant is made in the console, with its owner's invitation",
    where: "domain/members/new-merchants/create-merchants.ts",
    wallets: entries,
    outside: ["audit_log", "emails", "invitations", "merchants"],
  },
  {
    what: "one person books a credit",
    where: "domain/wallet/credits.ts",
    wallets: entries,
    outside: ["audit_log", "wallet_credits"],
  },
  {
    what: "a change is carried out that moves money: credits, their undoing, debits, refunds, goodwill",
    where: "domain/staff/decide-change.ts",
    wallets: entries,
    outside: [...change, "wallet_credits"],
  },
  {
    what: "a payment to nobody's account is credited to a merchant",
    where: "domain/funding/match-payment.ts",
    wallets: payment,
    outside: change,
  },
  {
    what: "credited payments are announced",
    where: "domain/funding/announce-payments.ts",
    wallets: ["payment_announcements", ...deliveries],
    outside: letters,
  },
  {
    what: "a low balance is announced",
    where: "workers/announce.ts",
    wallets: ["wallets", ...deliveries],
    outside: letters,
  },
  {
    what: "`catalogue.updated` is announced",
    where: "domain/webhooks/events/catalogue-updated.ts",
    wallets: deliveries,
    outside: ["catalogue_changes", "catalogue_round"],
    isLate: true,
  },
  {
    what: "a sale by hand is entered",
    where: "domain/members/console-sales.ts",
    wallets: ["console_sales"],
    outside: ["audit_log"],
  },
  {
    what: "an endpoint is added, or its settings change",
    where: "domain/webhooks/endpoints/settings.ts",
    wallets: ["webhook_logs"],
    outside: ["audit_log", "revisions", "webhook_endpoints"],
  },
  {
    what: "an endpoint is switched off for failing",
    where: "domain/webhooks/endpoints/failing/failing-endpoints.ts",
    wallets: ["webhook_failing_endpoints"],
    outside: ["revisions", "webhook_endpoints"],
  },
  {
    what: "a person has failed deliveries sent again",
    where: "domain/webhooks/log/delivery-queries.ts",
    wallets: ["webhook_outbox"],
    outside: ["audit_log"],
  },
];

/** Their table in `docs/statements.md`. */
export function renderTransactionsOverBoth(): string {
  const named = (tables: readonly string[]) =>
    [...tables]
      .sort()
      .map((table) => `\`${table}\``)
      .join(", ");
  const rows = transactionsOverBoth.map(({ what, where, wallets, outside }) => {
    return `| ${what} | [${where.replace("domain/", "")}](../src/${where}) | ${named(wallets)} | ${named(outside)} |`;
  });
  return ["| what happens | where | wallets' tables | outside |", "|---|---|---|---|", ...rows].join("\n");
}
