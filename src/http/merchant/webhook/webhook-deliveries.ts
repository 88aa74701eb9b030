import { type Static, Type } from "typebox";
import { integerField } from "../../../categories/fields.ts";
import {
  type EndpointOwner,
  formatEndpointId,
  parseEndpointId,
  printableUrl,
} from "../../../domain/webhooks/endpoints/endpoint.ts";
import { endpointNamed } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { type DeliveryId, eventNames, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { type DeliveryState, readDelivery } from "../../../domain/webhooks/log/delivery-state.ts";
import { listLog } from "../../../domain/webhooks/log/log.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import { resend } from "../../../domain/webhooks/log/outbox.ts";
import { recoverSince } from "../../../domain/webhooks/log/recover.ts";
import { parseInstant } from "../../../kernel/clock.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { operation } from "../../openapi/operation.ts";
import { walletOf } from "../../request-context.ts";
import {
  deliveryLog,
  deliverySchema,
  endpointName,
  enqueuedDelivery,
  recovery,
} from "../../schemas/delivery-schemas.ts";
import { instantMessage, pathParameter } from "../../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../../services.ts";
import { choiceFilter, pageFilters, pageOf, textFilter } from "../list-filters.ts";
import { sendEnqueued } from "./webhook.ts";

const deliveryParameters = Type.Object({
  delivery_id: pathParameter("The delivery's id.", "019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"),
});

const listSchema = operation({
  id: "listDeliveries",
  tag: "Webhooks",
  summary: "List webhook deliveries",
  description:
    "The delivery log of the key's own mode: one entry per attempt, newest first. Without filters any page is equally quick; filtered lists can be paged through their first 100,000 entries.",
  querystring: Type.Object({
    status: choiceFilter(["success", "failed"], "INVALID_STATUS"),
    event: choiceFilter(eventNames, "VALIDATION_ERROR"),
    reference: textFilter("Of the transaction or bulk order.", "order-data-1"),
    delivery_id: textFilter("Of one delivery.", "019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"),
    endpoint_id: textFilter("Of one endpoint.", "whe_hx2"),
    max_id: Type.Optional(
      integerField({
        minimum: 1,
        maximum: 999_999_999_999_999,
        description:
          "Only attempts up to this one. Take the first page's first id along, and the pages don't move while new attempts come in.",
        examples: [1_000],
      }),
    ),
    ...pageFilters,
  }),
  responses: { 200: deliveryLog },
});

const getSchema = operation({
  id: "getDelivery",
  tag: "Webhooks",
  summary: "Read a delivery",
  description: "What became of one event on its way to one endpoint, with its attempts. Of the key's own mode.",
  params: deliveryParameters,
  responses: { 200: deliverySchema },
  problems: ["DELIVERY_NOT_FOUND"],
});

const resendSchema = operation({
  id: "resendDelivery",
  tag: "Webhooks",
  summary: "Resend a delivery",
  description:
    "Owes the event one more attempt, at once, with the same `delivery_id` and body, to the present URL. Refused while an attempt is due or under way, while the webhook is removed or switched off, and once the body is not kept any more.",
  params: deliveryParameters,
  responses: { 202: enqueuedDelivery },
  problems: ["DELIVERY_NOT_FOUND", "DELIVERY_NOT_RESENDABLE"],
});

const recoverSchema = operation({
  id: "recoverDeliveries",
  tag: "Webhooks",
  summary: "Resend all that failed since a time",
  description:
    "Owes every event that happened since then and was never delivered one more attempt, at once, with the same `delivery_id` and body, to the present URL: those whose attempts are over, that were dropped while the webhook was off, and that wait for their next attempt. In turn with your new events; what fails again goes on with what is left of its schedule. Of the key's own mode, without test events. Refused while the webhook is removed or switched off.",
  body: Type.Object({
    endpoint_id: Type.Optional({
      ...endpointName,
      description: "Only what goes to this endpoint; to all unless told.",
    }),
    since: Type.String({
      maxLength: 40,
      description: "ISO 8601 with an offset, or YYYY-MM-DD: events that happened then or later.",
      examples: ["2026-11-20T14:03:09+01:00"],
      "x-problem": { maxLength: "INVALID_DATE", type: "INVALID_DATE" },
      "x-message": instantMessage,
    }),
  }),
  examples: { "Since a time": { since: "2026-11-20T14:03:09+01:00" } },
  responses: { 202: recovery },
  problems: ["DELIVERY_NOT_RESENDABLE", "ENDPOINT_NOT_FOUND"],
});

/** Stand in for a name that nothing has: no delivery and no endpoint has these ids. */
const noDeliveryId = "00000000-0000-0000-0000-000000000000" as DeliveryId;
const noEndpoint = 0;

/** The log of webhook deliveries, and another attempt of one or of all that failed. */
export function webhookDeliveryRoutes(app: TypedServer, services: RouteServices): void {
  const { database, wallTime } = services;
  const reads = forReaders(database);

  app.get("/webhook/deliveries", { schema: listSchema }, async (request) => {
    const { query } = request;
    const wallet = walletOf(request);
    const filter = {
      successful: query.status === undefined ? null : query.status === "success",
      event: query.event ?? null,
      reference: query.reference ?? null,
      deliveryId: query.delivery_id === undefined ? null : (parseDeliveryId(query.delivery_id) ?? noDeliveryId),
      endpointNumber:
        query.endpoint_id === undefined ? null : (parseEndpointId(query.endpoint_id, wallet) ?? noEndpoint),
      maxId: query.max_id === undefined ? null : BigInt(query.max_id),
    };
    const { attempts, meta } = await listLog(reads, wallet, filter, pageOf(query));
    return { deliveries: attempts.map((attempt) => deliveryRecord(attempt, wallet, services)), meta };
  });

  app.get("/webhook/deliveries/:delivery_id", { schema: getSchema }, async (request) => {
    const wallet = walletOf(request);
    const state = await readDelivery(reads, wallet, deliveryIdOf(request.params));
    return deliveryObject(state, wallet, services);
  });

  app.post("/webhook/deliveries/:delivery_id/resend", { schema: resendSchema }, async (request, reply) => {
    const id = deliveryIdOf(request.params);
    await resend(database, walletOf(request), id);
    services.webhooks.wake();
    return sendEnqueued(reply, { delivery_id: id });
  });

  app.post("/webhook/recover", { schema: recoverSchema }, async (request, reply) => {
    const { since: text, endpoint_id: endpointId } = request.body;
    const since = parseInstant(text, wallTime, "start");
    if (since === null) throw refuseField("INVALID_DATE", "since", instantMessage);
    const wallet = walletOf(request);
    const endpoint = endpointId === undefined ? null : await endpointNamed(database, wallet, endpointId);
    const endpointNumber = endpoint?.endpointNumber ?? null;
    services.webhooks.limitRecovery(wallet);
    const { recovered, nextSince } = await recoverSince(database, wallet, { since, endpointNumber });
    services.webhooks.wake();
    return sendEnqueued(reply, { recovered, next_since: nextSince === null ? null : wallTime.format(nextSince) });
  });
}

/** @throws Refusal DELIVERY_NOT_FOUND for what is no id of a delivery */
function deliveryIdOf({ delivery_id: name }: Static<typeof deliveryParameters>): DeliveryId {
  const id = parseDeliveryId(name);
  if (id === null) throw refuse("DELIVERY_NOT_FOUND");
  return id;
}

/** An attempt as its merchant reads it. */
export function deliveryRecord(attempt: Attempt, owner: EndpointOwner, { wallTime, secretBox }: RouteServices) {
  const key = { merchantId: owner.merchantId, endpointNumber: attempt.endpointNumber };
  return {
    id: Number(attempt.id),
    event: attempt.event,
    delivery_id: attempt.deliveryId,
    endpoint_id: formatEndpointId(key),
    url: printableUrl(secretBox, key, attempt),
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
function deliveryObject(state: DeliveryState, owner: EndpointOwner, services: RouteServices) {
  const { delivery, status, nextAttemptAt, resendable } = state;
  const key = { merchantId: owner.merchantId, endpointNumber: delivery.endpointNumber };
  const attempts = state.attempts.map((attempt) => deliveryRecord(attempt, owner, services));
  return {
    delivery_id: delivery.id,
    endpoint_id: formatEndpointId(key),
    event: delivery.event,
    url: attempts[0]?.url ?? printableUrl(services.secretBox, key, delivery),
    reference: delivery.reference,
    status,
    next_attempt_at: nextAttemptAt === null ? null : services.wallTime.format(nextAttemptAt),
    resendable,
    attempts,
  };
}
