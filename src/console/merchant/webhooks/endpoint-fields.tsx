import {
  type Endpoint,
  type EndpointMode,
  endpointModes,
  formatEndpointId,
  isOn,
  isOnFor,
  type Notify,
  notifications,
  printableUrl,
} from "../../../domain/webhooks/endpoints/endpoint.ts";
import {
  type EndpointState,
  listEndpointStates,
  waitingMax,
} from "../../../domain/webhooks/endpoints/failing/failing-queries.ts";
import type { SettingsChange } from "../../../domain/webhooks/endpoints/settings.ts";
import { urlLengthMax } from "../../../domain/webhooks/endpoints/url-guard.ts";
import { type EventName, eventNames } from "../../../domain/webhooks/events/event.ts";
import { assert } from "../../../kernel/assert.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { refuse } from "../../../kernel/problems.ts";
import { hasUnseenLetters } from "../../../kernel/typed-text.ts";
import type { Form, Typed } from "../../kit/form.ts";
import { CheckField, RadioField, SelectField, TextField } from "../../kit/parts/fields.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

const descriptionMax = 200;

export const eventMeaning: Readonly<Record<EventName, string>> = {
  "transaction.successful": "a sale was delivered",
  "transaction.failed": "a sale failed and was refunded",
  "bulk.completed": "a bulk order is done",
  "wallet.funded": "a bank transfer came into your wallet",
  "wallet.low_balance": "your balance fell below your alert",
  "catalogue.updated": "products or prices changed",
  "webhook.test": "you sent a test",
};

/** The change that a form asks for. @throws Refusal VALIDATION_ERROR, each fault at its field */
export function changeIn(form: Form): SettingsChange & { readonly url: string } {
  const [url, description] = [form.text("url"), form.text("description")];
  const mode = endpointModes.find((each) => each === form.text("mode"));
  const notify = notifications.find((each) => each === form.text("notify"));
  const ticked = eventNames.filter((event) => form.has(fieldOf(event)));
  const events = form.text("which") === "all" ? (["*"] as const) : ticked;
  const errors: Record<string, string[]> = {};
  if (url === "") errors.url = ["Enter your server’s address: https://…"];
  if (mode === undefined) errors.mode = ["Choose a mode."];
  if (notify === undefined) errors.notify = ["Choose which results to send."];
  if (events.length === 0) errors.which = ["Choose at least one event, or all events."];
  if (description.length > descriptionMax || hasUnseenLetters(description)) {
    errors.description = [`Use up to ${descriptionMax} characters, on one line.`];
  }
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors });
  const settings = { url, mode: mode as EndpointMode, notify: notify as Notify, events };
  return { ...noChange, ...settings, description: description === "" ? null : description };
}

/** What a change of the switch alone, or a rotation alone, begins with. */
export const noChange: SettingsChange = {
  enabled: undefined,
  rotateSecret: false,
  overlapHours: undefined,
  url: undefined,
  events: undefined,
  notify: undefined,
  mode: undefined,
  description: undefined,
};

/** What an endpoint has where nothing was typed. */
export interface StoredSettings extends Pick<Endpoint, "description" | "mode" | "notify" | "events"> {
  readonly url: string;
}

export const usualSettings: StoredSettings = {
  url: "",
  description: null,
  mode: "both",
  notify: "changes",
  events: ["*"],
};

export function EndpointFields({ stored, typed }: { readonly stored: StoredSettings; readonly typed: Typed }) {
  const isAll = stored.events.includes("*");
  const isTicked = (event: EventName) =>
    typed.form.has("url") ? typed.form.has(fieldOf(event)) : !isAll && stored.events.includes(event);
  return (
    <>
      <TextField
        {...typed.field("url", stored.url)}
        label="URL"
        type="url"
        hint="A public https address, port 443 or 8443"
        placeholder="https://shop.example/webhooks"
        lengthMax={urlLengthMax}
        isCode
      />
      <TextField
        {...typed.field("description", stored.description ?? "")}
        label="Name"
        lengthMax={descriptionMax}
        isRequired={false}
      />
      <SelectField
        {...typed.field("mode", stored.mode)}
        label="Mode"
        choices={endpointModes.map((value) => ({ value, label: modeText[value] }))}
      />
      <RadioField
        {...typed.field("notify", stored.notify)}
        label="Which results to send"
        choices={[
          {
            value: "changes",
            label: "Only results that come after the answer",
            hint: "When a sale that was pending is delivered or fails",
          },
          { value: "all", label: "All results", hint: "Also those that your request was answered with" },
        ]}
      />
      <RadioField
        {...typed.field("which", isAll ? "all" : "chosen")}
        label="Events"
        choices={[
          { value: "all", label: "All events, including new ones" },
          { value: "chosen", label: "Only these" },
        ]}
      />
      <div class="checks">
        {eventNames.map((event) => (
          <CheckField
            key={event}
            name={fieldOf(event)}
            label={`${event}: ${eventMeaning[event]}`}
            isChecked={isTicked(event)}
          />
        ))}
      </div>
    </>
  );
}

export const modeText = { both: "Live and test", live: "Live only", test: "Test only" } as const;

function fieldOf(event: EventName): string {
  return `event_${event}`;
}

/** What a person may change of an endpoint, in one line. */
export function settingsText({ url, endpoint: { description, mode, notify, events } }: SeenEndpoint): string {
  const results = notify === "all" ? "all results" : "results after the answer";
  const names = events.includes("*") ? "all events" : events.join(", ");
  return [url, description, modeText[mode], results, names].filter((part) => part !== null).join("; ");
}

/** An endpoint with its state in one mode, as pages show it. */
export interface SeenEndpoint {
  readonly id: string;
  readonly url: string;
  readonly endpoint: Endpoint;
  readonly state: EndpointState;
}

/** An endpoint's URL as the visit may read it: what stands behind its question mark may be a secret, and is no viewer's. */
export function urlFor(
  { webhooks }: Pick<MerchantServices, "webhooks">,
  { wallet: { merchantId }, viewedUntil }: ModeVisit,
  endpoint: Pick<Endpoint, "endpointNumber" | "url" | "urlQuery">,
): string | null {
  const key = { merchantId, endpointNumber: endpoint.endpointNumber };
  return viewedUntil === null ? printableUrl(webhooks.secretBox, key, endpoint) : endpoint.url;
}

/** Endpoints that are set, as pages show them. */
export async function seeEndpoints(
  services: Pick<MerchantServices, "database" | "webhooks">,
  visit: ModeVisit,
  endpoints: readonly Endpoint[],
): Promise<SeenEndpoint[]> {
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(services.database, visit.wallet, numbers);
  return endpoints.map((endpoint, at) => {
    const { merchantId } = visit.wallet;
    const id = formatEndpointId({ merchantId, endpointNumber: endpoint.endpointNumber });
    const state = states[at];
    assert(state !== undefined, "each endpoint has a state");
    return { id, url: urlFor(services, visit, endpoint) ?? "", endpoint, state };
  });
}

/** One word for how it is with an endpoint in this mode; the page of the endpoint says more. */
export function EndpointStatus({ seen, mode }: { readonly seen: SeenEndpoint; readonly mode: Mode }) {
  const { endpoint, state } = seen;
  if (!isOn(endpoint)) {
    return endpoint.disabledReason === "merchant" ? (
      <Status kind="quiet">Off</Status>
    ) : (
      <Status kind="stop">Turned off</Status>
    );
  }
  if (!isOnFor(mode, endpoint)) return <Status kind="quiet">{modeText[endpoint.mode]}</Status>;
  if (state.pausedUntil !== null) return <Status>Paused</Status>;
  return state.failingSince === null ? <Status kind="good">On</Status> : <Status kind="bad">Failing</Status>;
}

/** Why nothing is sent to an endpoint, and what to do; null where it is sent. */
export function whyOff({ endpoint }: SeenEndpoint, mode: Mode): string | null {
  switch (endpoint.disabledReason) {
    case "merchant":
      return "Turned off. Events are not sent or kept while it’s off.";
    case "gone":
      return "Your server answered 410 Gone, so we turned it off. Set the right URL, then turn it on.";
    case "failing":
      return "It failed for days, so we turned it off. Fix your server, then turn it on.";
    case null:
      return isOnFor(mode, endpoint) ? null : `It gets ${endpoint.mode} events only. Change the mode under Settings.`;
  }
}

export function waitingText({ waiting }: EndpointState): string {
  return waiting >= waitingMax ? `${grouped(waitingMax)} or more` : grouped(waiting);
}
