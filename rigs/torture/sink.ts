// A program: what webhooks are sent to. Never killed; it writes down every delivery before it answers, and answers some as
// if it had not. Prints its port. POST /<merchant>/<endpoint>.
import { createServer, type Socket } from "node:net";
import { listen, receiveRequests } from "../base/hear-requests.ts";
import { openBook, type SinkLine } from "./book.ts";
import { shareOf } from "./chance.ts";

const { book: file, seed } = JSON.parse(process.env.TORTURE_SINK ?? "{}") as {
  readonly book: string;
  readonly seed: number;
};
const book = openBook<SinkLine>(file);
const times = new Map<string, number>();

interface Reported {
  readonly event: string;
  readonly data: { readonly transaction_id?: string; readonly bulk_id?: string; readonly payment_id?: string };
}

function receive(socket: Socket, head: string, body: string): void {
  const endpoint = /^POST (\S+)/.exec(head)?.[1] ?? "";
  const id = /webhook-id: (\S+)/i.exec(head)?.[1] ?? "";
  const { event, data } = JSON.parse(body) as Reported;
  book.write({ endpoint, id, event, subject: data.transaction_id ?? data.bulk_id ?? data.payment_id ?? null });
  const time = (times.get(id) ?? 0) + 1;
  times.set(id, time);
  const share = shareOf(seed, `${id} ${time}`);
  if (share < 0.02) answer(socket, "503 Service Unavailable");
  else if (share < 0.03) socket.destroy();
  else if (share < 0.04) setTimeout(() => answer(socket, "200 OK"), 2_000);
  else answer(socket, "200 OK");
}

function answer(socket: Socket, status: string): void {
  if (!socket.destroyed) socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
}

void listen(createServer(receiveRequests(receive)));
