import {
  type Endpoint,
  firstEndpointNumber,
  formatEndpointId,
  isOn,
  tellableUrl,
} from "../../../domain/webhooks/endpoints/endpoint.ts";
import {
  type EndpointState,
  listEndpointStates,
} from "../../../domain/webhooks/endpoints/failing/endpoint-state-queries.ts";
import { disableTimeOf, nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { previousSecretEnd } from "../../../domain/webhooks/endpoints/settings.ts";
import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import type { RouteServices } from "../../services.ts";

/** Endpoints as their merchant reads them, with what waits of the key's own mode. */
export async function endpointObjects(services: RouteServices, wallet: WalletKey, endpoints: readonly Endpoint[]) {
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(services.database, wallet, numbers);
  return endpoints.map((endpoint, index) => endpointObject(services, wallet, endpoint, stateAt(states, index)));
}

/** The first endpoint; a merchant that never set one has the settings that it would start with. */
export async function firstEndpointObject(services: RouteServices, wallet: WalletKey, endpoint: Endpoint | null) {
  const [state] = await listEndpointStates(services.database, wallet, [firstEndpointNumber]);
  return endpointObject(services, wallet, endpoint, stateAt([state], 0));
}

function stateAt(states: readonly (EndpointState | undefined)[], index: number): EndpointState {
  const state = states[index];
  assert(state !== undefined, "each endpoint has a state");
  return state;
}

function endpointObject(services: RouteServices, wallet: WalletKey, endpoint: Endpoint | null, state: EndpointState) {
  const { clock, wallTime, secretBox } = services;
  const told = (instant: Instant | null) => (instant === null ? null : wallTime.format(instant));
  const endpointNumber = endpoint?.endpointNumber ?? firstEndpointNumber;
  const key = { merchantId: wallet.merchantId, endpointNumber };
  return {
    id: endpoint === null || endpoint.url === null ? null : formatEndpointId(key),
    url: endpoint === null ? null : tellableUrl(secretBox, key, endpoint),
    enabled: isOn(endpoint),
    events: endpoint?.events ?? ["*"],
    notify: endpoint?.notify ?? "changes",
    mode: endpoint?.mode ?? "both",
    description: endpoint?.description ?? null,
    secret_hint: endpoint?.secretHint ?? null,
    previous_secret_expires_at: told(endpoint === null ? null : previousSecretEnd(endpoint, clock.now())),
    disabled_reason: endpoint?.disabledReason ?? null,
    waiting: state.waiting,
    next_attempt_at: told(nextAttemptAt(state)),
    paused_until: told(state.pausedUntil),
    failing_since: told(state.failingSince),
    disable_at: told(disableTimeOf(state)),
    updated_at: told(endpoint?.updatedAt ?? null),
  };
}
