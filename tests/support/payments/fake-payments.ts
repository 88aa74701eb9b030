import type { AccountAnswer, AccountRequest, PaymentConnector } from "../../../src/providers/payments/contract.ts";

/** A payment provider whose answer to a request for an account a test chooses. Of transfers it knows nothing. */
export interface FakePayments extends PaymentConnector {
  /** What it was asked for, in order. */
  readonly requested: AccountRequest[];
  answer: (request: AccountRequest) => AccountAnswer | Promise<AccountAnswer>;
}

export function openedAccount(accountNumber: string): AccountAnswer {
  const account = {
    accountNumber,
    bankName: "Wema Bank",
    accountName: "A SHOP",
    accountReference: `CUS_${accountNumber}`,
  };
  return { kind: "opened", account, evidence: "" };
}

export function openFakePayments(name = "fake"): FakePayments {
  const requested: AccountRequest[] = [];
  const fake: FakePayments = {
    name,
    requested,
    answer: ({ reference }) => openedAccount(`99${reference.replace("mer_", "").padStart(8, "0")}`),
    received: {},
    readEvent: () => ({ kind: "other", evidence: "" }),
    verify: async () => ({ kind: "unknown", evidence: "" }),
    list: async () => ({ kind: "told", paymentIds: [], nextPage: null }),
    async openAccount(request) {
      requested.push(request);
      return fake.answer(request);
    },
  };
  return fake;
}
