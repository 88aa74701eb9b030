import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { Sender } from "../../../src/providers/payments/contract.ts";

/** A transfer in the books of a payment provider that is never killed. Amounts in kobo. */
export interface StubTransfer {
  readonly id: string;
  amount: bigint;
  fee: bigint;
  takenBack: bigint;
  /** Its list of refunds tells it, or the transfer alone does, as one whose dispute was lost; only as a whole. */
  takenBackBy: "refund" | "dispute";
  /** When its refund was requested; null: just now. */
  takenBackAt: number | null;
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
  /** What the provider calls its holder. */
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
  /** The transfer that it tells of when it is asked about this one, which it counts. */
  verified(id: string): StubTransfer | undefined;
  /** Transfers that were paid in a time, the newest first. */
  paidIn(from: number, to: number): readonly StubTransfer[];
  /** What its refunds gave back, those that were made last first; each in two, as it may be. Of a time, where it is given. */
  refunds(time?: { readonly from: number; readonly to: number }): readonly StubRefund[];
  /** Makes the account of a reference, once. */
  open(reference: string): StubAccount;
  accountOf(reference: string): StubAccount | undefined;
  /** In which words it refuses to make one; null where it makes it. */
  refusal: string | null;
  /** What a dialect's own endpoints have to remember. */
  readonly memory: Map<string, string>;
}

export interface StubRefund {
  readonly transfer: StubTransfer;
  /** Of the refunds of its transfer: the second one never comes to its end. */
  readonly nth: 1 | 2 | 3;
}

/** What of its transfer a refund gives back: in two that are done, beside one of all that isn't. */
export function refundOf({ transfer: { amount, takenBack }, nth }: StubRefund) {
  if (nth === 2) return { amount, isDone: false };
  return { amount: nth === 1 ? takenBack / 2n : takenBack - takenBack / 2n, isDone: true };
}

export interface PaymentAnswer {
  readonly status: number;
  readonly json: JsonObject;
}

/** How a stub speaks: the provider's side of one dialect. */
export interface PaymentStubDialect {
  readonly connector: string;
  /** Our keys there: none of them may stand in the evidence. */
  readonly keys: readonly string[];
  /** What an operator enters for a stub at this address. */
  entered(
    url: string,
    keys?: "right" | "wrong",
  ): { readonly settings: JsonObject; readonly credentials: { readonly [name: string]: string } };
  /** How it names its transfer of this number. */
  idOf(number: number): string;
  /** How it names the holder of an account. */
  holderOf(reference: string, number: number): string;
  /** Whether its answers tell the number of the receiving account, and a dispute that was lost. */
  readonly tells: { readonly accountNumber: boolean; readonly disputes: boolean };
  /** Null where there is no such endpoint, or the keys are wrong. */
  answer(request: PaymentRequest, books: PaymentBooks): PaymentAnswer | null;
  /** The event that it sends of a transfer, signed. */
  event(transfer: StubTransfer, what: "paid" | "taken_back"): StubEvent;
  /** Signs any body as its own. */
  sign(body: string): StubEvent;
  /** What makes an event forged, each in its way, and whether its proof covers the body. */
  forge(event: StubEvent): readonly StubEvent[];
  readonly coversBody: boolean;
  /** Events of payouts, cards and accounts. */
  readonly others: readonly JsonObject[];
}

export interface StubEvent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What becomes of a question: one that is ignored is never answered. */
export type Fate = "answered" | "missing" | "broken" | "ignored";

export interface PaymentStub {
  readonly url: string;
  readonly books: PaymentBooks;
  /** What becomes of all questions. */
  verify: Fate;
  /** Instead, what becomes of each, and after how many milliseconds. */
  conduct: ((path: string) => { readonly fate: Fate; readonly afterMs: number }) | null;
  /** Whatever is asked, it tells of this transfer. */
  answersAbout: StubTransfer | null;
  /** Changes every answer's text. */
  twist: ((body: string) => string) | null;
  /** Every question that came, by its method and path. */
  readonly requests: string[];
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
  const refunds: StubRefund[] = [];
  const paid: StubTransfer[] = [];
  const requests: string[] = [];
  const books = openBooks(dialect, { transfers, refunds, paid }, () => stub.answersAbout);
  const server = createServer((request, response) => {
    let text = "";
    request.on("error", () => {});
    request.on("data", (part: Buffer) => {
      text += part.toString();
    });
    request.on("end", async () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://stub");
      requests.push(`${request.method} ${path}`);
      const { fate, afterMs } = stub.conduct?.(path) ?? { fate: stub.verify, afterMs: 0 };
      if (afterMs > 0) await delay(afterMs);
      if (fate === "ignored") return;
      if (fate === "broken") return void response.writeHead(502).end("<html>");
      const { method = "GET", headers } = request;
      const json = text === "" ? {} : (JSON.parse(text) as JsonObject);
      const answer = fate === "missing" ? null : dialect.answer({ method, headers, json, path, query }, books);
      const { status, json: body } = answer ?? { status: 404, json: { status: false, message: "not found" } };
      const written = JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json" }).end(stub.twist?.(written) ?? written);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stub: PaymentStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    books,
    verify: "answered",
    conduct: null,
    answersAbout: null,
    twist: null,
    requests,
    pay(accountNumber, amount, { takenBack = 0n, status: first = "paid", ...given } = {}) {
      const account = books.accounts.get(accountNumber);
      let back = 0n;
      let status: StubTransfer["status"] = "pending";
      const transfer: StubTransfer = {
        ...{ id: dialect.idOf(transfers.size + 1), amount, fee: 0n, takenBackBy: "refund", takenBackAt: null },
        ...{ currency: "NGN", accountNumber, holder: account?.holder ?? "nobody" },
        ...{ sender: usualSender, paidAt: Date.now(), asked: 0 },
        ...given,
        // Lists do not read all that ever came.
        get status() {
          return status;
        },
        set status(next) {
          if (status === "paid") paid.splice(paid.indexOf(transfer), 1);
          status = next;
          if (status === "paid") paid.splice(firstAfter(paid, transfer.paidAt), 0, transfer);
        },
        get takenBack() {
          return back;
        },
        set takenBack(sum) {
          back = sum;
          if (sum === 0n || refunds.some((refund) => refund.transfer === transfer)) return;
          refunds.unshift({ transfer, nth: 1 }, { transfer, nth: 2 }, { transfer, nth: 3 });
        },
      };
      transfer.takenBack = takenBack;
      transfer.status = first;
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

interface Kept {
  readonly transfers: ReadonlyMap<string, StubTransfer>;
  readonly refunds: readonly StubRefund[];
  /** By the time when they were paid. */
  readonly paid: readonly StubTransfer[];
}

/** Where a transfer of this time stands among those that are paid: behind all until then. Most are looked for at the end. */
function firstAfter(paid: readonly StubTransfer[], time: number): number {
  return paid.findLastIndex(({ paidAt }) => paidAt <= time) + 1;
}

function openBooks(
  dialect: PaymentStubDialect,
  { transfers, refunds, paid }: Kept,
  answersAbout: () => StubTransfer | null,
): PaymentBooks {
  const accounts = new Map<string, StubAccount>();
  const byReference = new Map<string, StubAccount>();
  return {
    transfers,
    accounts,
    refusal: null,
    memory: new Map(),
    accountOf: (reference) => byReference.get(reference),
    open(reference) {
      const known = byReference.get(reference);
      if (known !== undefined) return known;
      const number = accounts.size + 1;
      const account = {
        accountNumber: String(9_900_000_000 + number),
        holder: dialect.holderOf(reference, number),
        reference,
      };
      accounts.set(account.accountNumber, account);
      byReference.set(reference, account);
      return account;
    },
    verified(id) {
      const transfer = transfers.get(id);
      if (transfer !== undefined) transfer.asked += 1;
      return answersAbout() ?? transfer;
    },
    paidIn(from, to) {
      const first = paid.findIndex(({ paidAt }) => paidAt >= from);
      return first === -1 ? [] : paid.slice(first, firstAfter(paid, to - 1)).reverse();
    },
    refunds({ from, to } = { from: 0, to: Number.POSITIVE_INFINITY }) {
      const now = Date.now();
      const isWithin = (at: number) => at >= from && at <= to;
      return refunds.filter(
        ({ transfer: { takenBackBy, takenBackAt } }) => takenBackBy === "refund" && isWithin(takenBackAt ?? now),
      );
    },
  };
}

/** The time that a question for a list is about; undefined where it names none. */
export function timeIn(query: URLSearchParams, read: (text: string) => number) {
  const [from, to] = [query.get("from"), query.get("to")];
  return from === null || to === null ? undefined : { from: read(from), to: read(to) };
}

/** One page of a list, which counts from 1: of its rows alone is made what is shown. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number, show: (row: Row) => JsonObject) {
  return {
    rows: rows.slice((page - 1) * size, page * size).map(show),
    total: rows.length,
    pages: Math.ceil(rows.length / size),
  };
}

/** Kobo as naira. */
export function nairaOf(amount: bigint): string {
  return `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
}
