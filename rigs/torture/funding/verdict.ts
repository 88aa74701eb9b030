import type { MerchantId } from "../../../src/kernel/ids.ts";
import { formatNaira, type Kobo, kobo } from "../../../src/kernel/money.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { StubTransfer } from "../../../tests/support/payments/payment-stub.ts";
import { readSink, type SinkTruth, sinkKey } from "../book.ts";
import type { Merchant } from "../merchants.ts";
import type { Check } from "../verdict.ts";
import type { OpenFunding } from "./quiet.ts";
import type { SenderCounts, SentTransfer } from "./senders.ts";

/** A payment as our database has it. */
export interface StoredPayment {
  readonly provider: string;
  readonly paymentId: string;
  readonly number: number;
  readonly state: "heard" | "credited" | "unmatched" | "refused";
  readonly walletId: number | null;
  readonly amount: Kobo | null;
  readonly fee: Kobo | null;
  readonly credited: Kobo | null;
  readonly takenBack: Kobo;
  /** What its entry moved, and how many payments name that entry. */
  readonly entered: Kobo | null;
  readonly sharing: number;
}

/** What a wallet has of transfers by its own books: its top-ups less those that no payment made, and what it owes. */
export interface StoredWallet {
  readonly walletId: number;
  readonly moved: Kobo;
  readonly debt: Kobo;
}

const listPayments = {
  name: "list_torture_payments",
  text: `
    select p.provider, p.payment_id as "paymentId", p.number, p.state, p.wallet_id as "walletId", p.amount, p.fee,
           p.credited, p.taken_back as "takenBack", e.delta as entered,
           count(*) over (partition by p.wallet_id, p.entry_seq)::integer as sharing
      from payments p
      left join ledger_entries e
        on e.wallet_id = p.wallet_id and e.seq = p.entry_seq`,
  secondsMax: 600,
};

/** The rig's own top-ups are told by what their reasons are not. */
const listWallets = {
  name: "list_torture_wallets",
  text: `
    select w.wallet_id as "walletId", w.debt, coalesce(sum(e.delta), 0)::bigint as moved
      from wallets w
      left join ledger_entries e
        on e.wallet_id = w.wallet_id and e.kind = 'top_up'
       and (e.reason like 'Transfer%' or e.reason like 'Debt of a transfer%')
     where w.wallet_id > 0
     group by w.wallet_id, w.debt`,
  secondsMax: 600,
};

export interface FundingJudged {
  readonly database: Database;
  readonly sent: readonly SentTransfer[];
  readonly invented: readonly string[];
  readonly counts: SenderCounts;
  readonly merchants: readonly Merchant[];
  readonly sinkBook: string;
  readonly open: OpenFunding;
}

export interface FundingVerdict {
  readonly checks: readonly Check[];
  readonly byState: Readonly<Record<string, number>>;
  readonly credited: Kobo;
  readonly takenBack: Kobo;
  readonly debts: Kobo;
}

/** Compares every provider's book with ours, to the kobo. */
export async function judgeFunding(judged: FundingJudged): Promise<FundingVerdict> {
  const { database, sent, invented, counts, merchants, sinkBook, open } = judged;
  const payments = await database.query<StoredPayment>(listPayments);
  const wallets = await database.query<StoredWallet>(listWallets);
  const sink = await readSink(sinkBook);
  const sum = (amounts: readonly (Kobo | null)[]) => kobo(amounts.reduce((total, each) => total + (each ?? 0n), 0n));
  const credited = payments.filter(({ state }) => state === "credited");
  const byState: Record<string, number> = {};
  for (const { state } of payments) byState[state] = (byState[state] ?? 0) + 1;
  const { due, unannounced, unlisted } = open;
  return {
    byState,
    credited: sum(credited.map((payment) => payment.credited)),
    takenBack: sum(payments.map(({ takenBack }) => takenBack)),
    debts: sum(wallets.map(({ debt }) => debt)),
    checks: [
      ...fundingChecks({ sent, invented, payments, wallets }),
      { promise: "no forged event was taken for a genuine one", broken: counts.believed },
      {
        promise: "every question about a transfer ended, and every list was read",
        broken:
          due + unannounced + unlisted === 0
            ? []
            : [`${due} to be asked about, ${unannounced} to be announced, ${unlisted} lists unread`],
      },
      announcementCheck(credited, merchants, sink),
    ],
  };
}

/** The providers' books against ours. */
export function fundingChecks(books: {
  readonly sent: readonly SentTransfer[];
  readonly invented: readonly string[];
  readonly payments: readonly StoredPayment[];
  readonly wallets: readonly StoredWallet[];
}): Check[] {
  const { sent, invented, payments, wallets } = books;
  const stored = new Map(payments.map((payment) => [`${payment.provider} ${payment.paymentId}`, payment]));
  const truths = sent.map((each) => ({
    ...each,
    ends: endsOf(each),
    ours: stored.get(`${each.bank.name} ${each.transfer.id}`),
  }));
  const known = new Set(sent.map(({ bank, transfer }) => `${bank.name} ${transfer.id}`));
  const broken = (isBroken: (each: (typeof truths)[number]) => boolean) => truths.filter(isBroken).map(describe);
  return [
    {
      promise: "every transfer ended as its provider has it: credited, in suspense, or refused",
      broken: broken(({ ends, ours }) => !ends.includes(ours?.state ?? "absent")),
    },
    {
      promise: "a transfer is credited to the merchant whose account it came to, once, to the kobo",
      broken: broken(({ ours, merchant, transfer, bank }) => {
        if (ours?.state !== "credited") return false;
        const wish = shareOf(transfer.amount, transfer, bank.feeBearer);
        const isExact = ours.entered === wish && ours.amount === transfer.amount && ours.fee === transfer.fee;
        return !(isExact && ours.walletId === Number(merchant?.id) && ours.sharing === 1);
      }),
    },
    {
      promise: "what a provider gave back is what we have of it",
      broken: broken(
        ({ ours, transfer, ends }) =>
          (ends.includes("credited") || ends.includes("unmatched")) && ours?.takenBack !== transfer.takenBack,
      ),
    },
    {
      promise: "nothing is credited that no provider has",
      broken: payments
        .filter(({ provider, paymentId }) => !known.has(`${provider} ${paymentId}`))
        .filter(({ paymentId, state }) => !(invented.includes(paymentId) && state === "heard"))
        .map(({ provider, paymentId, state }) => `${provider}: ${paymentId} is ${state}`),
    },
    {
      promise: "each wallet moved by its verified transfers less what was taken back, and owes the rest",
      broken: walletFaults(truths, wallets),
    },
  ];
}

/** What may become of a transfer in our books. */
function endsOf({ transfer, merchant }: SentTransfer): readonly string[] {
  // What never became money may never have been told of.
  if (transfer.status !== "paid") return ["refused", "absent"];
  if (transfer.currency !== "NGN") return ["refused"];
  return [merchant === null ? "unmatched" : "credited"];
}

/** Of an amount of a transfer, what the wallet has of it: where the merchant bears the fee, it never has that. */
function shareOf(part: bigint, { amount, fee }: StubTransfer, feeBearer: "company" | "merchant"): bigint {
  const credited = feeBearer === "company" ? amount : amount - fee;
  return part < credited ? part : credited;
}

function walletFaults(truths: readonly SentTransfer[], wallets: readonly StoredWallet[]): string[] {
  const due = new Map<MerchantId, bigint>();
  for (const each of truths) {
    const { merchant, transfer, bank } = each;
    if (merchant === null || !endsOf(each).includes("credited")) continue;
    const share = (part: bigint) => shareOf(part, transfer, bank.feeBearer);
    const kept = share(transfer.amount) - share(transfer.takenBack);
    due.set(merchant.id, (due.get(merchant.id) ?? 0n) + kept);
  }
  return wallets.flatMap(({ walletId, moved, debt }) => {
    const wish = due.get(walletId as unknown as MerchantId) ?? 0n;
    // A debt is what was taken back, and no entry could say.
    return moved - debt === wish
      ? []
      : [`wallet ${walletId} moved ${formatNaira(moved)}, owes ${formatNaira(debt)}, and should have ${wish} kobo`];
  });
}

function describe({
  bank,
  transfer,
  merchant,
  ours,
}: SentTransfer & { readonly ours: StoredPayment | undefined }): string {
  const { id, status, currency, amount, fee, takenBack } = transfer;
  const there = `${status}, ${currency} ${amount} less ${fee}, ${takenBack} back, of ${merchant?.id ?? "nobody"}`;
  const here =
    ours === undefined
      ? "absent"
      : `${ours.state}, ${ours.amount} less ${ours.fee}, ${ours.takenBack} back, entry of ${ours.entered} in ${ours.walletId}`;
  return `${bank.name} ${id} is there ${there}; here ${here}`;
}

/** Each endpoint was told of each credit once. */
function announcementCheck(credited: readonly StoredPayment[], merchants: readonly Merchant[], sink: SinkTruth): Check {
  const endpointsOf = new Map(merchants.map(({ id, endpoints }) => [Number(id), endpoints]));
  const broken = credited.flatMap(({ number, walletId }) =>
    (endpointsOf.get(walletId ?? 0) ?? []).flatMap((endpoint) => {
      const times = sink.get(sinkKey(endpoint, "wallet.funded", `pay_${number}`))?.size ?? 0;
      return times === 1 ? [] : [`${endpoint} was told of pay_${number} in ${times} deliveries`];
    }),
  );
  return { promise: "each endpoint was told of each credit once", broken };
}
