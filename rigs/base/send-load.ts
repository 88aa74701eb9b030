// The program behind `openDriver`: takes one load at a time over IPC, sends it, answers with its outcome.
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "./figures.ts";
import { type Load, type Outcome, referenceDigits } from "./load.ts";

const answerMsMax = 10_000;
const receiveBytes = 65_536;
/** Over so long the open connections begin, as far apart as they send later on: at once, they are one wave for a while. */
const beginMs = 50;

/** What all connections of a load write into. */
interface Tally {
  sent: number;
  answered: number;
  errors: number;
  readonly latencies: number[];
  readonly unexpected: Record<string, number>;
}

let isStopped = false;

process.on("message", (message: Load | "stop") => {
  isStopped = message === "stop";
  if (message !== "stop") void send(message).then((outcome) => process.send?.(outcome));
});

async function send(load: Load): Promise<Outcome> {
  const tally: Tally = { sent: 0, answered: 0, errors: 0, latencies: [], unexpected: {} };
  const connections = Array.from({ length: load.connections }, () => openConnection(load, tally));
  await Promise.all(connections.map(({ opened }) => opened));
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const endsMs = startedMs + load.seconds * 1_000;
  const isOurTurn = turns(load.perSecond, startedMs);
  const keepSending = async (connection: Connection, afterMs: number) => {
    await delay(afterMs);
    await connection.keepSending(endsMs, isOurTurn);
  };
  await Promise.all(connections.map((each, i) => keepSending(each, (i * beginMs) / connections.length)));
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  const latencies = Float64Array.from(tally.latencies).sort();
  return {
    sent: tally.sent,
    answered: tally.answered,
    errors: tally.errors,
    seconds,
    p50Ms: percentile(latencies, 0.5) ?? 0,
    p99Ms: percentile(latencies, 0.99) ?? 0,
    maxMs: percentile(latencies, 1) ?? 0,
    driverCpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    unexpected: tally.unexpected,
  };
}

/** Gives out the times at which requests leave. @returns how many milliseconds the next one has to wait */
function turns(perSecond: number | undefined, startedMs: number): () => number {
  if (perSecond === undefined) return () => 0;
  let given = 0;
  return () => startedMs + (given++ * 1_000) / perSecond - performance.now();
}

interface Connection {
  /** Resolves when it is open, or can't be. */
  readonly opened: Promise<void>;
  /** A request, its answer, the next request. Resolves after its last answer past the end. */
  keepSending(endsMs: number, isOurTurn: () => number): Promise<void>;
}

function openConnection(load: Load, tally: Tally): Connection {
  let sentMs = 0;
  let awaiting = false;
  let rest: Buffer | null = null;
  let goOn = () => {};
  // One answer at a time, read where it lands: no buffer is made per answer.
  const receiveBuffer = Buffer.allocUnsafe(receiveBytes);
  const socket: Socket = connect({
    host: "127.0.0.1",
    port: load.port,
    noDelay: true,
    onread: {
      buffer: receiveBuffer,
      callback: (length) => {
        receive(
          rest === null ? receiveBuffer.subarray(0, length) : Buffer.concat([rest, receiveBuffer.subarray(0, length)]),
        );
        return true;
      },
    },
  });
  socket.setTimeout(answerMsMax, () => socket.destroy());
  socket.on("error", () => {}); // "close" follows
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const opened = Promise.race([new Promise<void>((resolve) => socket.once("connect", () => resolve())), closed]);

  function receive(bytes: Buffer): void {
    const status = statusOfWhole(bytes);
    if (status === null) {
      rest = Buffer.from(bytes);
      return;
    }
    rest = null;
    awaiting = false;
    if (status === load.expectedStatus) {
      tally.answered += 1;
      tally.latencies.push(performance.now() - sentMs);
    } else fail(tally, String(status));
    goOn();
  }

  async function keepSending(endsMs: number, isOurTurn: () => number): Promise<void> {
    goOn = () => {
      const waitMs = isOurTurn();
      if (waitMs > 0) setTimeout(sendNext, waitMs);
      else sendNext();
    };
    function sendNext(): void {
      sentMs = performance.now();
      if (isStopped || sentMs >= endsMs || tally.sent === load.sentMax || socket.destroyed) {
        socket.destroy();
        return;
      }
      awaiting = true;
      socket.write(requestText(load, tally.sent), "latin1");
      tally.sent += 1;
    }
    if (socket.destroyed) fail(tally, "no connection");
    else goOn();
    await closed;
    if (awaiting) fail(tally, "no answer");
  }

  return { opened, keepSending };
}

function fail(tally: Tally, what: string): void {
  tally.errors += 1;
  tally.unexpected[what] = (tally.unexpected[what] ?? 0) + 1;
}

function requestText({ prefix, numbers, frames }: Load, sent: number): string {
  const number = sent % numbers;
  const frame = frames[number % frames.length];
  if (frame === undefined) throw new Error("a load has at least one frame");
  return frame.before + prefix + String(number).padStart(referenceDigits, "0") + frame.after;
}

const emptyLine = "\r\n\r\n";
const lengthName = "content-length: ";

/** The status of an answer; null while some of it is missing. Reads as little as can be: HTTP/1.1 with a length. */
function statusOfWhole(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf(emptyLine, 0, "latin1");
  if (headEnd === -1) return null;
  const head = bytes.toString("latin1", 0, headEnd);
  const at = head.indexOf(lengthName);
  if (at === -1) throw new Error(`an answer without ${lengthName}`);
  const length = Number.parseInt(head.slice(at + lengthName.length, at + lengthName.length + 10), 10);
  return bytes.length >= headEnd + emptyLine.length + length ? Number(head.slice(9, 12)) : null;
}
