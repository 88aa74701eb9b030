import {
  type Endpoint,
  type EndpointMode,
  endpointModes,
  type Notify,
  notifications,
} from "../../../domain/webhooks/endpoints/endpoint.ts";
import type { SettingsChange } from "../../../domain/webhooks/endpoints/settings.ts";
import { urlLengthMax } from "../../../domain/webhooks/endpoints/url-guard.ts";
import { type EventName, eventNames } from "../../../domain/webhooks/events/event.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { hasUnseenLetters } from "../../../kernel/typed-text.ts";
import type { Form } from "../../form.ts";
import { CheckField, RadioField, SelectField } from "../../parts/choice-field.tsx";
import { TextField } from "../../parts/field.tsx";
import { modeText } from "./endpoint-view.tsx";

const descriptionMax = 200;

export const eventMeaning: Readonly<Record<EventName, string>> = {
  "transaction.successful": "a purchase succeeded",
  "transaction.failed": "a purchase failed and was refunded",
  "bulk.completed": "the last line of a bulk order ended",
  "wallet.low_balance": "the wallet fell below your threshold",
  "catalogue.updated": "products or prices changed",
  "webhook.test": "you asked for a test",
};

/** Fields of a form that hold the settings of an endpoint, as they are stored or as they were typed. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  readonly mode: string;
  readonly notify: string;
  readonly which: string;
  readonly events: readonly string[];
}

export const newEndpointValues: EndpointValues = {
  url: "",
  description: "",
  mode: "both",
  notify: "changes",
  which: "all",
  events: [],
};

export function storedValues(endpoint: Endpoint, url: string): EndpointValues {
  const isAll = endpoint.events.includes("*");
  return {
    url,
    description: endpoint.description ?? "",
    mode: endpoint.mode,
    notify: endpoint.notify,
    which: isAll ? "all" : "chosen",
    events: isAll ? [] : endpoint.events,
  };
}

export function typedValues(form: Form): EndpointValues {
  const [url, description, mode, notify] = ["url", "description", "mode", "notify"].map((name) => form.text(name));
  return {
    ...{ url: url ?? "", description: description ?? "", mode: mode ?? "", notify: notify ?? "" },
    which: form.text("which"),
    events: eventNames.filter((event) => form.has(fieldOf(event))),
  };
}

/** The change that a form asks for. @throws Refusal VALIDATION_ERROR, each fault at its field */
export function changeIn(form: Form): SettingsChange & { readonly url: string } {
  const typed = typedValues(form);
  const mode = endpointModes.find((each) => each === typed.mode);
  const notify = notifications.find((each) => each === typed.notify);
  const events = typed.which === "all" ? (["*"] as const) : (typed.events as readonly EventName[]);
  const errors: Record<string, string[]> = {};
  if (typed.url === "") errors.url = ["Type the address of your server: https://…"];
  if (mode === undefined) errors.mode = ["Choose a mode."];
  if (notify === undefined) errors.notify = ["Choose what it is told."];
  if (events.length === 0) errors.which = ["Choose one event at least, or all of them."];
  if (typed.description.length > descriptionMax || hasUnseenLetters(typed.description)) {
    errors.description = [`Must be at most ${descriptionMax} characters, on one line.`];
  }
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors });
  const description = typed.description === "" ? null : typed.description;
  return { ...nothingElse, url: typed.url, mode: mode as EndpointMode, notify: notify as Notify, events, description };
}

const nothingElse = { enabled: undefined, rotateSecret: false, overlapHours: undefined } as const;

/** A change of the switch alone, or a rotation alone. */
export const noChange: SettingsChange = {
  ...nothingElse,
  url: undefined,
  events: undefined,
  notify: undefined,
  mode: undefined,
  description: undefined,
};

export function EndpointFields({
  values,
  refusal,
}: {
  readonly values: EndpointValues;
  readonly refusal: Refusal | null;
}) {
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  return (
    <>
      <TextField
        name="url"
        label="URL"
        type="url"
        hint="A public https address on port 443 or 8443."
        placeholder="https://shop.example/webhooks"
        lengthMax={urlLengthMax}
        value={values.url}
        error={error("url")}
        isCode
      />
      <TextField
        name="description"
        label="Your own words for it"
        lengthMax={descriptionMax}
        value={values.description}
        error={error("description")}
        isRequired={false}
      />
      <SelectField
        name="mode"
        label="Mode"
        choices={endpointModes.map((value) => ({ value, label: modeText[value] }))}
        value={values.mode}
        error={error("mode")}
      />
      <RadioField
        name="notify"
        label="Which ends of purchases it is told"
        choices={[
          {
            value: "changes",
            label: "Those that come later",
            hint: "When a purchase that was answered as pending ends.",
          },
          { value: "all", label: "Every end", hint: "Also what was final in the answer to the purchase itself." },
        ]}
        value={values.notify}
        error={error("notify")}
      />
      <RadioField
        name="which"
        label="Events"
        choices={[
          { value: "all", label: "All, and those that are added later" },
          { value: "chosen", label: "Only those ticked here" },
        ]}
        value={values.which}
        error={error("which")}
      />
      <div class="checks">
        {eventNames.map((event) => (
          <CheckField
            key={event}
            name={fieldOf(event)}
            label={`${event}: ${eventMeaning[event]}`}
            isChecked={values.events.includes(event)}
          />
        ))}
      </div>
    </>
  );
}

function fieldOf(event: EventName): string {
  return `event_${event}`;
}
