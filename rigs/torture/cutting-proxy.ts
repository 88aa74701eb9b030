import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** At which point of a statement's way its connection is cut. */
export type CutPoint =
  /** It never reaches PostgreSQL. */
  | "before"
  /** PostgreSQL has it, and nobody waits for the answer. */
  | "sent"
  /** PostgreSQL has answered, and the answer is lost. */
  | "answered"
  /** Not cut: it is held on its way until it is let go. */
  | "held";

export interface Cut {
  /** A statement's name, as it stands in its message. */
  readonly statement: string;
  readonly point: CutPoint;
  /** Called in the moment of the cut. What is held goes on with `dropDelivery`. */
  readonly onCut: (dropDelivery: () => void) => void;
}

/** Stands between one process and PostgreSQL, and cuts connections in the middle of a statement. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the next connection that carries the statement. One at a time: a new wish replaces the one before. */
  cutNext(cut: Cut): void;
  /** Gives up a wish that nothing met. */
  forgetCut(): void;
  close(): Promise<void>;
}

/** @param socket where PostgreSQL listens */
export async function openCuttingProxy(socket: string): Promise<CuttingProxy> {
  let wish: Cut | null = null;
  const clients = new Set<Socket>();

  /** The wish that this piece fulfils; from then on there is none. */
  function takeWish(chunk: Buffer): Cut | null {
    if (wish === null || !chunk.includes(wish.statement)) return null;
    const taken = wish;
    wish = null;
    return taken;
  }

  const listener = createServer((client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client));
    pass(client, connect(socket), takeWish);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    cutNext: (cut) => {
      wish = cut;
    },
    forgetCut: () => {
      wish = null;
    },
    async close() {
      listener.close();
      for (const client of clients) client.destroy();
      await once(listener, "close");
    },
  };
}

/** A cut is final. */
const goOn = () => {};

/** Brings bytes from one to the other until a wish is met, or one of them ends. */
function pass(client: Socket, server: Socket, takeWish: (chunk: Buffer) => Cut | null): void {
  let awaited: Cut | null = null;
  const end = () => {
    client.destroy();
    server.destroy();
  };
  for (const side of [client, server]) {
    side.setNoDelay(true);
    side.on("error", end);
    side.on("close", end);
  }
  client.on("data", (chunk: Buffer) => {
    const taken = takeWish(chunk);
    if (taken?.point === "sent") {
      // Carried out all the same: it is in the server's hands, which learns later that nobody waits.
      server.removeListener("close", end);
      client.removeListener("close", end);
      server.end(chunk);
    }
    if (taken?.point === "before" || taken?.point === "sent") {
      taken.onCut(goOn);
      return void client.destroy();
    }
    if (taken?.point === "held") {
      client.pause();
      return taken.onCut(() => {
        server.write(chunk);
        client.resume();
      });
    }
    awaited = taken ?? awaited;
    server.write(chunk);
  });
  server.on("data", (chunk: Buffer) => {
    if (awaited === null) return void client.write(chunk);
    awaited.onCut(goOn);
    awaited = null;
    end();
  });
}
