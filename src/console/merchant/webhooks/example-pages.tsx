import { endpointKeyFor } from "../../../domain/webhooks/endpoints/endpoint-key.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { eventNames } from "../../../domain/webhooks/events/event.ts";
import { exampleOf } from "../../../domain/webhooks/events/example-events.ts";
import { sendTest } from "../../../domain/webhooks/log/outbox.ts";
import { type Refusal, refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import { CodeBlock } from "../../kit/parts/data.tsx";
import { RadioField, SelectField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { eventMeaning } from "./endpoint-fields.tsx";
import { type SeenEndpoint, seeEndpoints } from "./endpoint-view.tsx";
import type { WebhookPageServices } from "./webhook-services.ts";

/** An example of each event, to try a receiver out with. */
export function examplePages(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  routes.page("/webhooks/examples", { capability: "develop", show: (visit) => show(services, visit, emptyForm, null) });
  routes.form("/webhooks/examples", {
    capability: "develop",
    doneAt: (visit) => modePath(visit, "webhooks/deliveries"),
    refused: (visit, form, refusal) => show(services, visit, form, refusal),
    send: (visit, form) => sendExample(services, visit, form),
  });
}

async function sendExample(services: WebhookPageServices, visit: ModeVisit, form: Form): Promise<Answer> {
  const event = eventNames.find((name) => name === form.text("event"));
  if (event === undefined) throw refuseField("VALIDATION_ERROR", "event", "Choose an event.");
  if (form.text("endpoint") === "") throw refuseField("VALIDATION_ERROR", "endpoint", "Choose an endpoint.");
  const { endpointNumber } = endpointKeyFor(visit.wallet, form.text("endpoint"));
  const { mintDeliveryId, wake } = services.webhooks;
  const id = await sendTest({ ...services, mintDeliveryId }, visit.wallet, { event, endpointNumber });
  wake();
  return goTo(
    modePath(visit, `webhooks/deliveries/${id}`),
    "The example is on its way. What came back stands here shortly.",
  );
}

async function show(
  services: WebhookPageServices,
  visit: ModeVisit,
  form: Form,
  refusal: Refusal | null,
): Promise<PageAnswer> {
  const seen = await seeEndpoints(services, visit.wallet, await listSetEndpoints(services.database, visit.wallet));
  const examples = eventNames.map((event) => ({
    event,
    code: JSON.stringify(exampleOf(event, visit.mode, services), null, 2),
  }));
  return page(
    "Send an example",
    <>
      <PageHead title="Send an example" actions={<ButtonLink href={modePath(visit, "webhooks")}>Endpoints</ButtonLink>}>
        Nothing happened: <code>data.example</code> is true. One attempt is made, also while the endpoint is paused.
      </PageHead>
      <Sheet>
        {seen.length === 0 ? <NoEndpoint visit={visit} /> : <ExampleForm {...{ visit, seen, form, refusal }} />}
      </Sheet>
      <Sheet title="What each event holds in its data">
        <div class="stack">
          {examples.map(({ event, code }) => (
            <details key={event}>
              <summary>
                <code>{event}</code>: {eventMeaning[event]}
              </summary>
              <CodeBlock label={`data of ${event}`} code={code} />
            </details>
          ))}
        </div>
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

function NoEndpoint({ visit }: { readonly visit: ModeVisit }) {
  return (
    <Empty
      title="No endpoint yet"
      action={<ButtonLink href={modePath(visit, "webhooks/endpoints/new")}>Add an endpoint</ButtonLink>}
    >
      An example needs an address to go to.
    </Empty>
  );
}

function ExampleForm(props: {
  readonly visit: ModeVisit;
  readonly seen: readonly SeenEndpoint[];
  readonly form: Form;
  readonly refusal: Refusal | null;
}) {
  const { visit, seen, form, refusal } = props;
  const value = (name: string, otherwise: string) => form.text(name) || (visit.query.get(name) ?? otherwise);
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  const whole = refusal !== null && refusal.detail.errors === undefined ? refusal.message : null;
  return (
    <>
      {whole === null ? null : <Flash kind="bad">{whole}</Flash>}
      <VisitForm visit={visit} action={modePath(visit, "webhooks/examples")} submit="Send it">
        <SelectField
          name="endpoint"
          label="To"
          choices={seen.map(({ id, url }) => ({ value: id, label: url }))}
          value={value("endpoint", "")}
          error={error("endpoint")}
        />
        <RadioField
          name="event"
          label="Event"
          choices={eventNames.map((event) => ({ value: event, label: event, hint: eventMeaning[event] }))}
          value={value("event", "webhook.test")}
          error={error("event")}
        />
      </VisitForm>
    </>
  );
}
