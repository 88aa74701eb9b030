import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

const lastNumberSlot = Symbol("the number of the request that was read last");
const numberSlot = Symbol("a request's number");

/** With what we count, and what Node notes there: the answer whose turn it is. Symbols, so that nothing can clash. */
interface Connection extends Socket {
  [lastNumberSlot]?: number;
  readonly _httpMessage?: (ServerResponse & { readonly req: { readonly [numberSlot]?: number } }) | null;
}

/**
 * For Node's `IncomingMessage` option. Once `unansweredMax` requests of a connection wait for their answers, no more of
 * it is read, and it closes behind those answers. Without that, Node reads 64 kB at once and makes requests of all that
 * is in them before the first is answered: 3,600 of the shortest, at 3 to 8 kB of memory each.
 *
 * Requests are numbered from the one that found the connection idle. That one, mostly the only one, bears no number and
 * counts as 0.
 */
export function boundedRequest(unansweredMax: number): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare [numberSlot]?: number;

    constructor(connection: Connection) {
      super(connection);
      const answering = connection._httpMessage;
      if (!answering) {
        if (connection[lastNumberSlot] !== undefined) connection[lastNumberSlot] = 0;
        return;
      }
      const number = (connection[lastNumberSlot] ?? 0) + 1;
      connection[lastNumberSlot] = number;
      this[numberSlot] = number;
      if (number - (answering.req[numberSlot] ?? 0) < unansweredMax) return;
      endReading(this);
      closeWhenAnswered(connection);
    }
  };
}

/**
 * Node asks a request for `upgrade` when its head is read: what comes behind one that changes the protocol is none of the
 * HTTP parser's business. Nothing else stops it in the midst of what it has, not even the end of the connection.
 */
function endReading(request: IncomingMessage): void {
  Object.defineProperty(request, "upgrade", { get: () => true, set: () => {} });
}

/**
 * From 24 on Node asks the server which requests change the protocol, and cuts the connection where nobody listens for
 * one that does: whom we have yet to answer would hear nothing. Before, it cut none.
 */
export function keepUntilAnswered(server: Server): void {
  if (!("shouldUpgradeCallback" in server)) return;
  server.shouldUpgradeCallback = () => false;
  server.on("upgrade", () => {});
}

/** From here on Node looks after this connection no more: neither after its errors nor after its silence. */
function closeWhenAnswered(connection: Connection): void {
  connection.on("error", () => {});
  connection.on("timeout", () => connection.destroy());
  const goOn = () => {
    if (connection._httpMessage) connection._httpMessage.once("finish", goOn);
    else connection.destroySoon();
  };
  goOn();
}
