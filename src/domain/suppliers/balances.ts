import type { Queryable } from "../../platform/database/database.ts";
import { type SecretBox, Unopenable } from "../../platform/sealing/secret-box.ts";
import type { AccessToken, TokenStore } from "../../providers/access-token.ts";
import type { BalanceAnswer, Connector } from "../../providers/contract.ts";
import { insertReportedBalance, type SupplierBalance } from "./balance-queries.ts";
import { findSupplierToken, insertSupplierToken } from "./queries.ts";

/** A connector whose supplier tells what is left of our money. */
export type ConnectorWithBalance = Connector & Required<Pick<Connector, "balance">>;

export function hasBalance(connector: Connector): connector is ConnectorWithBalance {
  return connector.balance !== undefined;
}

/** Whether there is too little of our money at a supplier that purchases go to. */
export function isBalanceLow({ state, balance, alarmBelow }: SupplierBalance): boolean {
  return state === "enabled" && balance !== null && alarmBelow !== null && balance < alarmBelow;
}

/** The turn of asking a supplier for our balance. */
export function balanceTurn(supplier: string): string {
  return `supplier balance ${supplier}`;
}

/** Asks a supplier for our balance and keeps the answer; an answer without a balance leaves the last one as it was. */
export async function askBalance(database: Queryable, connector: ConnectorWithBalance): Promise<BalanceAnswer> {
  const answer = await connector.balance();
  if (answer.balance !== null) await keepBalance(database, connector.name, answer.balance, answer.currency);
  return answer;
}

/** Keeps the balance that a supplier told just now, in hundredths of the currency. */
export async function keepBalance(
  database: Queryable,
  supplier: string,
  balance: bigint,
  currency: string,
): Promise<void> {
  await database.query(insertReportedBalance, [supplier, balance, currency]);
}

/**
 * Suppliers' access tokens in the database, sealed, so that all processes of the deployment share them. `database` is
 * asked for with every use: connectors are made before it is connected.
 */
export function openTokenStore(services: {
  readonly database: () => Queryable;
  readonly secretBox: SecretBox;
}): TokenStore {
  const { database, secretBox } = services;
  return {
    async find(supplier, audience) {
      const [row] = await database().query<{ sealed: string }>(findSupplierToken, [supplier, audience]);
      if (row === undefined) return null;
      try {
        return JSON.parse(secretBox.open(row.sealed, identityOf(supplier, audience))) as AccessToken;
      } catch (error) {
        if (error instanceof Unopenable) return null;
        throw error;
      }
    },
    async save(supplier, audience, token) {
      const sealed = secretBox.seal(JSON.stringify(token), identityOf(supplier, audience));
      await database().query(insertSupplierToken, [supplier, audience, sealed]);
    },
  };
}

function identityOf(supplier: string, audience: string): string {
  return `supplier_tokens/${supplier}/${audience}`;
}
