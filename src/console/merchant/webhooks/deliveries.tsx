import { findNamed } from "../../../domain/purchases/find.ts";
import { formatEndpointId, parseEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { eventNames, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { type LogFilter, listLog, streamLog } from "../../../domain/webhooks/log/log.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import { pageMax } from "../../../kernel/page.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter, type ListQuery } from "../../kit/list-page.tsx";
import { optionsOf } from "../../kit/offer-filters.ts";
import { otherModeNames } from "../../kit/page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { countText, grouped, Status } from "../../kit/parts/text.tsx";
import { numberIn } from "../../kit/visit.ts";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";
import { answerText } from "./delivery.tsx";

/** A filtered log is read as deep as its page lies: 10,000 attempts down, a new first page begins below. */
const lastFilteredPage = 200;
/** No endpoint has it. */
const noEndpoint = 0;

/** Every attempt to deliver an event, and what came back; the file is without bodies, as each delivery's own page has them. */
export function deliveryLogPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads } = services;
  const idOf = (attempt: Pick<Attempt, "endpointNumber">, { wallet }: ModeVisit) => {
    return formatEndpointId({ ...wallet, endpointNumber: attempt.endpointNumber });
  };
  list(routes, {
    at: "/webhooks/deliveries",
    may: "develop",
    title: "Webhook deliveries",
    filters: async (visit) =>
      filtersOf(
        visit,
        (await listSetEndpoints(reads, visit.wallet)).map((set) => idOf(set, visit)),
      ),
    pageMax: ({ isFiltered }) => (isFiltered ? lastFilteredPage : pageMax),
    async read({ visit, query, values, page, limit: perPage }) {
      const filter = await logFilter(services, visit, values);
      const { attempts: rows, meta } = await listLog(reads, visit.wallet, filter, { page, perPage });
      const upTo = filter.maxId ?? rows[0]?.id ?? "";
      const oldest = rows.at(-1);
      const hasEndpoints = query.filters.endpoint.options.length > 0;
      return {
        ...{ rows, total: meta.total, lastShown: meta.last_page, isLive: page === 1 && filter.maxId === null },
        hrefOf: (at) =>
          query.isFiltered && at > lastFilteredPage && oldest !== undefined
            ? query.href({ page: "1", upto: String(oldest.id - 1n) })
            : query.href({ page: String(at), upto: String(upTo) }),
        above: await savedViews(services, visit, query),
        note: `${countText(meta.total, "try", "tries")}${query.isFiltered ? " match" : ""}`,
        crumbs: [["Webhooks", visit.to("webhooks")]],
        empty: noneYet(visit.to(hasEndpoints ? "webhooks/examples" : "webhooks/endpoints/new"), hasEndpoints),
        noneFits: {
          title: "No deliveries match these filters",
          text: `Clear a filter, or switch to ${otherModeNames[visit.mode]}.`,
        },
      };
    },
    href: ({ deliveryId }, { visit }) => visit.to(`webhooks/deliveries/${deliveryId}`),
    csv: {
      ...{ from: services, may: "export_deliveries", what: "webhook-deliveries" },
      rows: async ({ visit, values }) => streamLog(reads, visit.wallet, await logFilter(services, visit, values)),
    },
    liveId: "deliveries",
    caption: "Deliveries, newest first",
    columns: ({ when, lead, sub, extra, status, inFile }, { visit }) => [
      when("Time", ({ createdAt }) => createdAt, { heading: "at" }),
      inFile({ delivery_id: ({ deliveryId }) => deliveryId }),
      lead("Event", ({ event }) => <code>{event}</code>, { event: ({ event }) => event }),
      sub("Reference", ({ reference }) => reference && <span class="id">{reference}</span>, {
        reference: ({ reference }) => reference,
      }),
      extra("Endpoint", (attempt) => <span class="id">{idOf(attempt, visit)}</span>, {
        endpoint_id: (attempt) => idOf(attempt, visit),
        url: ({ url }) => url,
      }),
      { ...extra("Try", ({ attempt }) => String(attempt), { attempt: ({ attempt }) => attempt }), align: "end" },
      inFile({
        status: ({ successful }) => (successful ? "delivered" : "failed"),
        http_status: ({ httpStatus }) => httpStatus,
      }),
      sub("Answer", answerText, { answer: answerText }),
      {
        ...{ title: "Took", cell: ({ durationMs }) => `${grouped(durationMs)} ms`, place: "amount" },
        file: { duration_ms: ({ durationMs }) => durationMs },
      },
      status("Status", ({ successful }) => <Status>{successful ? "Delivered" : "Failed"}</Status>),
    ],
  });
}

/** `ids` are the endpoints' that are set. */
function filtersOf(visit: ModeVisit, ids: readonly string[]) {
  const endpointOf = (text: string) => parseEndpointId(text, visit.wallet) ?? noEndpoint;
  // One that was removed is still in the log: its filter stays what the address says.
  const chosen = visit.query.get("endpoint") ?? "";
  const removed = !ids.includes(chosen) && endpointOf(chosen) !== noEndpoint ? [chosen] : [];
  const options = [...ids, ...removed].map((id) => ({ value: id, label: id }));
  return {
    q: findFilter("Reference or any ID"),
    status: choiceFilter("Status", [
      { value: "success", label: "Delivered" },
      { value: "failed", label: "Failed" },
    ]),
    event: choiceFilter("Event", optionsOf(eventNames)),
    endpoint: { ...choiceFilter("Endpoint", options, endpointOf), options },
  };
}

type LogValues = ListQuery<ReturnType<typeof filtersOf>>["values"];

async function logFilter(services: MerchantServices, visit: ModeVisit, values: LogValues): Promise<LogFilter> {
  const { status, event, endpoint, q } = values;
  return {
    successful: status === null ? null : status === "success",
    event,
    endpointNumber: endpoint,
    // The newest that is listed: later pages are about what was there when the first one was shown.
    maxId: numberIn(visit, "upto"),
    ...(await searched(services, visit, q)),
  };
}

/** Whatever id is pasted: a delivery's, a transaction's, else a reference of a transaction or bulk order. */
async function searched(
  services: MerchantServices,
  { wallet }: ModeVisit,
  text: string | null,
): Promise<Pick<LogFilter, "deliveryId" | "reference">> {
  if (text === null) return { deliveryId: null, reference: null };
  const deliveryId = parseDeliveryId(text);
  if (deliveryId !== null) return { deliveryId, reference: null };
  const purchase = await findNamed({ ...services, database: services.reads }, wallet, text);
  return { deliveryId: null, reference: purchase?.reference ?? text };
}

function noneYet(href: string, hasEndpoints: boolean) {
  return (
    <Empty
      title="No deliveries yet"
      icon="hook"
      action={<ButtonLink href={href}>{hasEndpoints ? "Send example" : "Add endpoint"}</ButtonLink>}
    >
      Every event that we send to your server appears here, with its answer.
    </Empty>
  );
}
