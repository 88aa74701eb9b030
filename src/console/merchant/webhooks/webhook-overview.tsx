import { endpointsMax } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { page } from "../../kit/answer.ts";
import { Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, momentFormat } from "../../kit/parts/text.tsx";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import {
  EndpointStatus,
  eventsText,
  notifyText,
  type SeenEndpoint,
  seeEndpoints,
  waitingText,
} from "./endpoint-view.tsx";
import type { WebhookPageServices } from "./webhook-services.ts";

/** All endpoints at one look. */
export function webhookOverview(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  const reads = { ...services, database: forReaders(services.database) };
  const format = momentFormat(services.timeZone);

  routes.page("/webhooks", {
    capability: "develop",
    async show(visit) {
      const endpoints = await listSetEndpoints(reads.database, visit.wallet);
      const seen = await seeEndpoints(reads, visit.wallet, endpoints);
      return page("Webhooks", <Overview visit={visit} seen={seen} format={format} />);
    },
  });
}

interface OverviewProps {
  readonly visit: ModeVisit;
  readonly seen: readonly SeenEndpoint[];
  readonly format: MomentFormat;
}

function Overview({ visit, seen, format }: OverviewProps) {
  const to = (path: string) => modePath(visit, `webhooks${path}`);
  const add = (
    <ButtonLink href={to("/endpoints/new")} kind="main">
      Add an endpoint
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        actions={
          <>
            <ButtonLink href={to("/deliveries")}>Delivery log</ButtonLink>
            <ButtonLink href={to("/examples")}>Send an example</ButtonLink>
            <ButtonLink href={to("/recover")}>Recover what failed</ButtonLink>
            <ButtonLink href={to("/tester")}>Signature tester</ButtonLink>
            {seen.length > 0 && seen.length < endpointsMax ? add : null}
          </>
        }
      >
        {`${seen.length} of ${endpointsMax} endpoints, shared by live and test. What waits is of ${visit.mode} mode.`}
      </PageHead>
      <Live tableId="endpoints">
        <Sheet isPadded={false}>
          <Table
            id="endpoints"
            caption="Endpoints"
            columns={columnsOf(visit, format)}
            rows={seen}
            href={({ id }) => to(`/endpoints/${id}`)}
            empty={
              <Empty title="No endpoint yet" action={add}>
                Give the https address of your server. It is told when a transaction that was pending ends, when a bulk
                order is done, when the wallet runs low and when the catalogue changes.
              </Empty>
            }
          />
        </Sheet>
      </Live>
    </>
  );
}

function columnsOf({ mode }: ModeVisit, format: MomentFormat): Column<SeenEndpoint>[] {
  const moment = (at: number | null) => (at === null ? "–" : <Moment at={at} format={format} style="second" />);
  return [
    {
      title: "Endpoint",
      place: "lead",
      cell: ({ url, endpoint }) => (
        <>
          <code>{url}</code>
          {endpoint.description === null ? null : (
            <>
              <br />
              <small class="quiet">{endpoint.description}</small>
            </>
          )}
        </>
      ),
    },
    { title: "Status", place: "state", cell: (seen) => <EndpointStatus seen={seen} mode={mode} /> },
    { title: "Events", cell: ({ endpoint }) => eventsText(endpoint) },
    { title: "Mode", cell: ({ endpoint }) => endpoint.mode },
    { title: "Tells", cell: ({ endpoint }) => notifyText[endpoint.notify] },
    { title: "Waiting", align: "end", cell: ({ state }) => waitingText(state) },
    { title: "Next attempt", isQuiet: true, cell: ({ state }) => moment(nextAttemptAt(state)) },
    { title: "Failing since", isQuiet: true, cell: ({ state }) => moment(state.failingSince) },
  ];
}
