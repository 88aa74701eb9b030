import { type FundingAccount, listFundingAccounts } from "../../../domain/funding/account-queries.ts";
import { type ListedPayment, listPayments, numberMax } from "../../../domain/funding/listed-payment-queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Money, Status } from "../../kit/parts/text.tsx";
import { paymentPath, paymentStates, paymentsPath, senderText, shownState } from "../payments/words.ts";

const paymentsShown = 5;

export type Receiving = Awaited<ReturnType<typeof readReceiving>>;

/** Where a merchant's transfers arrive, and the last ones. */
export async function readReceiving(db: Queryable, merchantId: MerchantId) {
  const everything = { provider: null, state: null, wasTakenBack: null, isOwed: false, isContradicted: false };
  const [accounts, payments] = await Promise.all([
    listFundingAccounts(db, merchantId),
    listPayments(
      db,
      { ...everything, merchantId, from: null, before: null, numbers: null },
      { below: numberMax, limit: paymentsShown },
    ),
  ]);
  return { merchantId, accounts, payments };
}

interface ReceivingProps extends Receiving {
  /** What the merchant owes of transfers that were taken back. */
  readonly debt: bigint;
}

/** A merchant's receiving accounts, what it owes, and its last payments; nothing where there is none of it. */
export function ReceivingSheet({ merchantId, accounts, payments, debt }: ReceivingProps) {
  if (accounts.length === 0 && payments.length === 0 && debt === 0n) return null;
  const all = `${paymentsPath}?merchant=${formatMerchantId(merchantId)}`;
  return (
    <Sheet title="Money in" note={<a href={all}>All payments</a>} isPadded={false}>
      <div class="inside">
        <Facts
          facts={[
            ...(debt === 0n ? [] : [["Owes", <Debt key="owed" debt={debt} />] as const]),
            ...accounts.map((account) => [account.provider, accountText(account)] as const),
          ]}
        />
      </div>
      <Table
        caption="Last payments"
        rows={payments}
        href={({ number }) => paymentPath(number)}
        columns={[
          { title: "Sender", cell: (payment) => senderText(payment) ?? "Unknown", place: "lead" },
          { title: "Amount", cell: AmountOf, place: "amount" },
          { title: "State", cell: (payment) => paymentStates.status(shownState(payment)), place: "sub" },
        ]}
      />
    </Sheet>
  );
}

function Debt({ debt }: { readonly debt: bigint }) {
  return (
    <>
      <Money amount={debt} /> <Status kind="bad">Can’t buy until it’s paid</Status>
    </>
  );
}

function AmountOf({ amount }: Pick<ListedPayment, "amount">) {
  return amount === null ? <>–</> : <Money amount={amount} />;
}

function accountText({ state, accountNumber, bankName, refusal }: FundingAccount): string {
  if (state === "active") return [accountNumber, bankName].filter((part) => part !== null).join(", ");
  return state === "requested" ? "Not opened yet" : `Refused: ${refusal ?? "no reason told"}`;
}
