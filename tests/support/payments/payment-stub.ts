import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { Sender } from "../../../src/providers/payments/contract.ts";

/** A transfer in the books of a payment provider that is never killed. Amounts in kobo. */
export interface StubTransfer {
  readonly id: string;
  amount: bigint;
  fee: bigint;
  takenBack: bigint;
  status: "paid" | "pending" | "failed";
  currency: string;
  /** Null: it tells only the holder. */
  readonly accountNumber: string | null;
  readonly holder: string;
  readonly sender: Sender;
  readonly paidAt: number;
  /** How often its verify endpoint was asked. */
  asked: number;
}

export interface StubAccount {
  readonly accountNumber: string;
  readonly holder: string;
  /** Ours. */
  readonly reference: string;
}

export interface PaymentRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly json: JsonObject;
}

export interface PaymentBooks {
  readonly transfers: ReadonlyMap<string, StubTransfer>;
  readonly accounts: ReadonlyMap<string, StubAccount>;
  /** Makes the account of a reference, once. */
  open(reference: string): StubAccount;
}

export interface PaymentAnswer {
  readonly status: number;
  readonly json: JsonObject;
}

/** How a stub speaks: the provider's side of one dialect. */
export interface PaymentStubDialect {
  readonly connector: string;
  /** What an operator enters for a stub at this address. */
  entered(url: string): { readonly settings: JsonObject; readonly credentials: JsonObject };
  /** Null where there is no such endpoint, or the keys are wrong. */
  answer(request: PaymentRequest, books: PaymentBooks): PaymentAnswer | null;
  /** The event that it sends of a transfer, signed. */
  event(transfer: StubTransfer, what: "paid" | "taken_back"): StubEvent;
}

export interface StubEvent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface PaymentStub {
  readonly url: string;
  readonly books: PaymentBooks;
  /** What becomes of questions: one that is ignored is never answered. */
  verify: "answered" | "missing" | "broken" | "ignored";
  /** Every question that came, by its method and path. */
  readonly requests: readonly string[];
  /** Money arrives at an account. */
  pay(accountNumber: string, amount: bigint, given?: Partial<StubTransfer>): StubTransfer;
  event(transfer: StubTransfer, what?: "paid" | "taken_back"): StubEvent;
  close(): Promise<void>;
}

const usualSender: Sender = {
  name: "ADA EZE",
  bank: "Access Bank",
  accountNumber: "0123456789",
  sessionId: null,
  narration: "Stock",
};

/** Starts a payment provider that speaks a dialect. */
export async function startPaymentStub(dialect: PaymentStubDialect): Promise<PaymentStub> {
  const transfers = new Map<string, StubTransfer>();
  const accounts = new Map<string, StubAccount>();
  const requests: string[] = [];
  let numbers = 0;
  const books: PaymentBooks = {
    transfers,
    accounts,
    open(reference) {
      const known = [...accounts.values()].find((account) => account.reference === reference);
      if (known !== undefined) return known;
      numbers += 1;
      const account = { accountNumber: String(9_900_000_000 + numbers), holder: `CUS_${numbers}`, reference };
      accounts.set(account.accountNumber, account);
      return account;
    },
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => {
      text += part.toString();
    });
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://stub");
      requests.push(`${request.method} ${url.pathname}`);
      if (stub.verify === "ignored") return;
      if (stub.verify === "broken") return void response.writeHead(502).end("<html>");
      const { method = "GET", headers } = request;
      const json = text === "" ? {} : (JSON.parse(text) as JsonObject);
      const found = { method, headers, json, path: url.pathname, query: url.searchParams };
      const answer = stub.verify === "missing" ? null : dialect.answer(found, books);
      const { status, json: body } = answer ?? { status: 404, json: { status: false, message: "not found" } };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stub: PaymentStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    books,
    verify: "answered",
    requests,
    pay(accountNumber, amount, given = {}) {
      const account = accounts.get(accountNumber);
      const transfer: StubTransfer = {
        ...{ id: `T${transfers.size + 1}-${accountNumber}`, amount, fee: 0n, takenBack: 0n, status: "paid" },
        ...{ currency: "NGN", accountNumber, holder: account?.holder ?? "CUS_nobody", sender: usualSender },
        ...{ paidAt: Date.now(), asked: 0 },
        ...given,
      };
      transfers.set(transfer.id, transfer);
      return transfer;
    },
    event: (transfer, what = "paid") => dialect.event(transfer, what),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return stub;
}
