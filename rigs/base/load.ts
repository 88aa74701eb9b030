import { fork } from "node:child_process";
import path from "node:path";

/**
 * One load on an HTTP server of this machine. Request n (from 0) is `before + prefix + ten digits of (n mod numbers) +
 * after`, with the n-th of `frames` in turn, so that a second load with the same frames and prefix sends the same
 * requests again. Each request has one length, because its Content-Length stands in the frame.
 */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly prefix: string;
  readonly numbers: number;
  readonly frames: readonly Frame[];
  /** Every other status is an error. */
  readonly expectedStatus: number;
  /** Requests a second, one after the other at even steps; absent: as many as the connections bring about. */
  readonly perSecond?: number;
  /** It ends after so many requests, where that is sooner. */
  readonly sentMax?: number;
}

/** A request's text around its reference. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** What came of a load. */
export interface Outcome {
  readonly sent: number;
  /** Answers with the expected status. */
  readonly answered: number;
  /** Other answers, broken connections and requests without an answer for ten seconds. */
  readonly errors: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** What the driver itself took, in seconds. */
  readonly driverCpuSeconds: number;
  /** The errors by status, or "no answer". */
  readonly unexpected: Readonly<Record<string, number>>;
}

/** As many as a load can send in a phase: then request n has a reference of its own. */
export const numbersMax = 1_000_000_000;
export const referenceDigits = 10;

/** The frames of a POST with a JSON body whose last member is the reference, one frame a key. */
export function postFrames(options: {
  readonly path: string;
  readonly keys: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly prefix: string;
}): Frame[] {
  const { path, keys, body, prefix } = options;
  const [head, tail] = JSON.stringify({ ...body, reference: "|" }).split("|") as [string, string];
  const length = Buffer.byteLength(head) + prefix.length + referenceDigits + Buffer.byteLength(tail);
  return keys.map((key) => ({
    before:
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${head}`,
    after: tail,
  }));
}

/** The frames of a GET whose path ends in the reference, one frame a key. */
export function getFrames(options: { readonly path: string; readonly keys: readonly string[] }): Frame[] {
  return options.keys.map((key) => ({
    before: `GET ${options.path}`,
    after: ` HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`,
  }));
}

/** The same request each time: its number goes into a header that means nothing. @param header who asks */
export function sameFrame(path: string, header: string): Frame {
  return { before: `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\nuser-agent: rig-`, after: "\r\n\r\n" };
}

/** Sends loads from a process of its own: neither server nor benchmark shares its event loop. */
export interface Driver {
  drive(load: Load): Promise<Outcome>;
  /** Ends the load that it drives, after the answers that it waits for. */
  stop(): void;
  close(): Promise<void>;
}

/**
 * Starts `send-load.ts`, which lives until it is closed. It takes 10 µs of processor time a request where wrk takes 9,
 * needs nothing installed, tells every status apart, and leaves no request without its answer.
 */
export function openDriver(): Driver {
  const child = fork(path.join(import.meta.dirname, "send-load.ts"), { execArgv: ["--import", "tsx"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    drive: (load: Load) =>
      new Promise<Outcome>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`the driver ended (${code})`));
        child.once("exit", onExit);
        child.once("message", (outcome) => {
          child.removeListener("exit", onExit);
          resolve(outcome as Outcome);
        });
        child.send(load);
      }),
    stop: () => void child.send("stop"),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
