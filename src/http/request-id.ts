import type { IncomingMessage } from "node:http";
import type { Randomness } from "../domain/merchants/key-format.ts";
import type { Clock } from "../kernel/clock.ts";
import { looksSecret } from "../kernel/mask-secrets.ts";

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLength = 10;
const randomLength = 16;

/**
 * Gives each request its id: the client's own `X-Request-Id` where it is 1–64 of `A-Z a-z 0-9 . _ -`, else `req_` and
 * a ULID, also where what was sent looks like a key, PIN or token: it would stand in the log. For Fastify's `genReqId`; without a message for what is no request.
 */
export function requestIds(options: {
  readonly clock: Clock;
  readonly randomness: Randomness;
}): (message?: IncomingMessage) => string {
  const { clock, randomness } = options;
  // Random bytes are fetched by the thousand: one call costs as much as all else here together.
  const poolLength = 4_096;
  let pool = randomness(poolLength);
  let used = 0;
  let timeMs = -1;
  let timeText = "";

  function randomText(): string {
    if (used + randomLength > poolLength) {
      pool = randomness(poolLength);
      used = 0;
    }
    let text = "";
    for (const end = used + randomLength; used < end; used++) text += crockford.charAt((pool[used] ?? 0) & 31);
    return text;
  }

  function mint(): string {
    const now = clock.now();
    if (now !== timeMs) {
      timeMs = now;
      timeText = timeCharacters(now);
    }
    return `req_${timeText}${randomText()}`;
  }

  return (message) => {
    const sent = message?.headers["x-request-id"];
    return typeof sent === "string" && acceptable.test(sent) && !looksSecret(sent) ? sent : mint();
  };
}

function timeCharacters(now: number): string {
  let text = "";
  let rest = now;
  for (let i = 0; i < timeLength; i++) {
    text = crockford.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
