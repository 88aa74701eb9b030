import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findWallet } from "../../domain/wallet/queries.ts";
import { resetSandboxWallet } from "../../domain/wallet/wallet.ts";
import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { formatNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import { walletOf } from "../request-context.ts";
import { instantSchema, moneySchema, nullable, sandboxField } from "../schemas.ts";

export interface WalletServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

const balanceAnswer = Type.Object({
  balance: moneySchema,
  currency: Type.Literal("NGN"),
  low_balance_threshold: nullable(moneySchema),
  updated_at: instantSchema,
  sandbox: sandboxField,
});

const resetAnswer = Type.Object({
  balance: moneySchema,
  currency: Type.Literal("NGN"),
  reset_at: instantSchema,
  sandbox: Type.Literal(true),
});

/** The wallet's balance, and the sandbox's way back to its starting balance. */
export function walletRoutes(app: FastifyInstance, services: WalletServices): void {
  const { database, clock, wallTime } = services;

  app.get(
    "/wallet/balance",
    { schema: { summary: "Wallet balance", tags: ["Wallet"], response: { 200: balanceAnswer } } },
    async (request) => {
      const key = walletOf(request);
      const wallet = await findWallet(database, key);
      assert(wallet !== null, "every merchant has its wallets");
      const threshold = wallet.lowBalanceThreshold;
      return {
        balance: formatNaira(wallet.balance),
        currency: "NGN",
        low_balance_threshold: threshold === null ? null : formatNaira(threshold),
        updated_at: wallTime.format(wallet.updatedAt),
        ...(key.mode === "test" ? { sandbox: true } : {}),
      };
    },
  );

  app.post(
    "/sandbox/reset",
    { schema: { summary: "Reset the sandbox wallet", tags: ["Sandbox"], response: { 200: resetAnswer } } },
    async (request) => {
      const key = walletOf(request);
      if (key.mode === "live") throw refuse("SANDBOX_ONLY");
      const { balance } = await database.transaction((tx) => resetSandboxWallet(tx, key));
      return {
        balance: formatNaira(balance),
        currency: "NGN",
        reset_at: wallTime.format(clock.now()),
        sandbox: true,
      };
    },
  );
}
