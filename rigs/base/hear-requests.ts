import type { AddressInfo, Server, Socket } from "node:net";

/** Answers one whole request. */
type Answer = (socket: Socket, head: string, body: string) => void;

/**
 * Reads HTTP/1.1 as cheaply as can be, for programs that only stand at the other end: requests with a
 * length or without a body, several on one connection.
 */
export function receiveRequests(answer: Answer): (socket: Socket) => void {
  return (socket) => {
    let rest = "";
    socket.setEncoding("latin1");
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      rest = read(socket, rest + chunk, answer);
    });
  };
}

/** Answers every whole request at the beginning of the text. @returns what is left */
function read(socket: Socket, text: string, answer: Answer): string {
  let start = 0;
  for (let end = text.indexOf("\r\n\r\n"); end !== -1; end = text.indexOf("\r\n\r\n", start)) {
    const head = text.slice(start, end);
    const length = Number(/content-length: ([0-9]+)/i.exec(head)?.[1] ?? 0);
    const bodyAt = end + 4;
    if (text.length < bodyAt + length) break;
    answer(socket, head, text.slice(bodyAt, bodyAt + length));
    start = bodyAt + length;
  }
  return text.slice(start);
}

/** Listens at a free port of this machine, prints it, and ends with a SIGTERM. @returns the port */
export function listen(server: Server): Promise<number> {
  process.once("SIGTERM", () => process.exit(0));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", 4_096, () => {
      const { port } = server.address() as AddressInfo;
      console.log(`port ${port}`);
      resolve(port);
    });
  });
}
