import { putPaymentProvider } from "../../../src/domain/funding/providers.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { paymentStubs } from "../../../tests/support/payments/all-payment-stubs.ts";
import {
  type PaymentStub,
  type PaymentStubDialect,
  type StubAccount,
  startPaymentStub,
} from "../../../tests/support/payments/payment-stub.ts";
import type { Undo } from "../../base/scratch-folder.ts";
import { rigSecretBox } from "../../base/service.ts";
import type { Merchant } from "../merchants.ts";

/** One payment provider outside: the stub of a dialect, which is never killed with all that it knows. */
export interface Bank {
  readonly name: string;
  readonly dialect: PaymentStubDialect;
  readonly stub: PaymentStub;
  readonly feeBearer: "company" | "merchant";
  /** The receiving account of each merchant. */
  readonly accounts: Map<MerchantId, StubAccount>;
}

/** One of each dialect of the registry; at every second one the merchant bears the fee. */
export async function openBanks(undo: Undo): Promise<Bank[]> {
  const banks: Bank[] = [];
  for (const [index, dialect] of paymentStubs.entries()) {
    const stub = await startPaymentStub(dialect);
    undo.push(() => stub.close());
    const feeBearer = index % 2 === 0 ? "company" : "merchant";
    banks.push({ name: dialect.connector, dialect, stub, feeBearer, accounts: new Map() });
  }
  return banks;
}

// The service's own worker may have requested it meanwhile.
const insertAccount = {
  name: "insert_torture_account",
  text: `
    insert into funding_accounts (
      provider, merchant_id, state, account_number, bank_name, account_name, account_reference
    )
    values ($1, $2, 'active', $3, 'Wema', 'Torture', $4)
    on conflict (provider, merchant_id) do update
       set state = 'active',
           account_number = excluded.account_number,
           bank_name = excluded.bank_name,
           account_name = excluded.account_name,
           account_reference = excluded.account_reference,
           refusal = null`,
};

/** Enters every provider as an operator does, with an account of each merchant. */
export async function enterBanks(
  database: Database,
  banks: readonly Bank[],
  merchants: readonly Merchant[],
): Promise<void> {
  for (const { name, dialect, stub, feeBearer, accounts } of banks) {
    const entered = { name, connector: name, ...dialect.entered(stub.url), feeBearer };
    await putPaymentProvider({ database, secretBox: rigSecretBox }, entered);
    for (const { id } of merchants) {
      const account = stub.books.open(`mer_${id}`);
      accounts.set(id, account);
      await database.query(insertAccount, [name, id, account.accountNumber, account.holder]);
    }
  }
}
