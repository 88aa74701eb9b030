import { endpointKeyFor, listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { eventNames } from "../../../domain/webhooks/events/event.ts";
import { exampleOf } from "../../../domain/webhooks/events/example-events.ts";
import { sendTest } from "../../../domain/webhooks/log/outbox.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { CodeBlock } from "../../kit/parts/data.tsx";
import { RadioField, SelectField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { eventMeaning, type SeenEndpoint, seeEndpoints } from "./endpoint-fields.tsx";

/** An example of each event, to try a receiver out with. */
export function examplePages(routes: ModeRoutes, services: MerchantServices): void {
  routes.both("/webhooks/examples", {
    capability: "develop",
    doneAt: (visit) => visit.to("webhooks/deliveries"),
    show: (visit, typed) => examplePage(services, visit, typed),
    send: (visit, form) => sendExample(services, visit, form),
  });
}

async function sendExample(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  const event = eventNames.find((name) => name === form.text("event"));
  if (event === undefined) throw refuseField("VALIDATION_ERROR", "event", "Choose an event.");
  if (form.text("endpoint") === "") throw refuseField("VALIDATION_ERROR", "endpoint", "Choose an endpoint.");
  const { endpointNumber } = endpointKeyFor(visit.wallet, form.text("endpoint"));
  const { mintDeliveryId, wake } = services.webhooks;
  const id = await sendTest({ ...services, mintDeliveryId }, visit.wallet, { event, endpointNumber });
  wake();
  const to = visit.to(`webhooks/deliveries/${id}`);
  return goTo(to, "Example sent. The answer appears here in a moment.");
}

async function examplePage(services: MerchantServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const seen = await seeEndpoints(services, visit, await listSetEndpoints(services.database, visit.wallet));
  const add = <ButtonLink href={visit.to("webhooks/endpoints/new")}>Add endpoint</ButtonLink>;
  const note = (
    <>
      An event with <code>data.example</code> set to true. We try once, also while the endpoint is paused.
    </>
  );
  return page(
    { title: "Send an example", crumbs: [["Webhooks", visit.to("webhooks")]], note },
    <>
      <Sheet>
        {seen.length > 0 ? (
          <ExampleForm seen={seen} typed={typed} />
        ) : (
          <Empty title="No endpoints yet" icon="hook" action={add}>
            Add an endpoint to send an example to it.
          </Empty>
        )}
      </Sheet>
      <Sheet title="Data of each event">
        <div class="stack">
          {eventNames.map((event) => (
            <details key={event}>
              <summary>
                <code>{event}</code>: {eventMeaning[event]}
              </summary>
              <CodeBlock
                label={`data of ${event}`}
                code={JSON.stringify(exampleOf(event, visit.mode, services), null, 2)}
              />
            </details>
          ))}
        </div>
      </Sheet>
    </>,
  );
}

function ExampleForm({ seen, typed }: { readonly seen: readonly SeenEndpoint[]; readonly typed: Typed }) {
  const visit = useVisit();
  return (
    <Form action={visit.to("webhooks/examples")} submit="Send example">
      <SelectField
        {...typed.field("endpoint", visit.query.get("endpoint"))}
        label="To"
        choices={seen.map(({ id, url }) => ({ value: id, label: url }))}
      />
      <RadioField
        {...typed.field("event", visit.query.get("event") ?? "webhook.test")}
        label="Event"
        choices={eventNames.map((event) => ({ value: event, label: event, hint: eventMeaning[event] }))}
      />
    </Form>
  );
}
