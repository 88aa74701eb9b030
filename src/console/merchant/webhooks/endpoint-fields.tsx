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
import type { WalletKey } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { refuse } from "../../../kernel/problems.ts";
import { hasUnseenLetters } from "../../../kernel/typed-text.ts";
import type { Form, Typed } from "../../kit/form.ts";
import { CheckField, RadioField, SelectField, TextField } from "../../kit/parts/fields.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import type { MerchantServices } from "../services.ts";

const descriptionMax = 200;

export const eventMeaning: Readonly<Record<EventName, string>> = {
  "transaction.successful": "a purchase succeeded",
  "transaction.failed": "a purchase failed and was refunded",
  "bulk.completed": "the last line of a bulk order ended",
  "wallet.low_balance": "the wallet fell below your threshold",
  "catalogue.updated": "products or prices changed",
  "webhook.test": "you asked for a test",
};

/** The change that a form asks for. @throws Refusal VALIDATION_ERROR, each fault at its field */
export function changeIn(form: Form): SettingsChange & { readonly url: string } {
  const [url, description] = [form.text("url"), form.text("description")];
  const mode = endpointModes.find((each) => each === form.text("mode"));
  const notify = notifications.find((each) => each === form.text("notify"));
  const ticked = eventNames.filter((event) => form.has(fieldOf(event)));
  const events = form.text("which") === "all" ? (["*"] as const) : ticked;
  const errors: Record<string, string[]> = {};
  if (url === "") errors.url = ["Type the address of your server: https://…"];
  if (mode === undefined) errors.mode = ["Choose a mode."];
  if (notify === undefined) errors.notify = ["Choose what it is told."];
  if (events.length === 0) errors.which = ["Choose one event at least, or all of them."];
  if (description.length > descriptionMax || hasUnseenLetters(description)) {
    errors.description = [`Must be at most ${descriptionMax} characters, on one line.`];
  }
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors });
  const settings = { url, mode: mode as EndpointMode, notify: notify as Notify, events };
  return { ...nothingElse, ...settings, description: description === "" ? null : description };
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
        hint="A public https address on port 443 or 8443."
        placeholder="https://shop.example/webhooks"
        lengthMax={urlLengthMax}
        isCode
      />
      <TextField
        {...typed.field("description", stored.description ?? "")}
        label="Your own words for it"
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
        label="Which ends of purchases it is told"
        choices={[
          {
            value: "changes",
            label: "Those that come later",
            hint: "When a purchase that was answered as pending ends.",
          },
          { value: "all", label: "Every end", hint: "Also what was final in the answer to the purchase itself." },
        ]}
      />
      <RadioField
        {...typed.field("which", isAll ? "all" : "chosen")}
        label="Events"
        choices={[
          { value: "all", label: "All, and those that are added later" },
          { value: "chosen", label: "Only those ticked here" },
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

const modeText = { both: "live and test", live: "live alone", test: "test alone" } as const;

function fieldOf(event: EventName): string {
  return `event_${event}`;
}

/** An endpoint with its state in one mode, as pages show it. */
export interface SeenEndpoint {
  readonly id: string;
  readonly url: string;
  readonly endpoint: Endpoint;
  readonly state: EndpointState;
}

/** Endpoints that are set, as pages show them. */
export async function seeEndpoints(
  { database, webhooks }: Pick<MerchantServices, "database" | "webhooks">,
  wallet: WalletKey,
  endpoints: readonly Endpoint[],
): Promise<SeenEndpoint[]> {
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(database, wallet, numbers);
  return endpoints.map((endpoint, at) => {
    const key = { merchantId: wallet.merchantId, endpointNumber: endpoint.endpointNumber };
    const state = states[at];
    assert(state !== undefined, "each endpoint has a state");
    return { id: formatEndpointId(key), url: printableUrl(webhooks.secretBox, key, endpoint) ?? "", endpoint, state };
  });
}

/** One word for how it is with an endpoint in this mode; the page of the endpoint says more. */
export function EndpointStatus({ seen, mode }: { readonly seen: SeenEndpoint; readonly mode: Mode }) {
  const { endpoint, state } = seen;
  if (!isOn(endpoint)) {
    return endpoint.disabledReason === "merchant" ? <Status>off</Status> : <Status>disabled</Status>;
  }
  if (!isOnFor(mode, endpoint)) return <Status kind="quiet">{`hears of ${endpoint.mode} alone`}</Status>;
  if (state.pausedUntil !== null) return <Status>paused</Status>;
  return state.failingSince === null ? <Status>enabled</Status> : <Status kind="bad">failing</Status>;
}

/** Why nothing is sent to an endpoint, and what to do; null where it is sent. */
export function whyOff({ endpoint }: SeenEndpoint, mode: Mode): string | null {
  switch (endpoint.disabledReason) {
    case "merchant":
      return "It was switched off here or by the API. Nothing is sent, and what happens meanwhile is not made up for.";
    case "gone":
      return "Your receiver answered 410 Gone, which asks for nothing more. Set the right URL, or switch it on again.";
    case "failing":
      return "It failed for days without one success, so it was switched off. Mend your receiver, then switch it on.";
    case null:
      return isOnFor(mode, endpoint) ? null : `It hears of ${endpoint.mode} mode alone: change that under Settings.`;
  }
}

export function waitingText({ waiting }: EndpointState): string {
  return waiting >= waitingMax ? `${grouped(waitingMax)} or more` : grouped(waiting);
}
