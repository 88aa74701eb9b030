import { findNamed } from "../../../domain/purchases/find.ts";
import { formatEndpointId, parseEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { eventNames, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { type LogFilter, listLog, streamLog } from "../../../domain/webhooks/log/log.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import { pageMax } from "../../../kernel/page.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, readList, refuseUnread } from "../../kit/list-page.tsx";
import { otherModeNames } from "../../kit/page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { countText, grouped, Moment, Status } from "../../kit/parts/text.tsx";
import { numberIn } from "../../kit/visit.ts";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { type CsvColumns, csvFile } from "../exports.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";
import { answerText } from "./delivery.tsx";

const rowsPerPage = 50;
/** A filtered log is read as deep as its page lies: 10,000 attempts down, a new first page begins below. */
const lastFilteredPage = 200;
/** No endpoint has it. */
const noEndpoint = 0;

/** Every attempt to deliver an event, and what came back. */
export function deliveryLogPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/webhooks/deliveries", { capability: "develop", show: (visit) => logPage(services, visit) });
  routes.file("/webhooks/deliveries.csv", {
    capability: "export_deliveries",
    show: (visit) => logFile(services, visit),
  });
}

/** `ids` are the endpoints' that are set. */
function readQuery(visit: ModeVisit, ids: readonly string[] = []) {
  const endpointOf = (text: string) => parseEndpointId(text, visit.wallet) ?? noEndpoint;
  // One that was removed is still in the log: its filter stays what the address says.
  const chosen = visit.query.get("endpoint") ?? "";
  const removed = !ids.includes(chosen) && endpointOf(chosen) !== noEndpoint ? [chosen] : [];
  const options = [...ids, ...removed].map((id) => ({ value: id, label: id }));
  return readList(visit, visit.to("webhooks/deliveries"), {
    q: findFilter("Reference or any ID"),
    status: choiceFilter("Status", [
      { value: "success", label: "Delivered" },
      { value: "failed", label: "Failed" },
    ]),
    event: choiceFilter(
      "Event",
      eventNames.map((value) => ({ value, label: value })),
    ),
    endpoint: choiceFilter("Endpoint", options, endpointOf),
  });
}

type LogQuery = ReturnType<typeof readQuery>;

async function logFilter(services: MerchantServices, visit: ModeVisit, { values }: LogQuery): Promise<LogFilter> {
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

/** Without bodies: each delivery's own page has them. */
async function logFile(services: MerchantServices, visit: ModeVisit) {
  const { wallet } = visit;
  const query = readQuery(visit);
  refuseUnread(query);
  const filter = await logFilter(services, visit, query);
  const columns: CsvColumns<Attempt> = [
    ["at", ({ createdAt }) => services.wallTime.format(createdAt)],
    ["delivery_id", ({ deliveryId }) => deliveryId],
    ["event", ({ event }) => event],
    ["reference", ({ reference }) => reference],
    ["endpoint_id", ({ endpointNumber }) => formatEndpointId({ ...wallet, endpointNumber })],
    ["url", ({ url }) => url],
    ["attempt", ({ attempt }) => attempt],
    ["status", ({ successful }) => (successful ? "delivered" : "failed")],
    ["http_status", ({ httpStatus }) => httpStatus],
    ["answer", answerText],
    ["duration_ms", ({ durationMs }) => durationMs],
  ];
  return csvFile(services, visit, "webhook-deliveries", columns, () => streamLog(services.reads, wallet, filter));
}

async function logPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { wallet } = visit;
  const endpoints = await listSetEndpoints(services.reads, wallet);
  const ids = endpoints.map(({ endpointNumber }) => formatEndpointId({ ...wallet, endpointNumber }));
  const query = readQuery(visit, ids);
  const number = Math.min(query.page, query.isFiltered ? lastFilteredPage : pageMax);
  const filter = await logFilter(services, visit, query);
  const { attempts, meta } = await listLog(services.reads, wallet, filter, { page: number, perPage: rowsPerPage });
  const upTo = filter.maxId ?? attempts[0]?.id ?? "";
  const oldest = attempts.at(-1);
  const hrefOf = (at: number) =>
    query.isFiltered && at > lastFilteredPage && oldest !== undefined
      ? query.href({ page: "1", upto: String(oldest.id - 1n) })
      : query.href({ page: String(at), upto: String(upTo) });
  const mayTake = meta.total > 0 && visit.may("export_deliveries");
  const shown = { ...query, page: number };
  return listPage(shown, {
    above: await savedViews(services, visit, query),
    title: "Webhook deliveries",
    note: `${countText(meta.total, "try", "tries")}${query.isFiltered ? " match" : ""}`,
    crumbs: [["Webhooks", visit.to("webhooks")]],
    csv: mayTake ? { path: visit.to("webhooks/deliveries.csv"), count: meta.total } : null,
    liveId: "deliveries",
    isLive: number === 1 && filter.maxId === null,
    caption: "Deliveries, newest first",
    columns: columnsFor(visit),
    rows: attempts,
    href: ({ deliveryId }) => visit.to(`webhooks/deliveries/${deliveryId}`),
    empty: (
      <Empty
        title="No deliveries yet"
        icon="hook"
        action={
          <ButtonLink href={visit.to(ids.length > 0 ? "webhooks/examples" : "webhooks/endpoints/new")}>
            {ids.length > 0 ? "Send example" : "Add endpoint"}
          </ButtonLink>
        }
      >
        Every event that we send to your server appears here, with its answer.
      </Empty>
    ),
    noneFits: {
      title: "No deliveries match these filters",
      text: `Clear a filter, or switch to ${otherModeNames[visit.mode]}.`,
    },
    pages: { perPage: rowsPerPage, total: meta.total, lastShown: meta.last_page, hrefOf },
  });
}

function columnsFor({ wallet }: ModeVisit): Column<Attempt>[] {
  const idOf = ({ endpointNumber }: Attempt) => formatEndpointId({ ...wallet, endpointNumber });
  return [
    { title: "Time", place: "sub", cell: ({ createdAt }) => <Moment at={createdAt} style="list" /> },
    { title: "Event", place: "lead", cell: ({ event }) => <code>{event}</code> },
    { title: "Reference", place: "sub", cell: ({ reference }) => reference && <span class="id">{reference}</span> },
    { title: "Endpoint", place: "sub", isExtra: true, cell: (attempt) => <span class="id">{idOf(attempt)}</span> },
    { title: "Try", align: "end", place: "sub", isExtra: true, cell: ({ attempt }) => String(attempt) },
    { title: "Answer", place: "sub", cell: answerText },
    { title: "Took", place: "amount", cell: ({ durationMs }) => `${grouped(durationMs)} ms` },
    {
      title: "Status",
      place: "state",
      cell: ({ successful }) => <Status>{successful ? "Delivered" : "Failed"}</Status>,
    },
  ];
}
