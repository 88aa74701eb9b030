import { Type } from "typebox";
import { integerField } from "../../categories/fields.ts";
import {
  disabledReasons,
  endpointIdPattern,
  endpointModes,
  endpointsMax,
  notifications,
} from "../../domain/webhooks/endpoints/endpoint.ts";
import { waitingMax } from "../../domain/webhooks/endpoints/failing/failing-queries.ts";
import { overlapHoursMax, overlapHoursUsual } from "../../domain/webhooks/endpoints/settings.ts";
import { urlLengthMax } from "../../domain/webhooks/endpoints/url-guard.ts";
import { eventNames } from "../../domain/webhooks/events/event.ts";
import { unseenLetters } from "../../kernel/typed-text.ts";
import { instant, integer, nullable, oneOf, pathParameter } from "./schemas.ts";

const endpointIdExample = "whe_hx2";

/** The name of an endpoint. */
export const endpointIdSchema = Type.String({
  pattern: endpointIdPattern,
  maxLength: 30,
  description: "Names the endpoint.",
  examples: [endpointIdExample],
});

/** An endpoint's name in a path. */
export const endpointParameter = Type.Object({ id: pathParameter("The endpoint's id.", endpointIdExample) });

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

const urlText = "A public https address on port 443 or 8443, without credentials.";
const urlProblems = {
  examples: ["https://example.com/webhooks/dispense"],
  "x-problem": { type: "INVALID_WEBHOOK_URL", maxLength: "INVALID_WEBHOOK_URL" },
};

const choiceFields = {
  enabled: Type.Optional(Type.Boolean({ description: enabledText })),
  events: Type.Optional(chosenEvents),
  notify: Type.Optional(notifySchema),
};

const rotationFields = {
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
};

/** What `PUT /webhook` takes. A field that is left out stays as it is. */
export const webhookRequest = Type.Object({
  url: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: urlLengthMax,
      description: `${urlText} null removes the webhook and ends its secret. Required as long as none is set.`,
      ...urlProblems,
      "x-message": `Must be null or an https address of at most ${urlLengthMax} characters.`,
    }),
  ),
  ...choiceFields,
  ...rotationFields,
});

const endpointUrl = Type.String({
  maxLength: urlLengthMax,
  description: urlText,
  ...urlProblems,
  "x-message": `Must be an https address of at most ${urlLengthMax} characters.`,
});

const modeSchema = oneOf(endpointModes, { description: "Of which mode it hears; `both` unless told." });

const endpointChoiceFields = {
  ...choiceFields,
  mode: Type.Optional(modeSchema),
  description: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      pattern: `^[^${unseenLetters}]*$`,
      maxLength: 200,
      description: "Your own words for it.",
      examples: ["Shop in Ikeja"],
    }),
  ),
};

/** What `POST /webhook/endpoints` takes. */
export const newEndpointRequest = Type.Object({ url: endpointUrl, ...endpointChoiceFields });

/** What `PUT /webhook/endpoints/{id}` takes. A field that is left out stays as it is. */
export const endpointRequest = Type.Object({
  url: Type.Optional(endpointUrl),
  ...endpointChoiceFields,
  ...rotationFields,
});

const urlSchema = Type.String({
  maxLength: urlLengthMax,
  description: "As it was sent.",
  examples: ["https://example.com/hooks"],
});

const settingsFields = {
  id: nullable({ ...endpointIdSchema, description: "The endpoint's name; null when no URL is set." }),
  url: nullable(urlSchema),
  enabled: Type.Boolean({ description: "Whether events are sent: a URL is set and nobody switched it off." }),
  events: chosenEvents,
  notify: notifySchema,
  mode: modeSchema,
  description: nullable(
    Type.String({ maxLength: 200, description: "Your own words for it.", examples: ["Shop in Ikeja"] }),
  ),
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
  waiting: integer(
    { minimum: 0, maximum: waitingMax },
    `Deliveries of your key's mode that are owed an attempt, now or later; ${waitingMax} where there are more.`,
    0,
  ),
  next_attempt_at: nullable(
    instant("When the first of those that wait is due; in the past while it is under way. null when none waits."),
  ),
  paused_until: nullable(
    instant(
      "After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none.",
    ),
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

const secretFields = {
  secret: Type.Optional(
    Type.String({
      pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
      maxLength: 50,
      description: "Only when it was made just now: with the first URL and on rotation. It can't be read again.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    }),
  ),
};

/** What `PUT /webhook` answers. */
export const savedWebhookSettings = Type.Object(
  { ...settingsFields, ...secretFields },
  {
    description: "The settings as saved, with the secret where it is new.",
    "x-component": "SavedWebhookSettings",
    "x-extends": webhookSettings,
  },
);

/** An endpoint that is set: its id and URL are there. */
const endpointFields = {
  ...settingsFields,
  id: endpointIdSchema,
  url: urlSchema,
};

/** What `GET /webhook/endpoints/{id}` answers. */
export const endpointSchema = Type.Object(endpointFields, {
  description: "One of the places that events are sent to.",
  "x-component": "WebhookEndpoint",
});

export const savedEndpoint = Type.Object(
  { ...endpointFields, ...secretFields },
  {
    description: "The endpoint as saved, with the secret where it is new.",
    "x-component": "SavedWebhookEndpoint",
    "x-extends": endpointSchema,
  },
);

export const endpointList = Type.Object({ endpoints: Type.Array(endpointSchema, { maxItems: endpointsMax }) });

export const removedEndpoint = Type.Object({
  deleted: Type.Literal(true),
  id: endpointIdSchema,
});
