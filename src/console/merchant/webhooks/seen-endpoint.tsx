import {
  type Endpoint,
  formatEndpointId,
  isOn,
  isOnFor,
  printableUrl,
} from "../../../domain/webhooks/endpoints/endpoint.ts";
import {
  type EndpointState,
  listEndpointStates,
  waitingMax,
} from "../../../domain/webhooks/endpoints/failing/endpoint-state-queries.ts";
import { assert } from "../../../kernel/assert.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { grouped, Status } from "../../kit/parts/text.tsx";
import type { MerchantServices } from "../services.ts";

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
