import { type Endpoint, endpointsMax } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { eventNames } from "../../../domain/webhooks/events/event.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, Table } from "../../kit/parts/list.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import type { MerchantServices } from "../services.ts";
import type { ModeRoutes, ModeVisit } from "../visit.ts";
import { deliveryLogPages } from "./deliveries.tsx";
import { deliveryPages } from "./delivery.tsx";
import { endpointPages } from "./endpoint.tsx";
import { examplePages } from "./examples.tsx";
import { recoverPages } from "./recover.tsx";
import { EndpointStatus, type SeenEndpoint, seeEndpoints, waitingText } from "./seen-endpoint.tsx";
import { testerPages } from "./tester.tsx";

/** Is my endpoint healthy, what waits until when, and why does my signature fail? */
export function webhookPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/webhooks", { capability: "develop", show: (visit) => overviewPage(services, visit) });
  endpointPages(routes, services);
  deliveryLogPages(routes, services);
  deliveryPages(routes, services);
  recoverPages(routes, services);
  examplePages(routes, services);
  testerPages(routes, services);
}

/** All endpoints at one look. */
async function overviewPage({ reads, webhooks }: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const endpoints = await listSetEndpoints(reads, visit.wallet);
  const seen = await seeEndpoints({ database: reads, webhooks }, visit.wallet, endpoints);
  const add = (
    <ButtonLink href={visit.to("webhooks/endpoints/new")} kind="main">
      Add an endpoint
    </ButtonLink>
  );
  const actions = (
    <>
      <ButtonLink href={visit.to("webhooks/deliveries")}>Delivery log</ButtonLink>
      <ButtonLink href={visit.to("webhooks/examples")}>Send an example</ButtonLink>
      <ButtonLink href={visit.to("webhooks/recover")}>Recover what failed</ButtonLink>
      <ButtonLink href={visit.to("webhooks/tester")}>Signature tester</ButtonLink>
      {seen.length > 0 && seen.length < endpointsMax ? add : null}
    </>
  );
  const note = `${seen.length} of ${endpointsMax} endpoints, shared by live and test. What waits is of ${visit.mode} mode.`;
  return page(
    { title: "Webhooks", note, actions },
    <Live tableId="endpoints">
      <Sheet isPadded={false}>
        <Table
          id="endpoints"
          caption="Endpoints"
          columns={columnsFor(visit)}
          rows={seen}
          href={({ id }) => visit.to(`webhooks/endpoints/${id}`)}
          empty={
            <Empty title="No endpoint yet" action={add}>
              Give the https address of your server. It is told when a transaction that was pending ends, when a bulk
              order is done, when the wallet runs low and when the catalogue changes.
            </Empty>
          }
        />
      </Sheet>
    </Live>,
  );
}

function columnsFor({ mode }: ModeVisit): Column<SeenEndpoint>[] {
  const moment = (at: number | null) => (at === null ? "–" : <Moment at={at} style="second" />);
  return [
    {
      title: "Endpoint",
      place: "lead",
      cell: ({ url, endpoint }) => <Named url={url} description={endpoint.description} />,
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

function Named({ url, description }: { readonly url: string } & Pick<Endpoint, "description">) {
  return (
    <>
      <code>{url}</code>
      {description === null ? null : (
        <>
          <br />
          <small class="quiet">{description}</small>
        </>
      )}
    </>
  );
}

function eventsText({ events }: Endpoint): string {
  return events.includes("*") ? "all" : `${events.length} of ${eventNames.length}`;
}

const notifyText = { changes: "later ends", all: "every end" } as const satisfies Record<Endpoint["notify"], string>;
