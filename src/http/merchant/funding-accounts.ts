import { type Static, Type } from "typebox";
import type { FundingAccount } from "../../domain/funding/account-queries.ts";
import type { Mode } from "../../kernel/mode.ts";
import { operation } from "../openapi/operation.ts";
import { walletOf } from "../request-context.ts";
import { nullable, oneOf, sandboxField, text } from "../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";

const accountSchema = Type.Object(
  {
    provider: text(40, "Who receives transfers there for us.", "paystack"),
    state: oneOf(["active", "requested", "refused"], {
      description:
        "`active`: what is sent to it is added to your wallet. `requested`: the provider is asked for it; it takes a minute as a rule. `refused`: the provider will not open it; `refusal` says why.",
    }),
    account_number: nullable(text(40, "The number to send to; null unless it is active.", "9900123456")),
    bank_name: nullable(text(200, "The bank that it is at; null unless it is active.", "Wema Bank")),
    account_name: nullable(text(200, "What a sender's bank shows; null unless it is active.", "ADA STORES")),
    fee_bearer: oneOf(["company", "merchant"], {
      description:
        "Who bears the provider's fee. `company`: your wallet is credited all that was sent. `merchant`: what is left of it.",
    }),
    refusal: nullable(text(200, "Why it was refused, in the provider's words; null unless it was.", "BVN is required")),
  },
  { "x-component": "FundingAccount" },
);

type AccountAnswer = Static<typeof accountSchema>;

const accountsAnswer = Type.Object(
  { accounts: Type.Array(accountSchema, { maxItems: 100 }), sandbox: sandboxField },
  { "x-component": "FundingAccounts" },
);

const listSchema = operation({
  id: "listFundingAccounts",
  tag: "Wallet",
  summary: "List your receiving accounts",
  description:
    "Bank accounts of your own: a transfer to one, of any amount, is added to your live wallet, within a minute as a rule, and sends `wallet.funded`. There is one for each payment provider of the service, requested when live access is given; none where the service has no provider. In the sandbox it is one that was made up: nothing can be sent to it.",
  querystring: Type.Object({}),
  responses: { 200: accountsAnswer },
});

const requestSchema = operation({
  id: "requestFundingAccounts",
  tag: "Wallet",
  summary: "Request your receiving accounts",
  description:
    "Has the providers asked once more for accounts that they refused, at most once a minute. Safe to repeat: one that is active or requested stays as it is. What needs an identity number is requested by a person, in the dashboard under Wallet.",
  responses: { 200: accountsAnswer },
});

const madeUp: AccountAnswer = {
  provider: "sandbox",
  state: "active",
  account_number: "0000000000",
  bank_name: "Sandbox Bank",
  account_name: "NOT A REAL ACCOUNT",
  fee_bearer: "company",
  refusal: null,
};

/** The bank accounts that a merchant adds money by. */
export function fundingAccountRoutes(app: TypedServer, { fundingAccounts }: RouteServices): void {
  const answers: Readonly<
    Record<Mode, (live: () => Promise<FundingAccount[]>) => Promise<Static<typeof accountsAnswer>>>
  > = {
    live: async (live) => ({ accounts: (await live()).map(accountObject) }),
    test: async () => ({ accounts: [madeUp], sandbox: true }),
  };

  app.get("/wallet/funding-accounts", { schema: listSchema }, (request) => {
    const { merchantId, mode } = walletOf(request);
    return answers[mode](() => fundingAccounts.list(merchantId));
  });

  app.post("/wallet/funding-accounts", { schema: requestSchema }, (request) => {
    const { merchantId, mode } = walletOf(request);
    return answers[mode](() => fundingAccounts.request(merchantId));
  });
}

function accountObject(account: FundingAccount): AccountAnswer {
  return {
    provider: account.provider,
    state: account.state,
    account_number: account.accountNumber,
    bank_name: account.bankName,
    account_name: account.accountName,
    fee_bearer: account.feeBearer,
    refusal: account.refusal,
  };
}
