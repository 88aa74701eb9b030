import type { IncomingMessage } from "node:http";
import type { Randomness } from "../domain/merchants/key-format.ts";
import type { Clock } from "../kernel/clock.ts";
import { ulid } from "../kernel/ids.ts";
import { looksSecret } from "../kernel/mask-secrets.ts";

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Gives each request its id: the client's own `X-Request-Id` where it is 1–64 of `A-Z a-z 0-9 . _ -`, else `req_` and
 * a ULID, also where what was sent looks like a key, PIN or token: it would stand in the log. For Fastify's `genReqId`;
 * without a message for what is no request.
 */
export function requestIds(options: {
  readonly clock: Clock;
  readonly randomness: Randomness;
}): (message?: IncomingMessage) => string {
  const { clock, randomness } = options;
  return (message) => {
    const sent = message?.headers["x-request-id"];
    const isTaken = typeof sent === "string" && acceptable.test(sent) && !looksSecret(sent);
    return isTaken ? sent : `req_${ulid(clock.now(), randomness)}`;
  };
}
