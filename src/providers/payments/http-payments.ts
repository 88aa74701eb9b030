import type { Instant } from "../../kernel/clock.ts";
import { openAsk } from "../conversation.ts";
import type { ConnectorServices } from "../http-connector.ts";
import type { AccountAnswer, PaymentConnector } from "./contract.ts";
import type { AccountReading, PaymentDialect } from "./dialect.ts";

/** A worker holds the question's lease for longer. */
export const paymentDeadlineMs = 20_000;
/** A page of a hundred transfers with their senders. */
const listBytesMax = 4 * 1024 * 1024;
/** A question for an account may lead to one more. */
const accountQuestionsMax = 3;

/** A payment provider that is asked over HTTP. */
export function httpPayments(dialect: PaymentDialect, services: ConnectorServices): PaymentConnector {
  const ask = openAsk(dialect, services);

  async function readAccount(request: Parameters<PaymentConnector["openAccount"]>[0]): Promise<AccountAnswer> {
    let question = dialect.askForAccount(request);
    let read = (reply: Parameters<PaymentDialect["readAccount"]>[0]): AccountReading =>
      dialect.readAccount(reply, request);
    for (let asked = 1; asked <= accountQuestionsMax; asked++) {
      const { readable, evidence } = await ask(question, paymentDeadlineMs);
      const reading = readable === null ? ({ kind: "unknown" } as const) : read(readable);
      if (reading.kind !== "next") return { ...reading, evidence };
      ({ question, read } = reading);
    }
    return { kind: "unknown", evidence: `it led from one question to the next, ${accountQuestionsMax} times` };
  }

  return {
    name: dialect.name,
    received: dialect.received,
    readEvent: (message) => dialect.readEvent(message),
    async verify(paymentId) {
      const { readable, evidence } = await ask(dialect.verify(paymentId), paymentDeadlineMs);
      if (readable === null) return { kind: "unknown", evidence };
      return { ...dialect.readVerified(readable, paymentId), evidence };
    },
    async list(range: { readonly from: Instant; readonly to: Instant; readonly page: number }) {
      const { readable, evidence } = await ask(dialect.list(range), paymentDeadlineMs, listBytesMax);
      const found = readable === null || readable.status >= 400 ? null : dialect.readList(readable, range.page);
      return found === null ? { kind: "failed", evidence } : { kind: "told", ...found };
    },
    openAccount: readAccount,
  };
}
