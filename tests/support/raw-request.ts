import { connect, type Socket } from "node:net";
import type { Answer } from "./app.ts";

export interface RawRequest {
  readonly head: readonly string[];
  /** More lines of the head, each piece in a packet of its own. */
  readonly tail?: readonly (readonly string[])[];
  readonly body?: Buffer | string;
  /** Ends our side after the bytes, as a client that broke off. */
  readonly hangUp?: boolean;
}

const patienceMs = 5_000;

/**
 * Sends bytes that no HTTP client would send, and reads the first answer. Null when the connection ends without one.
 * `Connection: close` is the sender's to ask for, or the answer ends with its Content-Length.
 */
export function sendRaw(url: string, request: RawRequest): Promise<Answer | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const give = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(readAnswer(Buffer.concat(chunks).toString("utf8")));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer within ${patienceMs} ms: ${Buffer.concat(chunks)}`));
    }, patienceMs);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks).toString("utf8"))) give();
    });
    socket.on("end", give);
    // The server closed while we still wrote: what it said before is the answer.
    socket.on("error", give);
    void send(socket, request);
  });
}

async function send(socket: Socket, { head, tail = [], body, hangUp }: RawRequest): Promise<void> {
  socket.setNoDelay(true);
  socket.write(head.join("\r\n"));
  for (const lines of tail) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.write(`\r\n${lines.join("\r\n")}`);
  }
  socket.write("\r\n\r\n");
  if (body !== undefined) socket.write(body);
  if (hangUp === true) socket.end();
}

function isWhole(text: string): boolean {
  const [head = "", body] = text.split("\r\n\r\n", 2);
  const length = /^content-length: *([0-9]+)$/im.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function readAnswer(text: string): Answer | null {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 ([0-9]{3})/.exec(statusLine)?.[1];
  if (status === undefined) return null;
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
  return { status: Number(status), headers, body: parsed(body) };
}

function parsed(body: string): unknown {
  try {
    return body === "" ? null : JSON.parse(body);
  } catch {
    return body;
  }
}
