import { plainHeaders } from "../../../domain/webhooks/delivery/deliver.ts";
import { formatEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { type DeliveryId, deliveryTime, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { findDeliveryBody } from "../../../domain/webhooks/log/delivery-queries.ts";
import { type DeliveryState, type DeliveryStatus, readDelivery } from "../../../domain/webhooks/log/delivery-state.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import { resend } from "../../../domain/webhooks/log/outbox.ts";
import { refuse } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { CodeBlock, Facts, Timeline } from "../../kit/parts/data.tsx";
import { Form, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { type MomentFormat, useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped, Moment, momentText, Status } from "../../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";
import { urlFor } from "./endpoint-fields.tsx";

/** One delivery: what was sent, what came back, and when the next try is due. */
export function deliveryPages(routes: ModeRoutes, services: MerchantServices): void {
  detail(routes, {
    at: "/webhooks/deliveries/:id",
    may: "develop",
    find: async (visit) => idIn(visit),
    show: (visit, id) => deliveryPage(services, visit, id),
    actions: { resend: ["develop", (visit, id) => resendOne(services, visit, id)] },
  });
}

async function resendOne({ database, webhooks }: MerchantServices, { wallet, to }: ModeVisit, id: DeliveryId) {
  await resend(database, wallet, id);
  webhooks.wake();
  const done = "Resending now, with the same ID and body. The answer appears here in a moment.";
  return goTo(to(`webhooks/deliveries/${id}`), done);
}

/** @throws Refusal DELIVERY_NOT_FOUND */
function idIn({ param }: ModeVisit): DeliveryId {
  const id = parseDeliveryId(param("id"));
  if (id === null) throw refuse("DELIVERY_NOT_FOUND");
  return id;
}

interface Shown {
  readonly state: DeliveryState;
  readonly body: string | null;
  readonly endpointUrl: string | null;
  readonly endpointId: string;
}

/** Read from the primary: it may be a second old. @throws Refusal DELIVERY_NOT_FOUND */
async function deliveryPage(services: MerchantServices, visit: ModeVisit, id: DeliveryId): Promise<PageAnswer> {
  const { database } = services;
  const state = await readDelivery(database, visit.wallet, id);
  const body = await findDeliveryBody(database, visit.wallet, id);
  const { event, endpointNumber } = state.delivery;
  const key = { merchantId: visit.wallet.merchantId, endpointNumber };
  const endpointUrl = urlFor(services, visit, { ...state.delivery, endpointNumber });
  const shown = { state, body, endpointUrl, endpointId: formatEndpointId(key) };
  const actions =
    body === null ? undefined : (
      <ButtonLink href={visit.to(`webhooks/tester?delivery=${id}`)}>Test signature</ButtonLink>
    );
  return page(
    {
      title: `Delivery ${id}`,
      heading: event,
      actions,
      crumbs: [
        ["Webhooks", visit.to("webhooks")],
        ["Deliveries", visit.to("webhooks/deliveries")],
      ],
      note: <code>{id}</code>,
    },
    <>
      <Sheet title="What happened">
        <Live tableId="attempts" everySeconds={2} isOn={state.status === "waiting"}>
          <Attempts {...shown} />
        </Live>
        {state.resendable ? (
          <Form action={visit.to(`webhooks/deliveries/${id}/resend`)} submit="Resend webhook" />
        ) : null}
      </Sheet>
      <Sent {...shown} />
    </>,
  );
}

function Attempts({ state, endpointUrl, endpointId }: Shown) {
  const visit = useVisit();
  const { format } = useSurroundings();
  const { delivery, status, nextAttemptAt, attempts } = state;
  const { reference, event, id } = delivery;
  const isTransaction = event.startsWith("transaction.");
  const [name, meaning] = statusWords[status];
  return (
    <div id="attempts" class="stack">
      <Facts
        facts={{
          Status: <Status>{name}</Status>,
          "Next try": nextAttemptAt && <Moment at={nextAttemptAt} style="full" />,
          Happened: <Moment at={deliveryTime(id)} style="full" />,
          Endpoint:
            endpointUrl === null ? (
              `${endpointId}, removed`
            ) : (
              <a href={visit.to(`webhooks/endpoints/${endpointId}`)}>{endpointUrl}</a>
            ),
          Reference:
            reference !== null && isTransaction ? (
              <a href={purchasePath(visit, reference)}>{reference}</a>
            ) : (
              reference && <code>{reference}</code>
            ),
        }}
      />
      <p>{meaning}</p>
      {attempts.length === 0 ? null : (
        <Timeline label="Tries, newest first" steps={attempts.map((attempt) => stepOf(format, attempt))} />
      )}
    </div>
  );
}

const statusWords: Readonly<Record<DeliveryStatus, readonly [name: string, meaning: string]>> = {
  waiting: ["Waiting", "We’re trying, or will try again."],
  delivered: ["Delivered", "Your server answered 2xx."],
  exhausted: ["Failed", "All tries failed. We’ve stopped."],
  dropped: ["Dropped", "The endpoint was removed, turned off or set to the other mode, so we’ve stopped."],
};

function stepOf(format: MomentFormat, attempt: Attempt) {
  const { attempt: number, successful, durationMs, createdAt, responseBody } = attempt;
  return {
    state: successful ? ("done" as const) : ("failed" as const),
    title: `Try ${number}: ${answerText(attempt)}`,
    at: <Moment at={createdAt} style="time" />,
    since: momentText(format, createdAt, "day"),
    children: (
      <>
        After {grouped(durationMs)} ms
        {responseBody === "" ? null : <CodeBlock label={`Answer to try ${number}`} code={responseBody} />}
      </>
    ),
  };
}

/** What a receiver answered, or why there was no answer, in few words. */
export function answerText({ httpStatus, error, errorDetail }: Attempt): string {
  if (error !== null) return errorDetail ?? errors[error];
  return httpStatus === null ? "No answer" : `HTTP ${httpStatus}`;
}

const errors: Readonly<Record<NonNullable<Attempt["error"]>, string>> = {
  timeout: "No answer within 15 s",
  dns_error: "Host not found",
  connection_refused: "Connection refused",
  connection_reset: "Connection reset",
  tls_error: "TLS failed",
  blocked_destination: "Not a public address",
  protocol_error: "Not an HTTP answer",
};

function Sent({ state: { delivery }, body }: Shown) {
  const { mode } = useVisit();
  if (body === null) {
    return (
      <Sheet title="What we sent">
        <p>We no longer keep this body, so it can’t be resent.</p>
      </Sheet>
    );
  }
  const headers = { ...plainHeaders(delivery.event, mode), "webhook-id": delivery.id };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Sheet title="What we sent" note={`${grouped(Buffer.byteLength(body))} bytes`}>
      <CodeBlock label="Headers" code={lines.join("\n")} />
      <p>
        Each try also had its own <code>webhook-timestamp</code> and <code>webhook-signature</code>, which we don’t
        keep.
      </p>
      <CodeBlock label="Body, byte for byte" code={body} />
    </Sheet>
  );
}
