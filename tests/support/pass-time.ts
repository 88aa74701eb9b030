import { leaseSeconds } from "../../src/domain/resolution/requery/resolve-pending.ts";

/**
 * What pends comes due: leases and due times live on the database's clock, so time passes there. Not for a lease that was
 * taken within the last `livingSeconds`: its worker lives, and by the time that leases end it would long have asked. Were
 * it overtaken by another one's question, its supplier would know of nothing, and vend a moment later.
 */
export function comingDue(livingSeconds: number): string {
  return `update inflight
             set due_at = least(due_at, now())
           where due_at not between now() + interval '${leaseSeconds - livingSeconds} s'
                                and now() + interval '${leaseSeconds} s'`;
}
