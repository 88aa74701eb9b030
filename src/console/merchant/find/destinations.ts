import type { Capability, ModeVisit } from "../access.ts";
import { navigationOf } from "../navigation.ts";

/** What a person wants to do, the page where it is done, and what else people call it. */
type Action = readonly [title: string, page: string, words: string];

/** What the roles of a capability can do; a page from the root is of no mode. */
const actions: Readonly<Partial<Record<Capability, readonly Action[]>>> = {
  buy: [["Sell something", "buy", "sale airtime data electricity tv pin recharge"]],
  buy_in_bulk: [["Start a bulk order", "bulk/new", "upload excel csv file many numbers"]],
  keep_beneficiaries: [["Save a customer", "beneficiaries", "beneficiary number add"]],
  see_money: [
    ["Add money", "wallet", "top up fund deposit transfer bank account pay in"],
    ["Download a statement", "wallet", "wallet pdf csv ledger account"],
    ["Set the low-balance alert", "wallet", "warning threshold notify"],
  ],
  look: [
    ["See pending sales", "transactions?status=pending", "waiting not delivered"],
    ["See failed sales", "transactions?status=failed", "refunded refund declined"],
    ["See prices that changed", "prices?changed=day", "new price list"],
    ["Open saved views", "views", "filters kept named lists"],
  ],
  develop: [
    ["Create a test key", "/test/keys", "api new make sandbox"],
    ["Revoke a key", "keys", "api delete stop leaked rotate replace"],
    ["Add a webhook", "webhooks/endpoints/new", "endpoint url notify callback"],
    ["Test your webhook", "webhooks/examples", "send example event"],
    ["Resend webhooks", "webhooks/recover", "recover failed events again"],
    ["Check a signature", "webhooks/tester", "webhook tester hmac secret verify"],
    ["Reset the sandbox", "/test/sandbox", "test balance clear"],
  ],
  hold_live_keys: [
    ["Create a live key", "/live/keys", "api new make"],
    ["Limit where calls come from", "keys/addresses", "ip allowlist whitelist address"],
  ],
  run_business: [
    ["Invite someone", "/account/members", "team member colleague staff add person role"],
    ["Remove someone", "/account/members", "team member role change"],
    ["Ask for live access", "/account/business", "approval approve go live details"],
  ],
  own_account: [
    ["Change your password", "/account/security", "new"],
    ["Turn on two-step login", "/account/security", "2fa authenticator app passkey code totp factor"],
    ["Log out other devices", "/account/security", "sessions browsers"],
  ],
};

/** A page, or what is done there. */
export interface Destination {
  readonly title: string;
  readonly href: string;
}

/** Pages and actions of the visit's role that each typed word begins a word of, pages first. */
export function findDestinations(visit: ModeVisit, text: string): Destination[] {
  const typed = wordsOf(text);
  if (!typed.some((word) => word.length > 1)) return [];
  const fits = (named: string) => {
    const words = wordsOf(named);
    return typed.every((each) => words.some((word) => word.startsWith(each)));
  };
  const pages = navigationOf(visit, "")
    .flatMap(({ links }) => links)
    .filter(({ label }) => fits(label))
    .map(({ label, href }) => ({ title: label, href }));
  const done = Object.entries(actions)
    .flatMap(([capability, some]) => (visit.may(capability as Capability) ? some : []))
    .filter(([title, , words]) => fits(`${title} ${words}`))
    .map(([title, page]) => ({ title, href: page.startsWith("/") ? page : visit.to(page) }));
  return [...pages, ...done];
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
