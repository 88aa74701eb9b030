import { Type } from "typebox";
import { findWallet } from "../../domain/wallet/queries.ts";
import { resetSandboxWallet } from "../../domain/wallet/wallet.ts";
import { assert } from "../../kernel/assert.ts";
import { formatNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { forReaders } from "../../platform/database/database.ts";
import { operation } from "../openapi/operation.ts";
import { walletOf } from "../request-context.ts";
import { instant, money, nullable, sandboxField } from "../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";

const balanceAnswer = Type.Object(
  {
    balance: money("What can be spent.", "100000.00"),
    currency: Type.Literal("NGN"),
    low_balance_threshold: nullable(money("Falling below it sends `wallet.low_balance`; null when unset.", "5000.00")),
    updated_at: instant("When the balance last changed."),
    sandbox: sandboxField,
  },
  { "x-component": "WalletBalance" },
);

const resetAnswer = Type.Object(
  {
    balance: money("The starting balance.", "100000.00"),
    currency: Type.Literal("NGN"),
    reset_at: instant("When it was reset."),
    sandbox: Type.Literal(true),
  },
  { "x-component": "SandboxReset" },
);

const balanceSchema = operation({
  id: "getWalletBalance",
  tag: "Wallet",
  summary: "Read the wallet's balance",
  description: "The balance of the key's own mode: a sandbox key reads the sandbox wallet.",
  responses: { 200: balanceAnswer },
});

const resetSchema = operation({
  id: "resetSandbox",
  tag: "Sandbox",
  summary: "Reset the sandbox wallet",
  description:
    "Sets the sandbox wallet back to ₦100,000. Transactions stay; one that is pending may still be refunded on top.",
  responses: { 200: resetAnswer },
  problems: ["SANDBOX_ONLY"],
});

/** The wallet's balance, and the sandbox's way back to its starting balance. */
export function walletRoutes(app: TypedServer, services: RouteServices): void {
  const { database, clock, wallTime } = services;
  const reads = forReaders(database);

  app.get("/wallet/balance", { schema: balanceSchema }, async (request) => {
    const key = walletOf(request);
    const wallet = await findWallet(reads, key);
    assert(wallet !== null, "every merchant has its wallets");
    const threshold = wallet.lowBalanceThreshold;
    return {
      balance: formatNaira(wallet.balance),
      currency: "NGN",
      low_balance_threshold: threshold === null ? null : formatNaira(threshold),
      updated_at: wallTime.format(wallet.updatedAt),
      ...(key.mode === "test" ? { sandbox: true } : {}),
    };
  });

  app.post("/sandbox/reset", { schema: resetSchema }, async (request) => {
    const key = walletOf(request);
    if (key.mode === "live") throw refuse("SANDBOX_ONLY");
    const { balance } = await database.transaction((tx) => resetSandboxWallet(tx, key));
    return {
      balance: formatNaira(balance),
      currency: "NGN",
      reset_at: wallTime.format(clock.now()),
      sandbox: true,
    };
  });
}
