import { Type } from "typebox";
import { urlLengthMax } from "../../domain/webhooks/endpoints/url-guard.ts";
import { eventIdPattern, eventNames } from "../../domain/webhooks/events/event.ts";
import { attemptErrors } from "../../domain/webhooks/log/attempt.ts";
import { deliveryStatuses } from "../../domain/webhooks/log/delivery-state.ts";
import { modes } from "../../kernel/mode.ts";
import { instant, integer, nullable, oneOf, pageMetaSchema, referenceSchema } from "./schemas.ts";
import { endpointIdSchema } from "./webhook-schemas.ts";

const eventSchema = oneOf(eventNames, { description: "What happened.", "x-component": "EventName" });

const deliveryIdSchema = Type.String({
  format: "uuid",
  maxLength: 36,
  description: "Names the delivery of an event to one endpoint, on every attempt.",
  examples: ["019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"],
});

/** The event's own name, the same at all endpoints and in `GET /events`. */
export const eventIdSchema = Type.String({
  pattern: eventIdPattern,
  maxLength: 40,
  description: "Names the event, the same at all endpoints and in `GET /events`.",
  examples: ["evt_0b5k3l2m9q8rks"],
});

/** In a body or a filter: what names no endpoint is not found, whatever its form. */
export const endpointName = Type.String({ maxLength: 100, examples: ["whe_hx2"] });

/** The answer that names a delivery which is now due. */
export const enqueuedDelivery = Type.Object({ delivery_id: deliveryIdSchema }, { "x-component": "OwedDelivery" });

export const recovery = Type.Object(
  {
    recovered: integer({ minimum: 0, maximum: 1_000_000 }, "Deliveries that are due again.", 42),
    next_since: nullable(
      instant("Send it as `since` to go on: one request sends some 10,000 again. null: that was all."),
    ),
  },
  { "x-component": "WebhookRecovery" },
);

/** A webhook's body, whatever its event. */
export const eventEnvelope = Type.Object(
  {
    event: eventSchema,
    mode: oneOf(modes, { description: "`test` for what happened in the sandbox." }),
    delivery_id: deliveryIdSchema,
    event_id: eventIdSchema,
    sent_at: instant("When the event happened. The body never changes, whenever it is sent again."),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        maxProperties: 100,
        description: "The event's own. In sandbox, `sandbox` is true.",
      },
    ),
  },
  { description: "The body of a webhook.", "x-component": "WebhookEvent" },
);

const subjectReference = nullable(
  referenceSchema("Of the transaction or bulk order; null for other events.", "order-data-1"),
);
const resendable = Type.Boolean({ description: "Whether it can be sent again now." });

const deliveryRecord = Type.Object(
  {
    id: integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "Counts the attempts of your mode from 1.", 42),
    event: eventSchema,
    delivery_id: deliveryIdSchema,
    endpoint_id: endpointIdSchema,
    url: Type.String({
      maxLength: urlLengthMax,
      description: "Where it was sent; without its query where the endpoint has another URL by now.",
      examples: ["https://example.com/"],
    }),
    attempt: integer({ minimum: 1, maximum: 2_147_483_647 }, "Counts the delivery's attempts.", 1),
    successful: Type.Boolean({ description: "Whether a 2xx came in time, whole or its first 16 KiB." }),
    http_status: nullable(integer({ minimum: 100, maximum: 999 }, "Null without a response.", 200)),
    duration_ms: integer({ minimum: 0, maximum: 2_147_483_647 }, "Milliseconds.", 87),
    error: nullable(oneOf(attemptErrors, { description: "Why there was no whole response; null when there was one." })),
    error_detail: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "More of why, in words for people, as far as it is known: programs go by `error`.",
        examples: ["the certificate has expired"],
      }),
    ),
    response_body: Type.String({
      maxLength: 500,
      description: "Its first 500 characters, or empty.",
      examples: ["OK"],
    }),
    payload: nullable(eventEnvelope),
    reference: subjectReference,
    resendable,
    created_at: instant("When the attempt ended."),
  },
  { description: "One attempt to deliver an event.", "x-component": "WebhookAttempt" },
);

export const deliveryLog = Type.Object({
  deliveries: Type.Array(deliveryRecord, { maxItems: 100 }),
  meta: pageMetaSchema,
});

/** What `GET /webhook/deliveries/{delivery_id}` answers. */
export const deliverySchema = Type.Object(
  {
    delivery_id: deliveryIdSchema,
    endpoint_id: endpointIdSchema,
    event: eventSchema,
    url: nullable(
      Type.String({
        maxLength: urlLengthMax,
        description:
          "Where the last attempt was sent, or else where the first will be; null once the endpoint is gone.",
        examples: ["https://example.com/"],
      }),
    ),
    reference: subjectReference,
    status: oneOf(deliveryStatuses, {
      description:
        "`waiting`: an attempt is owed or under way. `delivered`: one was successful. `exhausted`: all of the schedule's failed. `dropped`: its endpoint was removed, switched off or turned to the other mode before.",
      "x-component": "DeliveryStatus",
    }),
    next_attempt_at: nullable(instant("When the next attempt is due; null when none is owed.")),
    resendable,
    attempts: Type.Array(deliveryRecord, { maxItems: 100, description: "The newest first." }),
  },
  { description: "One event on its way to one endpoint.", "x-component": "WebhookDelivery" },
);
