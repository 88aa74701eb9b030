import type { ComponentChildren } from "preact";
import { formatEndpointId, parseEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { type DeliveryId, eventNames, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { listLog } from "../../../domain/webhooks/log/log.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import { resend } from "../../../domain/webhooks/log/outbox.ts";
import { pageMax } from "../../../kernel/page.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { may } from "../../access.ts";
import { goTo, type PageAnswer, page } from "../../answer.ts";
import { notFoundPage } from "../../gate-pages.tsx";
import { ButtonLink, Buttons } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Filters } from "../../parts/filters.tsx";
import { Live } from "../../parts/live.tsx";
import { Moment, type MomentFormat, momentFormat } from "../../parts/moment.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped, Pager } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Status } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Routes } from "../../routes.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { openExport } from "../exports.ts";
import { deliveryPieces } from "./delivery-file.ts";
import { answerText, readDeliveryView } from "./delivery-view.tsx";
import { type LogQuery, readLogQuery } from "./log-query.ts";
import type { WebhookPageServices } from "./webhook-services.ts";

const rowsPerPage = 50;
/** A filtered log is read as deep as its page lies: 10,000 attempts down, a new first page begins below. */
const lastFilteredPage = 200;

/** What was sent, what came back, and when the next try is due. */
export function deliveryPages(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  const reads = { ...services, database: forReaders(services.database) };
  const format = momentFormat(services.timeZone);

  const exportLog = openExport(services);
  routes.page("/webhooks/deliveries.csv", {
    capability: "export_deliveries",
    show: (visit) =>
      exportLog(visit, { what: "webhook-deliveries", format: "csv", pieces: () => deliveryPieces(reads, visit) }),
  });

  routes.page("/webhooks/deliveries", { capability: "develop", show: (visit) => logPage(reads, visit, format) });

  const show = async (visit: ModeVisit, refusal: Refusal | null): Promise<PageAnswer> => {
    const id = idIn(visit);
    const shown = id === null ? null : await readDeliveryView(services, visit, { id, refusal, format });
    return shown ?? notFoundPage();
  };
  routes.page("/webhooks/deliveries/:id", { capability: "develop", show: (visit) => show(visit, null) });
  routes.form("/webhooks/deliveries/:id/resend", {
    capability: "develop",
    doneAt: placeOf,
    refused: (visit, _form, refusal) => show(visit, refusal),
    async send(visit) {
      const id = idIn(visit);
      if (id === null) throw refuse("DELIVERY_NOT_FOUND");
      await resend(services.database, visit.wallet, id);
      services.webhooks.wake();
      return goTo(
        placeOf(visit),
        "It is sent again now, with the same id and body. What came back stands here shortly.",
      );
    },
  });
}

function idIn({ request }: ModeVisit): DeliveryId | null {
  return parseDeliveryId((request.params as { readonly id: string }).id);
}

function placeOf(visit: ModeVisit): string {
  return modePath(visit, `webhooks/deliveries/${idIn(visit) ?? ""}`);
}

async function logPage(services: WebhookPageServices, visit: ModeVisit, format: MomentFormat): Promise<PageAnswer> {
  const { database } = services;
  const query = await readLogQuery(services, visit);
  const asked = { page: Math.min(query.page, query.isFiltered ? lastFilteredPage : pageMax), perPage: rowsPerPage };
  const [{ attempts, meta }, endpoints] = await Promise.all([
    listLog(database, visit.wallet, query.filter, asked),
    listSetEndpoints(database, visit.wallet),
  ]);
  const first = (asked.page - 1) * rowsPerPage;
  const upTo = query.values.get("upto") ?? (attempts[0] === undefined ? "" : String(attempts[0].id));
  const pageHref = (page: number) => query.href({ page: String(page), upto: upTo });
  const oldest = attempts.at(-1);
  const isTurn = query.isFiltered && asked.page === lastFilteredPage && oldest !== undefined;
  const nextHref = isTurn ? query.href({ page: "1", upto: String(oldest.id - 1n) }) : pageHref(asked.page + 1);
  const ids = endpoints.map(({ endpointNumber }) => formatEndpointId({ ...visit.wallet, endpointNumber }));
  return page(
    "Webhook deliveries",
    <>
      <PageHead
        title="Webhook deliveries"
        actions={
          <Buttons>
            {meta.total > 0 && may(visit.member.role, "export_deliveries") ? (
              <ButtonLink href={query.href({}, "webhooks/deliveries.csv")} isDownload>
                Download {grouped(meta.total)} as CSV
              </ButtonLink>
            ) : null}
            <ButtonLink href={modePath(visit, "webhooks")}>Endpoints</ButtonLink>
          </Buttons>
        }
      >
        {`${grouped(meta.total)} attempts${query.isFiltered ? " that fit" : " in all"}, in ${visit.mode} mode`}
      </PageHead>
      <LogFilters visit={visit} query={query} ids={ids} />
      <LiveOnFirstPage isFirst={asked.page === 1 && !query.values.has("upto")}>
        <Sheet isPadded={false}>
          <Table
            id="deliveries"
            caption="Attempts, newest first"
            columns={columnsOf(visit, format)}
            rows={attempts}
            href={({ deliveryId }) => modePath(visit, `webhooks/deliveries/${deliveryId}`)}
            empty={emptyLog(visit, query, ids.length)}
          />
        </Sheet>
      </LiveOnFirstPage>
      <Pager
        previousHref={asked.page > 1 ? pageHref(asked.page - 1) : null}
        nextHref={asked.page < meta.last_page ? nextHref : null}
        from={attempts.length === 0 ? null : first + 1}
        to={first + attempts.length}
        total={meta.total}
      />
    </>,
  );
}

/** Later pages stand still: they are about what was there when the first one was shown. */
function LiveOnFirstPage({ isFirst, children }: { readonly isFirst: boolean; readonly children: ComponentChildren }) {
  return isFirst ? <Live tableId="deliveries">{children}</Live> : children;
}

function LogFilters(props: { readonly visit: ModeVisit; readonly query: LogQuery; readonly ids: readonly string[] }) {
  const { visit, query, ids } = props;
  const value = (name: string) => query.values.get(name) ?? "";
  const chosen = value("endpoint");
  // One that was removed is still in the log: its filter stays what the address says.
  const listed =
    chosen === "" || ids.includes(chosen) || parseEndpointId(chosen, visit.wallet) === null ? [] : [chosen];
  const choice = (name: string, label: string, options: readonly string[]) =>
    ({
      kind: "choice",
      ...{ name, label, value: value(name) },
      options: options.map((each) => ({ value: each, label: each })),
    }) as const;
  return (
    <Filters
      action={modePath(visit, "webhooks/deliveries")}
      filters={[
        { kind: "text", name: "q", label: "Find", value: value("q"), hint: "reference, any id" },
        choice("status", "Status", ["success", "failed"]),
        choice("event", "Event", eventNames),
        choice("endpoint", "Endpoint", [...ids, ...listed]),
      ]}
    />
  );
}

function columnsOf(visit: ModeVisit, format: MomentFormat): Column<Attempt>[] {
  return [
    {
      title: "Time",
      isQuiet: true,
      cell: ({ createdAt }) => <Moment at={createdAt} format={format} style="second" />,
    },
    { title: "Event", place: "lead", cell: ({ event }) => <code>{event}</code> },
    {
      title: "Reference",
      place: "under",
      cell: ({ reference }) => (reference === null ? "" : <code>{reference}</code>),
    },
    {
      title: "Endpoint",
      cell: ({ endpointNumber }) => <code>{formatEndpointId({ ...visit.wallet, endpointNumber })}</code>,
    },
    { title: "Attempt", align: "end", cell: ({ attempt }) => String(attempt) },
    { title: "Answer", cell: (attempt) => answerText(attempt) },
    { title: "Took", align: "end", isQuiet: true, cell: ({ durationMs }) => `${grouped(durationMs)} ms` },
    {
      title: "Status",
      place: "state",
      cell: ({ successful }) => <Status>{successful ? "delivered" : "failed"}</Status>,
    },
  ];
}

function emptyLog(visit: ModeVisit, { isFiltered }: LogQuery, endpoints: number) {
  if (isFiltered) {
    return (
      <Empty
        title="Nothing fits these filters"
        action={<ButtonLink href={modePath(visit, "webhooks/deliveries")}>Show all</ButtonLink>}
      >
        Look in the other mode, or take a filter away.
      </Empty>
    );
  }
  const isSet = endpoints > 0;
  return (
    <Empty
      title="Nothing was sent yet"
      action={
        <ButtonLink href={modePath(visit, isSet ? "webhooks/examples" : "webhooks/endpoints/new")}>
          {isSet ? "Send an example" : "Add an endpoint"}
        </ButtonLink>
      }
    >
      Every attempt to tell your endpoints of an event is listed here, with what they answered.
    </Empty>
  );
}
