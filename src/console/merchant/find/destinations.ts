import type { Capability, ModeVisit } from "../access.ts";
import { navigationOf } from "../navigation.ts";

/** Something that a person wants to do, and where it is done. */
interface Action {
  readonly title: string;
  /** What else people call it. */
  readonly words?: string;
  readonly page: string;
  /** In this mode alone; an address from the root is of no mode. */
  readonly mode?: "live" | "test";
  readonly capability: Capability;
}

const actions: readonly Action[] = [
  { title: "Sell something", words: "sale airtime data electricity tv pin recharge", page: "buy", capability: "buy" },
  {
    title: "Start a bulk order",
    words: "upload excel csv file many numbers",
    page: "bulk/new",
    capability: "buy_in_bulk",
  },
  {
    title: "Save a customer",
    words: "beneficiary number add",
    page: "beneficiaries",
    capability: "keep_beneficiaries",
  },
  {
    title: "Add money",
    words: "top up fund deposit transfer bank account pay in",
    page: "wallet",
    capability: "see_money",
  },
  { title: "Download a statement", words: "wallet pdf csv ledger account", page: "wallet", capability: "see_money" },
  { title: "Set the low-balance alert", words: "warning threshold notify", page: "wallet", capability: "see_money" },
  {
    title: "See pending sales",
    words: "waiting not delivered",
    page: "transactions?status=pending",
    capability: "look",
  },
  { title: "Open saved views", words: "filters kept named lists", page: "views", capability: "look" },
  {
    title: "See failed sales",
    words: "refunded refund declined",
    page: "transactions?status=failed",
    capability: "look",
  },
  { title: "See prices that changed", words: "new price list", page: "prices?changed=day", capability: "look" },
  { title: "Create a test key", words: "api new make sandbox", page: "keys", mode: "test", capability: "develop" },
  { title: "Create a live key", words: "api new make", page: "keys", mode: "live", capability: "hold_live_keys" },
  { title: "Revoke a key", words: "api delete stop leaked rotate replace", page: "keys", capability: "develop" },
  {
    title: "Limit where calls come from",
    words: "ip allowlist whitelist address",
    page: "keys/addresses",
    capability: "hold_live_keys",
  },
  {
    title: "Add a webhook",
    words: "endpoint url notify callback",
    page: "webhooks/endpoints/new",
    capability: "develop",
  },
  { title: "Test your webhook", words: "send example event", page: "webhooks/examples", capability: "develop" },
  { title: "Resend webhooks", words: "recover failed events again", page: "webhooks/recover", capability: "develop" },
  {
    title: "Check a signature",
    words: "webhook tester hmac secret verify",
    page: "webhooks/tester",
    capability: "develop",
  },
  { title: "Reset the sandbox", words: "test balance clear", page: "sandbox", mode: "test", capability: "develop" },
  {
    title: "Invite someone",
    words: "team member colleague staff add person role",
    page: "/account/members",
    capability: "run_business",
  },
  { title: "Remove someone", words: "team member role change", page: "/account/members", capability: "run_business" },
  {
    title: "Ask for live access",
    words: "approval approve go live details",
    page: "/account/business",
    capability: "run_business",
  },
  { title: "Change your password", words: "new", page: "/account/security", capability: "own_account" },
  {
    title: "Turn on two-step login",
    words: "2fa authenticator app passkey code totp factor",
    page: "/account/security",
    capability: "own_account",
  },
  { title: "Log out other devices", words: "sessions browsers", page: "/account/security", capability: "own_account" },
];

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
  const done = actions
    .filter(({ capability, mode = visit.mode }) => visit.may(capability) && mode === visit.mode)
    .filter(({ title, words = "" }) => fits(`${title} ${words}`))
    .map(({ title, page }) => ({ title, href: page.startsWith("/") ? page : visit.to(page) }));
  return [...pages, ...done];
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
