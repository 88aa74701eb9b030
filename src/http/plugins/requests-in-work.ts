import type { FastifyReply, FastifyRequest } from "fastify";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Refusal, refuse } from "../../kernel/problems.ts";
import { placeOf, setPlace } from "../request-context.ts";

/** Requests of one merchant in this process that are not answered yet. */
export const inWorkMax = 2_000;

export interface RequestsInWork {
  /** Counts a request until its answer is sent or nobody waits for it. Why it is refused, else null. */
  begin(request: FastifyRequest, reply: FastifyReply, merchantId: MerchantId): Refusal | null;
}

export function requestsInWork(max = inWorkMax): RequestsInWork {
  const counts = new Map<MerchantId, number>();

  function add(merchantId: MerchantId, change: 1 | -1): void {
    const count = (counts.get(merchantId) ?? 0) + change;
    if (count > 0) counts.set(merchantId, count);
    else counts.delete(merchantId);
  }

  return {
    begin(request, reply, merchantId) {
      if ((counts.get(merchantId) ?? 0) >= max) {
        const message = `More than ${max} of your requests are being answered.`;
        return refuse("RATE_LIMITED", { message, meta: { limit: "in_work" }, retryAfterSeconds: 1 });
      }
      add(merchantId, 1);
      let isCounted = true;
      const count = (counted: boolean) => {
        if (counted !== isCounted) add(merchantId, counted ? 1 : -1);
        isCounted = counted;
      };
      let isOver = false;
      setPlace(request, { leave: () => count(false), comeBack: () => !isOver && count(true) });
      reply.raw.on("close", () => {
        isOver = true;
        count(false);
      });
      return null;
    },
  };
}

/** A request does not count while its answer is only held back: it waits, and nothing works on it. */
export async function outOfWork<T>(request: FastifyRequest, wait: () => Promise<T>): Promise<T> {
  const place = placeOf(request);
  place?.leave();
  try {
    return await wait();
  } finally {
    place?.comeBack();
  }
}
