import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId, parseApiKeyId } from "../../../domain/merchants/merchant.ts";
import { listRequests, noRequestFilter, type StatusClass } from "../../../domain/request-log/list.ts";
import { formatLogPlace, parseLogPlace, requestLogDays } from "../../../domain/request-log/logged-request.ts";
import { parseAddress } from "../../../platform/address.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, periodFilters, readList, textFilter } from "../../kit/list-page.tsx";
import { otherModeNames } from "../../kit/page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { savedViews } from "../find/saved-views.tsx";
import { hintOf } from "../keys/key.tsx";
import type { MerchantServices } from "../services.ts";
import { requestPages } from "./request.tsx";
import { durationText, endpointOf, endpointText, RequestStatus } from "./request-words.tsx";

const rowsPerPage = 50;
const statusClasses: readonly StatusClass[] = ["2xx", "4xx", "5xx", "failed"];

/** What did our programs ask, and what were they answered? */
export function requestLogPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/requests", { capability: "read_requests", show: (visit) => requestLogPage(services, visit) });
  requestPages(routes, services);
}

async function requestLogPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { reads, wallTime, clock } = services;
  const { wallet, mode } = visit;
  const keys = (await listApiKeys(reads, visit.member.merchantId)).filter((key) => key.mode === mode);
  const named = keys.map((key) => ({ value: formatApiKeyId(key.id), label: `${key.label} ${hintOf(key)}`.trim() }));
  const query = readList(visit, visit.to("requests"), {
    q: findFilter("Reference, request ID, text"),
    ...periodFilters({ wallTime, clock }, (instant) => instant),
    status: choiceFilter("Status", statusClasses),
    key: choiceFilter("API key", named.toReversed(), parseApiKeyId),
    code: { ...textFilter("Code", "INSUFFICIENT_BALANCE", (text) => text.toUpperCase()), isMore: true },
    endpoint: { ...textFilter("Endpoint", "data/purchase", endpointOf), isMore: true },
    address: {
      ...textFilter("IP address", "192.0.2.7", (text) => parseAddress(text)?.toString() ?? null),
      isMore: true,
    },
  });
  const { status: statusClass, key: keyId, days, from, ...values } = query.values;
  const before = parseLogPlace(visit.query.get("before") ?? "");
  const filter = { ...noRequestFilter, ...values, from: from ?? days, statusClass, keyId };
  const found = await listRequests(reads, wallet, filter, { before, perPage: rowsPerPage });
  const isFirst = before === null;
  const { before: older } = found;
  const isShort = older !== null && found.requests.length < rowsPerPage;
  return listPage(query, {
    above: await savedViews(services, visit, query),
    title: "Request log",
    note: `Requests with your ${mode} keys, kept for ${requestLogDays} days`,
    liveId: "requests",
    isLive: isFirst,
    caption: "Requests, newest first",
    rows: found.requests,
    href: (request) => visit.to(`requests/${formatLogPlace(request)}`),
    columns: [
      { title: "Time", cell: ({ at }) => <Moment at={at} style="list" />, place: "sub" },
      { title: "Request", cell: ({ method, endpoint }) => `${method} ${endpointText(endpoint)}`, place: "lead" },
      {
        title: "Reference",
        cell: ({ reference }) => reference && <span class="id">{reference}</span>,
        place: "sub",
        isExtra: true,
      },
      { title: "Status", cell: (request) => <RequestStatus of={request} />, place: "state" },
      { title: "Took", cell: ({ durationMs }) => durationText(durationMs), place: "amount" },
      { title: "From", cell: ({ address }) => <span class="id">{address ?? "Unknown"}</span>, place: "sub" },
    ],
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
    older: older && formatLogPlace(older),
    below: isShort && (
      <p class="hint">
        We’ve searched back to <Moment at={older.at} style="second" />. Go on with Next.
      </p>
    ),
  });
}
