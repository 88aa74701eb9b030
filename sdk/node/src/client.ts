import { randomBytes } from "node:crypto";
import { Operations } from "./generated/operations.ts";
import type { TransactionDetails } from "./generated/types.ts";
import { type Call, type CallOptions, type Logger, Sender, type SenderOptions } from "./sender.ts";

export interface DispenseOptions extends Partial<Omit<SenderOptions, "key">> {
  /** `ds_test_…` or `ds_live_…`; the variable DISPENSE_KEY unless set. */
  readonly key?: string;
  /** Where the service is, such as `https://api.example.com`; the variable DISPENSE_URL unless set. */
  readonly url?: string;
  /** Hears of each request and answer, without keys, tokens and PINs. */
  readonly logger?: Logger;
}

export interface WaitOptions {
  /** Milliseconds in all after which it is given up; 10 minutes unless set. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The merchant API. One method an operation, named as in the API's reference. A purchase without a `reference` gets one; it
 * is sent again under it where there was no answer, and never under another. What is answered with 422 is no error but a
 * transaction whose `status` is `failed`: its money is back in the wallet.
 */
export class Dispense extends Operations {
  constructor(options: DispenseOptions = {}) {
    super(new Sender(settingsOf(options)));
  }

  /**
   * Asks until a transaction is final, at the times that its answers name, and goes on asking where it is not known yet or
   * no answer comes.
   * @throws DispenseError, `charged: "unknown"`: still not known after `timeoutMs`, or the key may not ask. After
   * `PENDING` go on waiting for its webhook.
   */
  waitFor(reference: string, options: WaitOptions = {}): Promise<TransactionDetails> {
    return this.sender.waitFor((call) => this.getTransaction(reference, call), reference, options);
  }
}

/** A reference nobody else has: the time, then chance. */
export function newReference(now: number = Date.now()): string {
  return `ref-${now.toString(36)}-${randomBytes(9).toString("base64url").replaceAll("_", ".")}`;
}

function settingsOf(options: DispenseOptions): SenderOptions {
  const key = options.key ?? process.env.DISPENSE_KEY ?? "";
  const url = options.url ?? process.env.DISPENSE_URL ?? "";
  if (!/^ds_(test|live)_\w+$/.test(key)) {
    throw new TypeError("No API key. Set `key` or DISPENSE_KEY to one that begins with ds_test_ or ds_live_.");
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new TypeError("No address. Set `url` or DISPENSE_URL, such as https://api.example.com.");
  return {
    attemptsMax: 4,
    deadlineMs: Number.POSITIVE_INFINITY,
    fetch: globalThis.fetch,
    sleep: (ms, signal) => sleep(ms, signal),
    random: Math.random,
    newReference,
    beforePurchase: async () => {},
    timeoutMs: {},
    ...options,
    key,
    url: url.replace(/\/+$/, ""),
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    function done() {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export type { Call, CallOptions, Logger };
