import { Transform } from "node:stream";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../../kernel/problems.ts";
import { knownPrincipal } from "../../request-context.ts";

/** How much of requests' bodies is held at a time. */
export interface BodyBounds {
  /** Bodies that say they are no longer are not counted: connections bound them, and every purchase is one. */
  readonly smallBytesMax: number;
  readonly merchantBytesMax: number;
  readonly processBytesMax: number;
}

export const bodyBounds: BodyBounds = {
  smallBytesMax: 16_384,
  // Four of the largest orders.
  merchantBytesMax: 16 * 1_048_576,
  processBytesMax: 64 * 1_048_576,
};

const retryAfterSeconds = 2;

/**
 * Counts the bytes of large bodies as they come in, until their requests are answered, and refuses what would be more
 * than is held. At the root, behind what refuses unknown paths; each merchant's own on routes behind the authentication.
 */
export function boundBodies(app: FastifyInstance, bounds: BodyBounds): void {
  const held = new Map<unknown, number>();
  let heldInAll = 0;

  app.addHook("preParsing", (request, reply, payload, done) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (length === undefined ? encoding === undefined : Number(length) <= bounds.smallBytesMax) {
      done(null, payload);
      return;
    }
    const merchant = knownPrincipal(request)?.merchantId ?? null;
    let bytes = 0;
    let isAnswered = false;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        if (isAnswered) {
          next();
          return;
        }
        const isFull = heldInAll + chunk.length > bounds.processBytesMax;
        const ofMerchant = (held.get(merchant) ?? 0) + chunk.length;
        if (isFull || (merchant !== null && ofMerchant > bounds.merchantBytesMax)) {
          const message = `More than can be received at a time is on its way${isFull ? "" : " from you"}.`;
          next(refuse("MAINTENANCE", { message, retryAfterSeconds }));
          return;
        }
        bytes += chunk.length;
        heldInAll += chunk.length;
        held.set(merchant, ofMerchant);
        next(null, chunk);
      },
    });
    reply.raw.once("close", () => {
      isAnswered = true;
      heldInAll -= bytes;
      const left = (held.get(merchant) ?? 0) - bytes;
      if (left > 0) held.set(merchant, left);
      else held.delete(merchant);
    });
    payload.pipe(counted);
    payload.once("error", (error: Error) => counted.destroy(error));
    // The rest of a refused client's body is read and thrown away: else it never reads its answer.
    const readOut = () => {
      payload.unpipe(counted);
      payload.resume();
    };
    counted.once("error", readOut);
    reply.raw.once("finish", readOut);
    done(null, counted);
  });
}
