import type { ListedPayment } from "../../../domain/funding/listed-payment-queries.ts";
import type { ContradictionEnd } from "../../../domain/funding/payment.ts";
import { states } from "../../kit/states.tsx";

export const paymentsPath = "/operator/payments";
export const providersPath = "/operator/payment-providers";

export function paymentPath(number: number): string {
  return `${paymentsPath}/${number}`;
}

export function providerPath(name: string): string {
  return `${providersPath}/${encodeURIComponent(name)}`;
}

/** A payment's states as people tell them apart; what was taken back matters more than how it was before. */
export const paymentStates = states({
  heard: ["Being checked", "waiting"],
  credited: ["Credited", "good"],
  unmatched: ["Unmatched", "review"],
  taken_back: ["Taken back", "bad"],
  refused: ["Not paid", "quiet"],
});

export type ShownState = "heard" | "credited" | "unmatched" | "taken_back" | "refused";

export function shownState({ state, takenBack }: Pick<ListedPayment, "state" | "takenBack">): ShownState {
  return takenBack > 0n ? "taken_back" : state;
}

/** `ADA EZE, Access Bank`; what is not told is left out. */
export function senderText({ sender }: Pick<ListedPayment, "sender">): string | null {
  const parts = [sender?.name, sender?.bank].filter((part) => part !== null && part !== undefined);
  return parts.length === 0 ? null : parts.join(", ");
}

/** What it came to: the account's number, or else what the provider calls its holder. */
export function accountText({
  accountNumber,
  accountReference,
}: Pick<ListedPayment, "accountNumber" | "accountReference">): string | null {
  return accountNumber ?? accountReference;
}

/** How people end what a provider said against a booked payment. */
export const contradictionEndWords: Readonly<Record<ContradictionEnd, string>> = {
  ours: "We were wrong",
  theirs: "The provider was wrong",
  written_off: "Written off",
};
