import { fork } from "node:child_process";
import path from "node:path";
import type { PaymentStubDialect, StubAccount, StubEvent } from "../../tests/support/payments/payment-stub.ts";
import type { Frame } from "../base/load.ts";

/** What the provider's process is told to do. */
export type ProviderOrder =
  | { readonly what: "settings" }
  | { readonly what: "open"; readonly references: readonly string[] }
  | { readonly what: "books" }
  | { readonly what: "pay"; readonly accountNumbers: readonly string[]; readonly count: number };

/** A transfer in the provider's own books, in kobo, with the merchant that it was for. */
export interface BookedTransfer {
  readonly id: string;
  readonly amount: bigint;
  readonly reference: string;
  /** About it, at the verify endpoint. */
  readonly questions: number;
}

/** A payment provider in a process of its own. It does one thing at a time. */
export interface Provider {
  readonly url: string;
  readonly pid: number;
  /** What an operator enters for it. */
  settings(): Promise<ReturnType<PaymentStubDialect["entered"]>>;
  /** Makes the receiving accounts of these references. */
  open(references: readonly string[]): Promise<readonly StubAccount[]>;
  books(): Promise<readonly BookedTransfer[]>;
  /** Transfers arrive at these accounts in turn. @returns its event of each */
  pay(accountNumbers: readonly string[], count: number): Promise<readonly StubEvent[]>;
  close(): Promise<void>;
}

export async function openProvider(): Promise<Provider> {
  const file = path.join(import.meta.dirname, "payment-provider.ts");
  const child = fork(file, { execArgv: ["--import", "tsx"], serialization: "advanced" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const answer = () =>
    new Promise<never>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the provider ended (${code})`));
      child.once("exit", onExit);
      child.once("message", (answered) => {
        child.removeListener("exit", onExit);
        resolve(answered as never);
      });
    });
  const order = (given: ProviderOrder) => {
    const answered = answer();
    child.send(given);
    return answered;
  };
  const { url } = (await answer()) as { readonly url: string };
  return {
    url,
    pid: child.pid ?? 0,
    settings: () => order({ what: "settings" }),
    open: (references) => order({ what: "open", references }),
    books: () => order({ what: "books" }),
    pay: (accountNumbers, count) => order({ what: "pay", accountNumbers, count }),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The request of each event. The number that a load puts into it stands in a header that means nothing. */
export function eventFrames(provider: string, events: readonly StubEvent[]): Frame[] {
  return events.map(({ headers, body }) => {
    const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return {
      before: `POST /funding/callbacks/${provider} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}user-agent: rig-`,
      after: `\r\n\r\n${body}`,
    };
  });
}
