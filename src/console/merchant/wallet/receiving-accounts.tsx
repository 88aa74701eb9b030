import type { FundingAccount } from "../../../domain/funding/account-queries.ts";
import { paymentKinds } from "../../../providers/payments/registry.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { type Typed, wrong } from "../../kit/form.ts";
import { CopyButton } from "../../kit/parts/data.tsx";
import { RadioField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { enterBefore } from "../exports.ts";
import type { MerchantServices } from "../services.ts";

const kinds = ["bvn", "nin"] as const;

/** The form that has refused accounts asked for again, with somebody's identity number where one was typed. */
export function receivingAccountForm(
  routes: ModeRoutes,
  services: MerchantServices,
  show: (visit: ModeVisit, typed: Typed) => Promise<Answer | null>,
): void {
  routes.form("/wallet/accounts", {
    capability: { live: "see_money" },
    doneAt: (visit) => visit.to("wallet"),
    show,
    async send(visit, form) {
      const { merchantId } = visit.wallet;
      // Nothing keeps it: no page shows it again, and neither log nor audit has it.
      const number = form.text("identity").replaceAll(/[\s-]/g, "");
      const kind = kinds.find((each) => each === form.text("kind")) ?? null;
      if (number !== "" && !/^\d{11}$/.test(number)) throw wrong("identity", "A BVN or NIN has 11 digits.");
      if (number !== "" && kind === null) throw wrong("kind", "Say whether it’s a BVN or a NIN.");
      const entry = {
        command: "console receiving-account request",
        details: { identity: number === "" ? null : kind },
      };
      await enterBefore(services, visit, entry);
      const { fundingAccounts } = services;
      const accounts =
        number === "" || kind === null
          ? await fundingAccounts.request(merchantId)
          : await fundingAccounts.requestAs(merchantId, { kind, number });
      return goTo(visit.to("wallet"), doneText(accounts));
    },
  });
}

function doneText(accounts: readonly FundingAccount[]): string {
  if (accounts.some(({ state }) => state === "refused")) return "Refused again. See the reason below.";
  return accounts.some(({ state }) => state === "requested") ? "Account requested." : "Account opened.";
}

/** Where the merchant sends money to, the number first: read aloud, copied, typed into a bank's app. */
export function ReceivingAccounts({
  accounts,
  typed,
  mayRequest,
}: {
  readonly accounts: readonly FundingAccount[];
  readonly typed: Typed;
  /** False in the sandbox, where they are shown all the same. */
  readonly mayRequest: boolean;
}) {
  const visit = useVisit();
  if (accounts.length === 0) return null;
  if (!visit.member.apiApproved) {
    return <p>You get a bank account number of your own when live selling is approved.</p>;
  }
  const refused = accounts.filter(({ state }) => state === "refused");
  return (
    <>
      <div class="pay-in">
        {accounts.map((account) => (
          <ReceivingAccount key={account.provider} account={account} />
        ))}
      </div>
      {refused.length === 0 || !mayRequest ? null : (
        <AskAgain typed={typed} isOpen={refused.length === accounts.length || typed.refusal !== null} />
      )}
    </>
  );
}

function ReceivingAccount({ account }: { readonly account: FundingAccount }) {
  const { state, accountNumber, bankName, accountName, refusal, feeBearer } = account;
  const name = titleOf(account);
  if (state === "requested") return <p>{name} is opening your account number. It takes about a minute.</p>;
  if (state === "refused" || accountNumber === null)
    return <p>{`${name} didn’t open an account: “${refusal ?? ""}”`}</p>;
  const fee = feeBearer === "company" ? "You get all that you send." : `You get what you send, less ${name}’s fee.`;
  return (
    <div>
      <p class="number">
        <code>{accountNumber.replace(/^(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3")}</code>
        <CopyButton text={accountNumber} subject="the account number" kind="small" />
      </p>
      <p>
        <strong>{bankName}</strong> · {accountName}
      </p>
      <p class="hint">Arrives within a minute. {fee}</p>
    </div>
  );
}

/** What the provider is called elsewhere, not how the company's people named it here. */
function titleOf({ provider, connector }: FundingAccount): string {
  return paymentKinds.find((kind) => kind.connector === connector)?.title ?? provider;
}

function AskAgain({ typed, isOpen }: { readonly typed: Typed; readonly isOpen: boolean }) {
  return (
    <details open={isOpen}>
      <summary>Request the refused account again</summary>
      <Form action={useVisit().to("wallet/accounts")} submit="Request account again" kind="plain" error={typed.whole}>
        <RadioField
          name="kind"
          label="Which number"
          choices={[
            { value: "bvn", label: "BVN" },
            { value: "nin", label: "NIN" },
          ]}
          value={typed.value("kind", "bvn")}
          error={typed.error("kind")}
          isRequired={false}
        />
        <TextField
          name="identity"
          label="BVN or NIN of the owner"
          hint="Only if the reason above asks for it. We pass it on and don’t keep it."
          keys="numeric"
          lengthMax={20}
          error={typed.error("identity")}
          isRequired={false}
        />
      </Form>
    </details>
  );
}
