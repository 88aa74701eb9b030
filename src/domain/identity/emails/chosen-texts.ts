import { emailText, type Frame } from "./email-texts.ts";

// The emails that people choose, each with the way to choose again.

/** What an email that a person chose is about; `link` leads to it, `choices` is how to get no more of them. */
interface Chosen {
  readonly merchant: string;
  readonly link: string;
  readonly choices: string;
}

export function balanceLow(frame: Frame, about: Chosen & { readonly balance: string; readonly threshold: string }) {
  return emailText(frame, `${about.merchant}: balance below ${about.threshold}`, [
    `The balance of ${about.merchant} is ${about.balance}, below your alert of ${about.threshold}. Add money to keep selling:`,
    about.link,
    about.choices,
  ]);
}

export function moneyAdded(
  frame: Frame,
  about: Chosen & {
    readonly amount: string;
    readonly reason: string;
    readonly fee: string | null;
    readonly balance: string;
  },
) {
  const { merchant, amount, reason, fee, balance } = about;
  return emailText(frame, `${merchant}: ${amount} added`, [
    `We added ${amount} to the wallet of ${merchant}${fee === null ? "" : `, after a fee of ${fee}`}. The balance was ${balance} then.`,
    `${reason}.`,
    about.link,
    about.choices,
  ]);
}

export function moneyTakenBack(
  frame: Frame,
  about: Chosen & { readonly amount: string; readonly reason: string; readonly debt: string | null },
) {
  const { merchant, amount, reason, debt } = about;
  return emailText(frame, `${merchant}: ${amount} taken back by the bank`, [
    `The bank took back ${amount} that we had added to the wallet of ${merchant}. ${reason}.`,
    debt === null
      ? "It is out of the wallet again. Ask the sender why:"
      : `The wallet held less, so ${merchant} owes ${debt}, and sales are stopped. The next money in pays it first:`,
    about.link,
    about.choices,
  ]);
}

export function webhookFailing(frame: Frame, about: Chosen & { readonly endpoint: string; readonly since: string }) {
  return emailText(frame, `${about.merchant}: a webhook is failing`, [
    `Every event that we sent to ${about.endpoint} has failed since ${about.since}. We keep trying. See what your server answers:`,
    about.link,
    about.choices,
  ]);
}

export function webhookOff(frame: Frame, about: Chosen & { readonly endpoint: string; readonly at: string }) {
  return emailText(frame, `${about.merchant}: we turned a webhook off`, [
    `We turned off the webhook to ${about.endpoint} on ${about.at}, as every event had failed for days. Events are not sent or kept while it’s off. Fix your server, then turn the webhook on:`,
    about.link,
    about.choices,
  ]);
}

export function keyEnding(
  frame: Frame,
  about: Chosen & { readonly key: string; readonly end: string; readonly used: string },
) {
  return emailText(frame, `${about.merchant}: a key in use is about to end`, [
    `The live key ${about.key} ends on ${about.end}. It was last used on ${about.used}: requests with it fail after that. Change to the new key:`,
    about.link,
    about.choices,
  ]);
}

export function keyUnused(frame: Frame, about: Chosen & { readonly key: string; readonly days: number }) {
  return emailText(frame, `${about.merchant}: a live key isn’t used`, [
    `The live key ${about.key} hasn’t been used for ${about.days} days. If nothing needs it, revoke it:`,
    about.link,
    about.choices,
  ]);
}

export function monthlyStatement(
  frame: Frame,
  about: Chosen & { readonly month: string; readonly figures: readonly (readonly [name: string, amount: string])[] },
) {
  return emailText(frame, `${about.merchant}: statement of ${about.month}`, [
    `The wallet of ${about.merchant} in ${about.month}:`,
    about.figures.map(([name, amount]) => `${name}: ${amount}`).join("\n"),
    "Every entry, also as PDF and CSV:",
    about.link,
    about.choices,
  ]);
}
