import type { Clock } from "../kernel/clock.ts";
import { formatHundredths } from "../kernel/money.ts";
import { type Probed, probeOrigin } from "../platform/outbound-http/probe-origin.ts";
import type { BalanceAnswer, Connector } from "./contract.ts";

/** The checks of a supplier, in this order. */
export type CheckSubject = "address" | "tls" | "credentials" | "clock" | "answer time";

/**
 * `warning`: it works, and an operator should know. `not checked`: something before it failed, or the supplier has no
 * words for it.
 */
export type CheckVerdict = "ok" | "warning" | "failed" | "not checked";

export interface Check {
  readonly subject: CheckSubject;
  readonly verdict: CheckVerdict;
  /** The finding. */
  readonly found: string;
  /** What to do next; null where nothing is to be done. */
  readonly advice: string | null;
}

export interface CheckedSupplier {
  /** Its base URL; null for a supplier that is asked by nobody, such as a person. */
  readonly address: string | null;
  readonly connector: Connector;
}

/** Dates are told to the second; a minute's difference moves a purchase to another day and breaks signatures. */
const clockMsMax = 10_000;
/** A merchant waits for a purchase as long as its supplier takes. */
const slowMs = 3_000;

/**
 * Asks a supplier for what changes nothing and costs nothing, and judges each step by itself. Not a byte goes to an
 * origin that `origins` does not name. Never throws. Nothing for a supplier without an address.
 */
export async function checkSupplier(
  { address, connector }: Pick<CheckedSupplier, "address"> & { readonly connector: Pick<Connector, "balance"> },
  { origins, clock }: { readonly origins: readonly string[]; readonly clock: Clock },
): Promise<readonly Check[]> {
  if (address === null) return [];
  const url = new URL(address);
  if (!origins.includes(url.origin)) {
    const found = `SUPPLIER_ORIGINS does not name ${url.origin}`;
    const advice = `Add ${url.origin} to SUPPLIER_ORIGINS, restart the service, and check again.`;
    return [{ subject: "address", verdict: "failed", found, advice }, ...unchecked("tls", "address")];
  }
  const probed = await probeOrigin(url);
  const reached = judgeConnection(url, probed);
  const failed = reached.find(({ verdict }) => verdict === "failed");
  if (failed !== undefined) {
    return [...reached, ...unchecked(failed.subject === "address" ? "tls" : "credentials", failed.subject)];
  }
  if (connector.balance === undefined) {
    return [...reached, ...unchecked("credentials", null)];
  }
  const sentAt = clock.now();
  const answer = await connector.balance();
  const answeredAt = clock.now();
  return [...reached, judgeCredentials(answer), judgeClock(answer, sentAt, answeredAt), judgeTime(answer)];
}

const subjects: readonly CheckSubject[] = ["address", "tls", "credentials", "clock", "answer time"];

/** The rest from a subject on. */
function unchecked(from: CheckSubject, failed: CheckSubject | null): Check[] {
  const found = failed === null ? "the supplier tells no balance to ask for" : `${failed} failed`;
  return subjects
    .slice(subjects.indexOf(from))
    .map((subject) => ({ subject, verdict: "not checked", found, advice: null }));
}

/** Address and TLS; the address alone where that failed. */
function judgeConnection(url: URL, probed: Probed): readonly Check[] {
  const { hostname, host } = url;
  if (probed.kind === "no_address") {
    const found = `${hostname} has no address (${probed.error})`;
    const advice = "Compare base_url with the supplier's documentation, and see whether this machine resolves names.";
    return [{ subject: "address", verdict: "failed", found, advice }];
  }
  const resolved = `${hostname} is ${probed.addresses.slice(0, 4).join(", ")}`;
  if (probed.kind === "no_connection") {
    const found = `${resolved}; nobody answers at ${host} (${probed.error})`;
    const advice = "Compare base_url and its port, and see whether a firewall keeps this machine from it.";
    return [{ subject: "address", verdict: "failed", found, advice }];
  }
  const address: Check = { subject: "address", verdict: "ok", found: resolved, advice: null };
  return [address, judgeTls(hostname, probed)];
}

function judgeTls(hostname: string, probed: Extract<Probed, { kind: "no_tls" | "reached" }>): Check {
  const subject = "tls";
  if (probed.kind === "no_tls") {
    return { subject, verdict: "failed", found: `refused: ${probed.error}`, advice: tlsAdvice(hostname, probed.error) };
  }
  if (probed.tls !== null) {
    const { protocol, validTo } = probed.tls;
    return { subject, verdict: "ok", found: `${protocol}, certificate valid until ${validTo}`, advice: null };
  }
  if (probed.addresses.every((address) => address.startsWith("127.") || address === "::1")) {
    return { subject, verdict: "ok", found: "none; it is this machine", advice: null };
  }
  const found = "none: keys and purchases can be read on their way";
  return { subject, verdict: "warning", found, advice: "Ask the supplier for an https address." };
}

function tlsAdvice(hostname: string, error: string): string {
  if (error === "CERT_HAS_EXPIRED")
    return "Tell the supplier that its certificate has expired; see this machine's clock.";
  if (error === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `The certificate is not for ${hostname}: base_url must have the name that the supplier documents.`;
  }
  if (/SELF_SIGNED|UNABLE_TO|UNTRUSTED|CERT/.test(error)) {
    return "Its certificate is not trusted. Ask the supplier which authority it is from; start service and command with NODE_EXTRA_CA_CERTS=FILE if that is one of its own. Otherwise somebody may stand in between.";
  }
  return "It speaks no TLS 1.2 or later there: compare base_url and its port.";
}

function currencyText(currency: string): string {
  return currency === "NGN" ? "naira" : currency;
}

function judgeCredentials({ balance, currency, status, evidence }: BalanceAnswer): Check {
  const subject = "credentials";
  if (balance !== null) {
    return {
      subject,
      verdict: "ok",
      found: `it tells a balance of ${formatHundredths(balance)} ${currencyText(currency)}`,
      advice: null,
    };
  }
  const keys =
    "Compare the keys with those that the supplier shows and give them again (supplier add … --credentials FILE)";
  if (status === null) {
    const advice = "Try again. If it lasts, ask the supplier whether it has to allow this machine's address.";
    return { subject, verdict: "failed", found: `no answer: ${evidence}`, advice };
  }
  if (status === 401 || status === 403) {
    const advice = `${keys}; ask whether it has to allow this machine's address.`;
    return { subject, verdict: "failed", found: `refused with ${status}: ${evidence}`, advice };
  }
  if (status >= 500) {
    return {
      subject,
      verdict: "failed",
      found: `in trouble: ${evidence}`,
      advice: "Try again later, or tell the supplier.",
    };
  }
  const advice = `${keys}; compare base_url too, its path included.`;
  return { subject, verdict: "failed", found: `no balance in its answer: ${evidence}`, advice };
}

/** The Date header is cut to the second, and was written at some moment of the round trip. */
function judgeClock({ date }: BalanceAnswer, sentAt: number, answeredAt: number): Check {
  const subject = "clock";
  if (date === null) return { subject, verdict: "not checked", found: "its answer has no date", advice: null };
  const ahead = sentAt - (date + 1_000);
  const behind = date - answeredAt;
  const apartMs = Math.max(0, ahead, behind);
  const seconds = Math.floor(apartMs / 1_000);
  if (apartMs <= clockMsMax) return { subject, verdict: "ok", found: `${seconds} s apart`, advice: null };
  const found = `this machine's is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the supplier's`;
  const advice = "Synchronise this machine's clock (NTP). If it is right, tell the supplier.";
  return { subject, verdict: "warning", found, advice };
}

function judgeTime({ status, tookMs }: BalanceAnswer): Check {
  const subject = "answer time";
  const found = `${tookMs} ms`;
  if (status === null) return { subject, verdict: "not checked", found: `no answer after ${found}`, advice: null };
  if (tookMs < slowMs) return { subject, verdict: "ok", found, advice: null };
  const advice =
    "Merchants wait as long for each purchase: prefer another supplier (route set … --priority), or ask it why.";
  return { subject, verdict: "warning", found, advice };
}
