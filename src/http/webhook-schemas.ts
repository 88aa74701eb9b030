import { Type } from "typebox";
import { integerField } from "../domain/categories/fields.ts";
import { attemptErrors } from "../domain/webhooks/attempt.ts";
import { disabledReasons, notifications } from "../domain/webhooks/endpoint.ts";
import { eventNames } from "../domain/webhooks/event.ts";
import { overlapHoursMax, overlapHoursUsual } from "../domain/webhooks/settings.ts";
import { urlLengthMax } from "../domain/webhooks/url-guard.ts";
import { modes } from "../kernel/mode.ts";
import { instant, instantMessage, integer, nullable, oneOf, pageMetaSchema, referenceSchema } from "./schemas.ts";

const eventSchema = oneOf(eventNames, { description: "What happened.", "x-component": "EventName" });

const chosenEvents = Type.Array(oneOf([...eventNames, "*"]), {
  minItems: 1,
  maxItems: 20,
  description: 'Names of events, or `["*"]` for all of them.',
  examples: [["transaction.successful", "transaction.failed"]],
});

const notifySchema = oneOf(notifications, {
  description:
    "`changes`: when something that was answered as pending ends. `all`: also what was final in its own response.",
});

const enabledText = "false: nothing is sent, and what happens meanwhile is not made up for.";

/** What `PUT /webhook` takes. A field that is left out stays as it is. */
export const webhookWish = Type.Object({
  url: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: urlLengthMax,
      description:
        "A public https address on port 443 or 8443, without credentials. null removes the webhook and ends its secret. Required as long as none is set.",
      examples: ["https://example.com/webhooks/dispense"],
      "x-problem": { type: "INVALID_WEBHOOK_URL", maxLength: "INVALID_WEBHOOK_URL" },
      "x-message": `Must be null or an https address of at most ${urlLengthMax} characters.`,
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: enabledText })),
  events: Type.Optional(chosenEvents),
  notify: Type.Optional(notifySchema),
  rotate_secret: Type.Optional(
    Type.Boolean({ description: "true: make a new secret. The present one signs as well for `overlap_hours`." }),
  ),
  overlap_hours: Type.Optional(
    integerField({
      minimum: 0,
      maximum: overlapHoursMax,
      description: `With \`rotate_secret\`: for how long the present secret goes on signing beside the new one; ${overlapHoursUsual} unless told, 0 ends it at once.`,
      examples: [48],
    }),
  ),
});

const settingsFields = {
  url: nullable(
    Type.String({ maxLength: urlLengthMax, description: "As it was sent.", examples: ["https://example.com/hooks"] }),
  ),
  enabled: Type.Boolean({ description: "Whether events are sent: a URL is set and nobody switched it off." }),
  events: chosenEvents,
  notify: notifySchema,
  secret_hint: nullable(
    Type.String({ maxLength: 20, description: "The secret's last characters.", examples: ["whsec_…LIk="] }),
  ),
  previous_secret_expires_at: nullable(
    instant("Until then the secret before the last rotation signs as well.", "2026-11-21T14:03:09+01:00"),
  ),
  disabled_reason: nullable(
    oneOf(disabledReasons, {
      description:
        "Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you.",
    }),
  ),
  failing_since: nullable(instant("Every attempt since then has failed; null when the last one did not.")),
  disable_at: nullable(
    instant("A notice: it is switched off then, unless an attempt succeeds before. null without one."),
  ),
  updated_at: nullable(instant("Of the last change; null when nothing was ever set.")),
};

/** What `GET /webhook` answers. */
export const webhookSettings = Type.Object(settingsFields, {
  description: "Where events are sent to, for both modes.",
  "x-component": "WebhookSettings",
});

/** What `PUT /webhook` answers. */
export const savedWebhookSettings = Type.Object(
  {
    ...settingsFields,
    secret: Type.Optional(
      Type.String({
        pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
        maxLength: 50,
        description: "Only when it was made just now: with the first URL and on rotation. It can't be read again.",
        examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
      }),
    ),
  },
  {
    description: "The settings as saved, with the secret where it is new.",
    "x-component": "SavedWebhookSettings",
    "x-extends": webhookSettings,
  },
);

const deliveryIdSchema = Type.String({
  format: "uuid",
  maxLength: 36,
  description: "Names the event, on every attempt.",
  examples: ["019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"],
});

/** What tells of a delivery that is owed now. */
export const owedDelivery = Type.Object({ delivery_id: deliveryIdSchema }, { "x-component": "OwedDelivery" });

/** What `POST /webhook/recover` takes. */
export const recoveryWish = Type.Object({
  since: Type.String({
    maxLength: 40,
    description: "ISO 8601 with an offset, or YYYY-MM-DD: events that happened then or later.",
    examples: ["2026-11-20T14:03:09+01:00"],
    "x-problem": { maxLength: "INVALID_DATE", type: "INVALID_DATE" },
    "x-message": instantMessage,
  }),
});

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

const deliveryRecord = Type.Object(
  {
    id: integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "Counts the attempts of your mode from 1.", 42),
    event: eventSchema,
    delivery_id: deliveryIdSchema,
    url: Type.String({
      maxLength: urlLengthMax,
      description: "Where it was sent.",
      examples: ["https://example.com/"],
    }),
    attempt: integer({ minimum: 1, maximum: 2_147_483_647 }, "Counts the delivery's attempts.", 1),
    successful: Type.Boolean({ description: "Whether a 2xx came in time, whole or its first 16 KiB." }),
    http_status: nullable(integer({ minimum: 100, maximum: 999 }, "Null without a response.", 200)),
    duration_ms: integer({ minimum: 0, maximum: 2_147_483_647 }, "Milliseconds.", 87),
    error: nullable(oneOf(attemptErrors, { description: "Why there was no whole response; null when there was one." })),
    response_body: Type.String({
      maxLength: 500,
      description: "Its first 500 characters, or empty.",
      examples: ["OK"],
    }),
    payload: nullable(eventEnvelope),
    reference: nullable(referenceSchema("Of the transaction or bulk order; null for other events.", "order-data-1")),
    resendable: Type.Boolean({ description: "Whether it can be sent again now." }),
    created_at: instant("When the attempt ended."),
  },
  { description: "One attempt to deliver an event.", "x-component": "WebhookAttempt" },
);

export const deliveryLog = Type.Object({
  deliveries: Type.Array(deliveryRecord, { maxItems: 100 }),
  meta: pageMetaSchema,
});
