import type { FastifyRequest } from "fastify";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Refusal, refuse } from "../../kernel/problems.ts";
import { type Place, placeOf, setPlace } from "../request-context.ts";

/** Requests of one merchant in this process that are not answered yet. */
export const inWorkMax = 2_000;

export interface RequestsInWork {
  /** Counts a request until its place is given back (`watchAnswers`). Why it is refused, else null. */
  begin(request: FastifyRequest, merchantId: MerchantId): Refusal | null;
}

export function requestsInWork(max = inWorkMax): RequestsInWork {
  const counts = new Map<MerchantId, number>();
  return {
    begin(request, merchantId) {
      if ((counts.get(merchantId) ?? 0) >= max) {
        const message = `More than ${max} of your requests are being answered.`;
        return refuse("RATE_LIMITED", { message, meta: { limit: "in_work" }, retryAfterSeconds: 1 });
      }
      setPlace(request, new CountedPlace(counts, merchantId));
      return null;
    },
  };
}

/** One of a merchant's requests in work. */
class CountedPlace implements Place {
  private readonly counts: Map<MerchantId, number>;
  private readonly merchantId: MerchantId;
  private isCounted = false;
  private isOver = false;

  constructor(counts: Map<MerchantId, number>, merchantId: MerchantId) {
    this.counts = counts;
    this.merchantId = merchantId;
    this.count(true);
  }

  leave(): void {
    this.count(false);
  }

  comeBack(): void {
    if (!this.isOver) this.count(true);
  }

  end(): void {
    this.isOver = true;
    this.count(false);
  }

  private count(counted: boolean): void {
    if (counted === this.isCounted) return;
    this.isCounted = counted;
    const count = (this.counts.get(this.merchantId) ?? 0) + (counted ? 1 : -1);
    if (count > 0) this.counts.set(this.merchantId, count);
    else this.counts.delete(this.merchantId);
  }
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
