import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import pg from "pg";

/** A way to the test's database that can be lost. */
export interface DatabaseWay {
  /** The database's own address, but over this way. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  refuse(): Promise<void>;
  /** Takes whatever is sent, new connections too, and answers nothing. */
  silence(): void;
  /** Ends the connection of the next commit: before the server hears of it, or when it was carried out. */
  cutCommit(when: "before" | "after"): void;
  /** The same when it was carried out, and refuses new connections from then on. */
  refuseFromCommit(): void;
  /** As it was at first. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** As it is sent, and as it is answered. */
const commit = { before: "commit\0", after: "COMMIT\0" };

/** Opens a way, over TCP, to a database wherever it listens. */
export async function openDatabaseWay(databaseUrl: string): Promise<DatabaseWay> {
  const { host, port: hostPort, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const sockets = new Set<Socket>();
  let silent = false;
  /** What is not handed on: it ends its connection. */
  let cut: { readonly at: string; readonly refusing: boolean } | undefined;
  const server = createServer((client) => {
    const upstream = host.startsWith("/") ? connect(path.join(host, `.s.PGSQL.${hostPort}`)) : connect(hostPort, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => {
        if (cut !== undefined && bytes.includes(cut.at)) {
          if (cut.refusing) void refuse();
          cut = undefined;
          from.destroy();
        } else if (!silent) to.write(bytes);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  let port = 0;
  const listen = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const refuse = async () => {
    const closed = server.listening ? once(server, "close") : undefined;
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen();
  const credentials = [user, password].filter(Boolean).map((text) => encodeURIComponent(String(text)));
  return {
    url: `postgresql://${credentials.join(":")}@127.0.0.1:${port}/${database}`,
    refuse,
    silence() {
      silent = true;
    },
    cutCommit(when) {
      cut = { at: commit[when], refusing: false };
    },
    refuseFromCommit() {
      cut = { at: commit.after, refusing: true };
    },
    async open() {
      // What was swallowed leaves its connections in no state that anybody could go on with.
      if (silent) for (const socket of sockets) socket.destroy();
      silent = false;
      if (!server.listening) await listen();
    },
    close: refuse,
  };
}
