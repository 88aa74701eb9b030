import { type EndpointOwner, formatEndpointId, tellableUrl } from "../../../domain/webhooks/endpoints/endpoint.ts";
import type { DeliveryState } from "../../../domain/webhooks/log/delivery-state.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import type { RouteServices } from "../../services.ts";

/** An attempt as its merchant reads it. */
export function deliveryRecord(attempt: Attempt, owner: EndpointOwner, { wallTime, secretBox }: RouteServices) {
  const key = { merchantId: owner.merchantId, endpointNumber: attempt.endpointNumber };
  return {
    id: Number(attempt.id),
    event: attempt.event,
    delivery_id: attempt.deliveryId,
    endpoint_id: formatEndpointId(key),
    url: tellableUrl(secretBox, key, attempt),
    attempt: attempt.attempt,
    successful: attempt.successful,
    http_status: attempt.httpStatus,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    ...(attempt.errorDetail === null ? {} : { error_detail: attempt.errorDetail }),
    response_body: attempt.responseBody,
    payload: attempt.payload,
    reference: attempt.reference,
    resendable: attempt.resendable,
    created_at: wallTime.format(attempt.createdAt),
  };
}

/** A delivery as a whole. */
export function deliveryObject(state: DeliveryState, owner: EndpointOwner, services: RouteServices) {
  const { delivery, status, nextAttemptAt, resendable } = state;
  const key = { merchantId: owner.merchantId, endpointNumber: delivery.endpointNumber };
  const attempts = state.attempts.map((attempt) => deliveryRecord(attempt, owner, services));
  return {
    delivery_id: delivery.id,
    endpoint_id: formatEndpointId(key),
    event: delivery.event,
    url: attempts[0]?.url ?? tellableUrl(services.secretBox, key, delivery),
    reference: delivery.reference,
    status,
    next_attempt_at: nextAttemptAt === null ? null : services.wallTime.format(nextAttemptAt),
    resendable,
    attempts,
  };
}
