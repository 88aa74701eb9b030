import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import type { Clock } from "../../../src/kernel/clock.ts";
import type {
  Conduct,
  Play,
  Requested,
  SentCallback,
  StubAnswer,
  StubDialect,
  StubRecord,
  Trap,
} from "./stub-dialect.ts";

/** A supplier that is never killed and keeps its own truth: tests judge against `log`. */
export interface StubServer {
  readonly url: string;
  /** What it does with the next requests to vend. */
  play: Play;
  /** Instead of a play: one of the dialect's own traps. */
  trap: Trap | null;
  /** Decides for each request to vend, instead of both; null: it does not. */
  conduct: ((calls: Requested) => Conduct) | null;
  /** How long it takes to answer while it plays "slow". */
  slowMs: number;
  /** What becomes of questions about a number: one that is ignored is never answered. */
  inquiries: "answered" | "broken" | "ignored";
  /** What becomes of each question about a purchase; null: it is answered. */
  questions: (() => "answered" | "broken" | "dropped") | null;
  /** A supplier that mixes up its answers names this reference in each of them; null for its own. */
  answersAbout: string | null;
  /** Requeries that stay pending before the end is told. */
  pendingRequeries: number;
  /** Append-only. */
  readonly log: readonly StubLogLine[];
  readonly records: ReadonlyMap<string, StubRecord>;
  /** How often goods went out under a reference. */
  vends(reference: string): number;
  /** A callback, for whoever sends it. */
  callback(reference: string, status: "vended" | "declined" | "pending"): SentCallback;
  /** What it has not said yet of its end is so now: nobody need ask any more. Returns whether there was anything. */
  end(reference: string): boolean;
  /** How many requests have not arrived yet, or are not answered. */
  underWay(): number;
  /** Gone at once, with every connection. What it did it knows. */
  leave(): void;
  /** Back, at the same address. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

type Note = (did: StubLogLine["did"], reference?: string) => void;

export interface StubLogLine {
  readonly question: Requested["question"] | "nothing";
  /** The reference of the attempt that was asked about, as this supplier received it. */
  readonly reference: string;
  readonly did: "vended" | "declined" | "accepted" | "nothing";
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

const systemClock: Clock = { now: () => Date.now() };

/** Starts a stub on a free port of this machine. Its lists go by the clock. */
export async function startStub(dialect: StubDialect, clock = systemClock): Promise<StubServer> {
  const log: StubLogLine[] = [];
  const records = new Map<string, StubRecord>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // as many as requests that wait
  let underWay = 0;
  const server = createServer((request, response) => {
    underWay += 1;
    answer(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        underWay -= 1;
      });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stub");
    const body = await readBody(request, url.searchParams);
    const { headers, method = "GET" } = request;
    const calls = dialect.receive({ method, path: url.pathname, query: url.searchParams, headers, body });
    const note = (did: StubLogLine["did"], reference = calls?.reference ?? "") =>
      void log.push({ question: calls?.question ?? "nothing", reference, did, headers, body });
    if (calls === null) {
      note("nothing");
      return send(response, { status: 404, body: { detail: "Not found." } });
    }
    if (calls.question === "vend") return vend(calls, response, note);
    if (calls.question === "verify" && stub.inquiries === "ignored") return note("nothing");
    if (calls.question === "verify" && stub.inquiries === "broken") {
      note("nothing");
      return send(response, { status: 502, body: { detail: "Bad gateway." } });
    }
    const isAbout = ["requery", "collect", "list"].includes(calls.question);
    const fate = isAbout ? (stub.questions?.() ?? "answered") : "answered";
    if (fate !== "answered") note("nothing");
    if (fate === "dropped") return void response.destroy();
    if (fate === "broken") return send(response, { status: 503, body: "<html>Service Unavailable</html>" });
    return send(response, other(calls, note));
  }

  function other(calls: Requested, note: Note): StubAnswer {
    const record = records.get(calls.reference) ?? recordNamed(calls.reference);
    const isRequery = calls.question === "requery" && record !== undefined;
    if (isRequery) record.requeries += 1;
    const ends = isRequery && record.state === "pending" && record.requeries > stub.pendingRequeries;
    if (ends) record.state = record.end;
    note(ends ? record.end : "nothing", record?.reference);
    const { question } = calls;
    if (question === "denied" || question === "balance" || question === "token" || question === "catalogue") {
      return dialect.say(question, calls, null);
    }
    if (question === "list" && dialect.list !== undefined) return dialect.list([...records.values()], calls);
    const trapped =
      record === undefined ? null : (record.trap ?? stub.trap)?.again?.(calls, record, ++record.questions);
    if (trapped) return trapped;
    if (question === "collect") {
      return dialect.say(record?.state === "vended" ? "collected" : "not_collected", calls, record ?? null);
    }
    if (calls.question === "verify") {
      return dialect.say(calls.number.endsWith("0009") ? "unverifiable" : "verified", calls, null);
    }
    return record === undefined ? dialect.say("absent", calls, null) : sayOf(record, calls);
  }

  function recordNamed(id: string): StubRecord | undefined {
    for (const record of records.values()) if (record.id === id) return record;
    return undefined;
  }

  function sayOf(record: StubRecord, calls: Requested): StubAnswer {
    return dialect.say(record.state, calls, { ...record, reference: stub.answersAbout ?? record.reference });
  }

  async function vend(calls: Requested, response: ServerResponse, note: Note): Promise<void> {
    const conduct = stub.conduct?.(calls) ?? stub;
    if ("refused" in conduct) {
      note("nothing");
      return send(response, conduct.refused);
    }
    const { play, trap, lateMs } = { lateMs: 0, ...conduct };
    if (lateMs > 0) {
      response.destroy();
      await delay(lateMs, undefined, { signal: closing.signal });
    }
    const known = records.get(calls.reference);
    if (known !== undefined) {
      note("nothing");
      return send(response, dialect.say("duplicate", calls, known));
    }
    if (trap === null && play === "never_received") return void response.destroy();
    const played = play === "declined" || play === "pending_then_declined" ? "declined" : "vended";
    const end = trap === null ? played : trap.supplier === "declined" ? "declined" : "vended";
    const isOpen = trap === null ? play.startsWith("pending") : trap.supplier === "pending";
    const id = String(90_000 + records.size);
    const { reference, number } = calls;
    const record: StubRecord = {
      reference,
      number,
      id,
      calls,
      state: isOpen ? "pending" : end,
      end,
      requeries: 0,
      questions: 0,
      trap,
      at: clock.now(),
    };
    const trapped =
      trap === null ? undefined : trap.answer === undefined ? sayOf(record, calls) : trap.answer(calls, record);
    // It has looked at nothing and keeps nothing: the same may be sent again.
    if (trapped?.status === 429) {
      note("nothing");
      return send(response, trapped);
    }
    records.set(reference, record);
    note(isOpen ? "accepted" : end);
    if (trapped !== undefined) return trapped === null ? void response.destroy() : send(response, trapped);
    return report(play, response, { calls, record });
  }

  async function report(
    play: Play,
    response: ServerResponse,
    { calls, record }: { calls: Requested; record: StubRecord },
  ): Promise<void> {
    switch (play) {
      case "vended_answer_dropped":
        return void response.destroy();
      case "duplicate_reference":
        return send(response, dialect.say("duplicate", calls, record));
      case "garbage":
        return void response
          .writeHead(200, { "content-type": "text/html" })
          .end("<html>PHP Fatal error 12345678</html>");
      case "error_after_vending":
        return send(response, { status: 502, body: dialect.say("declined", calls, record).body });
      case "undocumented_code":
        return send(response, dialect.say("undocumented", calls, record));
      case "endless_answer":
        return void response.writeHead(200).end(`{"message":"${"x".repeat(400_000)}"}`);
      case "dripping_answer":
        return drip(response, JSON.stringify(dialect.say("vended", calls, record).body), closing.signal);
      case "slow":
        await delay(stub.slowMs, undefined, { signal: closing.signal, ref: false });
        return send(response, dialect.say("vended", calls, record));
      default:
        return send(response, sayOf(record, calls));
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: StubServer = {
    url: `http://${host}`,
    play: "vended",
    trap: null,
    conduct: null,
    slowMs: 1_500,
    inquiries: "answered",
    questions: null,
    answersAbout: null,
    pendingRequeries: 1,
    log,
    records,
    vends: (reference) => log.filter((line) => line.reference === reference && line.did === "vended").length,
    callback(reference, status) {
      const record = records.get(reference);
      if (record === undefined || dialect.call === undefined) throw new Error(`nothing to call about: ${reference}`);
      return dialect.call(record, status);
    },
    end(reference) {
      const record = records.get(reference);
      if (record?.state !== "pending") return false;
      record.state = record.end;
      return true;
    },
    underWay: () => underWay,
    leave() {
      server.close();
      server.closeAllConnections();
    },
    async comeBack() {
      server.listen(Number(new URL(stub.url).port), "127.0.0.1");
      await once(server, "listening");
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return stub;
}

async function readBody(request: IncomingMessage, query: URLSearchParams): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request) text += String(part);
  if (text === "") return Object.fromEntries(query);
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  return isForm ? Object.fromEntries(new URLSearchParams(text)) : (JSON.parse(text) as Record<string, unknown>);
}

function send(response: ServerResponse, { status, body }: StubAnswer): void {
  const isText = typeof body === "string";
  response
    .writeHead(status, { "content-type": isText ? "text/html" : "application/json" })
    .end(isText ? body : JSON.stringify(body));
}

/** A byte at a time: it keeps every idle timer awake, and is not over before any deadline. */
async function drip(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  for (const byte of Buffer.from(text)) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await delay(60, undefined, { signal });
  }
  response.end();
}
