import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** An email as a mail server got it. */
export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and text as they came. */
  readonly data: string;
}

/** A small mail server on a real socket. */
export interface SmtpServer {
  readonly url: string;
  readonly emails: readonly ReceivedEmail[];
  /** What it answers to the recipient from now on; null: it takes it. */
  refuse(answer: string | null): void;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const emails: ReceivedEmail[] = [];
  const sockets = new Set<Socket>();
  let refusal: string | null = null;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let envelope = { from: "", to: [] as string[] };
    let data: string[] | null = null;
    let kept = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 test");
    const answer = (line: string) => {
      if (data !== null) {
        if (line !== ".") return void data.push(line);
        emails.push({ ...envelope, data: data.join("\n") });
        data = null;
        return say("250 taken");
      }
      if (/^MAIL FROM/i.test(line)) envelope = { from: line, to: [] };
      else if (/^RCPT TO/i.test(line)) {
        if (refusal !== null) return say(refusal);
        envelope.to.push(line);
      } else if (/^DATA/i.test(line)) {
        data = [];
        return say("354 go on");
      } else if (/^QUIT/i.test(line)) return socket.end("221 bye\r\n");
      return say("250 fine");
    };
    socket.on("data", (bytes) => {
      const lines = (kept + bytes.toString()).split("\r\n");
      kept = lines.pop() ?? "";
      for (const line of lines) answer(line);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emails,
    refuse(answer) {
      refusal = answer;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
