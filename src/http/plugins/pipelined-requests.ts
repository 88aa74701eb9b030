import { IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

const behindSlot = Symbol("requests read since the connection was last idle");
const numberSlot = Symbol("number among those");

/** With what we count, and what Node notes there: the answer whose turn it is. Symbols, so that nothing can clash. */
interface Connection extends Socket {
  [behindSlot]?: number;
  readonly _httpMessage?: (ServerResponse & { readonly req: { readonly [numberSlot]?: number } }) | null;
}

/**
 * For Node's `IncomingMessage` option. A request that comes behind `unansweredMax` others of its connection, and all
 * that comes behind it, is not read: the connection closes with the answers to the others. Node reads up to 64 kB of a
 * connection at once and makes requests of them all, 3,600 of the shortest at 3 to 8 kB each, before one is answered.
 * Nothing is noted of the first one, as mostly it is the only one.
 */
export function boundedRequest(unansweredMax: number): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare [numberSlot]?: number;

    constructor(connection: Connection) {
      super(connection);
      const answering = connection._httpMessage;
      if (!answering) {
        if (connection[behindSlot] !== undefined) connection[behindSlot] = 0;
        return;
      }
      const number = (connection[behindSlot] ?? 0) + 1;
      connection[behindSlot] = number;
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
