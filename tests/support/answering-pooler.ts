import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import pg from "pg";

/** How a pooler, or a coordinator, answers for a server behind it that it has lost. Its own connections to clients stay. */
interface Loss {
  readonly sqlState: string;
  /** The prepared statements that would have gone there. */
  readonly statements: readonly string[];
  /** Whether the server carries them out all the same, and only its answers are lost. */
  readonly isCarriedOut: boolean;
}

/** Stands between clients and their database, as a pooler does. */
export interface AnsweringPooler {
  /** The database's own address, but over this pooler. */
  readonly url: string;
  lose(loss: Loss): void;
  /** As it was at first. */
  find(): void;
  close(): Promise<void>;
}

export async function openAnsweringPooler(databaseUrl: string): Promise<AnsweringPooler> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const sockets = new Set<Socket>();
  let loss: Loss | null = null;
  const server = createServer((client) => {
    const upstream = host.startsWith("/") ? connect(path.join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    relay(client, upstream, (statement) => (loss?.statements.includes(statement) === true ? loss : null));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const credentials = [user, password].filter(Boolean).map((text) => encodeURIComponent(String(text)));
  return {
    url: `postgresql://${credentials.join(":")}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    lose(next) {
      loss = next;
    },
    find() {
      loss = null;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** What comes next on the way to the client: the server's answer up to its end, or, in its place, an error. */
interface Turn {
  readonly error: Buffer | null;
  /** Whether the server answers, which nobody hears where there is an error. */
  readonly isAnswered: boolean;
}

/** Hands statements on, and answers in their order, as clients that do not wait for one answer rely on. */
function relay(client: Socket, upstream: Socket, lossOf: (statement: string) => Loss | null): void {
  const turns: Turn[] = [];
  let group: Buffer[] = [];
  let hasStarted = false;
  const answer = () => {
    for (let next = turns[0]; next !== undefined && !next.isAnswered; next = turns[0]) {
      turns.shift();
      if (next.error !== null) client.write(next.error);
    }
  };
  readMessages(
    client,
    () => !hasStarted,
    (message) => {
      if (!hasStarted) {
        hasStarted = true;
        upstream.write(message);
        return;
      }
      group.push(message);
      const kind = String.fromCharCode(message[0] ?? 0);
      // The end of what is sent at one time; passwords and farewells stand alone.
      if (!"SQXp".includes(kind)) return;
      const lost = group.map(statementOf).reduce<Loss | null>((found, name) => found ?? lossOf(name), null);
      if (lost === null || lost.isCarriedOut) upstream.write(Buffer.concat(group));
      if (kind === "S" || kind === "Q") {
        const error = lost === null ? null : errorMessage(lost.sqlState);
        turns.push({ error, isAnswered: lost === null || lost.isCarriedOut });
      }
      group = [];
      answer();
    },
  );
  readMessages(
    upstream,
    () => false,
    (message) => {
      const [turn] = turns;
      if (turn === undefined || turn.error === null) client.write(message);
      // It is ready for the next query.
      if (message[0] !== 0x5a || turn === undefined) return;
      turns.shift();
      if (turn.error !== null) client.write(turn.error);
      answer();
    },
  );
}

/** Calls back with each whole message. The first one of a client has no letter before its length. */
function readMessages(from: Socket, isBare: () => boolean, onMessage: (message: Buffer) => void): void {
  let read = Buffer.alloc(0);
  from.on("data", (bytes: Buffer) => {
    read = Buffer.concat([read, bytes]);
    for (let before = isBare() ? 0 : 1; read.length >= before + 4; before = isBare() ? 0 : 1) {
      const length = before + read.readInt32BE(before);
      if (read.length < length) return;
      onMessage(read.subarray(0, length));
      read = read.subarray(length);
    }
  });
}

/** The name of the statement that a Bind message names behind its portal; empty for other messages. */
function statementOf(message: Buffer): string {
  if (message[0] !== 0x42) return "";
  return message.subarray(5).toString("latin1").split("\0")[1] ?? "";
}

/** An error that ends the statement and not the connection, and that it is ready for the next one. */
function errorMessage(sqlState: string): Buffer {
  const fields = `SERROR\0VERROR\0C${sqlState}\0Mthe server behind is lost\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields), Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]);
}
