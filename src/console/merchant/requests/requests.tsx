import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId, parseApiKeyId } from "../../../domain/merchants/merchant.ts";
import { listRequests, noRequestFilter, type StatusClass } from "../../../domain/request-log/list.ts";
import { formatLogPlace, parseLogPlace, requestLogDays } from "../../../domain/request-log/logged-request.ts";
import { parseAddress } from "../../../platform/address.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter, periodFilters, textFilter } from "../../kit/list-page.tsx";
import { otherModeNames } from "../../kit/page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import type { ModeRoutes } from "../access.ts";
import { savedViews } from "../find/saved-views.tsx";
import { hintOf } from "../keys/key.tsx";
import type { MerchantServices } from "../services.ts";
import { requestPages } from "./request.tsx";
import { durationText, endpointOf, endpointText, RequestStatus } from "./request-words.tsx";

const perPage = 50;
const statusClasses: readonly StatusClass[] = ["2xx", "4xx", "5xx", "failed"];

/** What did our programs ask, and what were they answered? */
export function requestLogPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads } = services;
  list(routes, {
    at: "/requests",
    may: "read_requests",
    title: "Request log",
    async filters({ member, mode }) {
      const keys = (await listApiKeys(reads, member.merchantId)).filter((key) => key.mode === mode);
      const named = keys.map((key) => ({ value: formatApiKeyId(key.id), label: `${key.label} ${hintOf(key)}`.trim() }));
      return {
        q: findFilter("Reference, request ID, text"),
        ...periodFilters(services, (instant) => instant),
        status: choiceFilter("Status", statusClasses),
        key: choiceFilter("API key", named.toReversed(), parseApiKeyId),
        code: { ...textFilter("Code", "INSUFFICIENT_BALANCE", (text) => text.toUpperCase()), isMore: true },
        endpoint: { ...textFilter("Endpoint", "data/purchase", endpointOf), isMore: true },
        address: {
          ...textFilter("IP address", "192.0.2.7", (text) => parseAddress(text)?.toString() ?? null),
          isMore: true,
        },
      };
    },
    placeIn: parseLogPlace,
    async read({ visit, query, values: { status: statusClass, key: keyId, days, from, ...values }, before }) {
      const { wallet, mode } = visit;
      const filter = { ...noRequestFilter, ...values, from: from ?? days, statusClass, keyId };
      const { requests: rows, before: older } = await listRequests(reads, wallet, filter, { before, perPage });
      return {
        ...{ rows, older: older && formatLogPlace(older) },
        above: await savedViews(services, visit, query),
        note: `Requests with your ${mode} keys, kept for ${requestLogDays} days`,
        empty: (
          <Empty title="No requests yet" icon="log">
            Calls with your {mode} keys appear here within a second or two.
          </Empty>
        ),
        noneFits:
          older === null
            ? {
                title: "No requests match these filters",
                text: `Clear a filter, or switch to ${otherModeNames[mode]}. We keep requests for ${requestLogDays} days.`,
              }
            : { title: "No requests so far", text: "We’ve searched part of the log. Go on with Next." },
        below: older !== null && rows.length < perPage && (
          <p class="hint">
            We’ve searched back to <Moment at={older.at} style="second" />. Go on with Next.
          </p>
        ),
      };
    },
    place: formatLogPlace,
    href: (request, { visit }) => visit.to(`requests/${formatLogPlace(request)}`),
    liveId: "requests",
    caption: "Requests, newest first",
    columns: ({ when, lead, extra, status, sub }) => [
      when("Time", ({ at }) => at),
      lead("Request", ({ method, endpoint }) => `${method} ${endpointText(endpoint)}`),
      extra("Reference", ({ reference }) => reference && <span class="id">{reference}</span>),
      status("Status", (request) => <RequestStatus of={request} />),
      { title: "Took", cell: ({ durationMs }) => durationText(durationMs), place: "amount" },
      sub("From", ({ address }) => <span class="id">{address ?? "Unknown"}</span>),
    ],
  });
  requestPages(routes, services);
}
