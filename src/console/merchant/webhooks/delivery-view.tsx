import type { ComponentChildren } from "preact";
import { plainHeaders } from "../../../domain/delivery/deliver.ts";
import { formatEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { tellableUrl } from "../../../domain/webhooks/endpoints/endpoint-url.ts";
import { type DeliveryId, deliveryTime } from "../../../domain/webhooks/events/event.ts";
import { findDeliveryBody } from "../../../domain/webhooks/log/delivery-queries.ts";
import { type DeliveryState, type DeliveryStatus, readDelivery } from "../../../domain/webhooks/log/delivery-state.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../answer.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/code-block.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Flash } from "../../parts/flash.tsx";
import { Live } from "../../parts/live.tsx";
import { Moment, type MomentFormat } from "../../parts/moment.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Status, type StatusKind } from "../../parts/status.tsx";
import { Timeline } from "../../parts/timeline.tsx";
import { statusOf } from "../../refusal-status.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";
import type { WebhookPageServices } from "./webhook-services.ts";

interface Shown {
  readonly id: DeliveryId;
  /** Why it was not sent again. */
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
}

/** The page of one delivery; null where the wallet has none of this id. Read from the primary: it may be a second old. */
export async function readDeliveryView(
  services: WebhookPageServices,
  visit: ModeVisit,
  { id, refusal, format }: Shown,
): Promise<PageAnswer | null> {
  const { database, webhooks } = services;
  try {
    const state = await readDelivery(database, visit.wallet, id);
    const body = await findDeliveryBody(database, visit.wallet, id);
    const key = { merchantId: visit.wallet.merchantId, endpointNumber: state.delivery.endpointNumber };
    const endpointUrl = tellableUrl(webhooks.secretBox, key, state.delivery);
    const props = { visit, state, body, endpointUrl, endpointId: formatEndpointId(key), refusal, format };
    return page(`Delivery ${id}`, <DeliveryPage {...props} />, { status: statusOf(refusal) });
  } catch (error) {
    if (error instanceof Refusal && error.code === "DELIVERY_NOT_FOUND") return null;
    throw error;
  }
}

interface DeliveryPageProps {
  readonly visit: ModeVisit;
  readonly state: DeliveryState;
  readonly body: string | null;
  readonly endpointUrl: string | null;
  readonly endpointId: string;
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
}

function DeliveryPage(props: DeliveryPageProps) {
  const { visit, state, refusal } = props;
  const { delivery, resendable } = state;
  const here = modePath(visit, `webhooks/deliveries/${delivery.id}`);
  return (
    <>
      <PageHead
        title={delivery.event}
        actions={
          <>
            <ButtonLink href={modePath(visit, "webhooks/deliveries")}>All deliveries</ButtonLink>
            {props.body === null ? null : (
              <ButtonLink href={modePath(visit, `webhooks/tester?delivery=${delivery.id}`)}>
                Test its signature
              </ButtonLink>
            )}
          </>
        }
      >
        <code>{delivery.id}</code>
      </PageHead>
      {refusal === null ? null : <Flash kind="bad">{refusal.message}</Flash>}
      <Sheet title="What became of it">
        <LiveWhileWaiting isWaiting={state.status === "waiting"}>
          <Attempts {...props} />
        </LiveWhileWaiting>
        {resendable ? <VisitForm visit={visit} action={`${here}/resend`} submit="Send it again now" /> : null}
      </Sheet>
      <Sent {...props} />
    </>
  );
}

function LiveWhileWaiting(props: { readonly isWaiting: boolean; readonly children: ComponentChildren }) {
  if (!props.isWaiting) return <>{props.children}</>;
  return (
    <Live tableId="attempts" everySeconds={2}>
      {props.children}
    </Live>
  );
}

function Attempts({ visit, state, endpointUrl, endpointId, format }: DeliveryPageProps) {
  const { delivery, status, nextAttemptAt, attempts } = state;
  const { reference } = delivery;
  const link = modePath(visit, `transactions/${encodeURIComponent(reference ?? "")}`);
  const isTransaction = delivery.event.startsWith("transaction.");
  return (
    <div id="attempts" class="stack">
      <Facts
        facts={[
          { name: "Status", value: <Status kind={kinds[status]}>{status}</Status> },
          {
            name: "Next attempt",
            value: nextAttemptAt === null ? "none is due" : <Moment at={nextAttemptAt} format={format} style="full" />,
          },
          { name: "Happened", value: <Moment at={deliveryTime(delivery.id)} format={format} style="full" /> },
          {
            name: "Endpoint",
            value:
              endpointUrl === null ? (
                `${endpointId}, removed`
              ) : (
                <EndpointLink {...{ visit, endpointId, endpointUrl }} />
              ),
          },
          ...(reference === null
            ? []
            : [
                { name: "Reference", value: isTransaction ? <a href={link}>{reference}</a> : <code>{reference}</code> },
              ]),
        ]}
      />
      <p>{meanings[status]}</p>
      {attempts.length === 0 ? null : (
        <Timeline label="Attempts, newest first" steps={attempts.map((attempt) => stepOf(attempt, format))} />
      )}
    </div>
  );
}

function EndpointLink(props: { visit: ModeVisit; endpointId: string; endpointUrl: string }) {
  return <a href={modePath(props.visit, `webhooks/endpoints/${props.endpointId}`)}>{props.endpointUrl}</a>;
}

const kinds: Readonly<Record<DeliveryStatus, StatusKind>> = {
  waiting: "waiting",
  delivered: "good",
  exhausted: "bad",
  dropped: "quiet",
};

const meanings: Readonly<Record<DeliveryStatus, string>> = {
  waiting: "An attempt is due or under way.",
  delivered: "Your receiver answered with 2xx.",
  exhausted: "Every attempt failed, and no other comes by itself.",
  dropped: "Nothing more is sent: the endpoint was removed, switched off or turned to the other mode.",
};

function stepOf(attempt: Attempt, format: MomentFormat) {
  return {
    state: attempt.successful ? ("done" as const) : ("failed" as const),
    title: `Attempt ${attempt.attempt}: ${answerText(attempt)} in ${grouped(attempt.durationMs)} ms`,
    at: <Moment at={attempt.createdAt} format={format} style="second" />,
    children:
      attempt.responseBody === "" ? undefined : (
        <CodeBlock label={`Answer to attempt ${attempt.attempt}`} code={attempt.responseBody} />
      ),
  };
}

/** What a receiver answered, or why there was no answer, in few words. */
export function answerText({
  httpStatus,
  error,
  errorDetail,
}: Pick<Attempt, "httpStatus" | "error" | "errorDetail">): string {
  if (error !== null) return errorDetail ?? errors[error];
  return httpStatus === null ? "no answer" : `HTTP ${httpStatus}`;
}

const errors: Readonly<Record<NonNullable<Attempt["error"]>, string>> = {
  timeout: "no answer within 15 seconds",
  dns_error: "the name has no address",
  connection_refused: "connection refused",
  connection_reset: "connection reset",
  tls_error: "no TLS connection",
  blocked_destination: "not a public address",
  protocol_error: "the answer was no HTTP",
};

function Sent({ visit, state, body }: DeliveryPageProps) {
  const { delivery } = state;
  if (body === null) {
    return (
      <Sheet title="What was sent">
        <p>The body is not kept any more, so it can't be sent again.</p>
      </Sheet>
    );
  }
  const headers = { ...plainHeaders(delivery.event, visit.mode), "webhook-id": delivery.id };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Sheet title="What was sent" note={`${grouped(Buffer.byteLength(body))} bytes`}>
      <CodeBlock label="Headers" code={lines.join("\n")} />
      <p>
        Each attempt has a <code>webhook-timestamp</code>, the second it was made in, and a{" "}
        <code>webhook-signature</code> of its own beside these; they are not kept.
      </p>
      <CodeBlock label="Body, byte by byte" code={body} />
    </Sheet>
  );
}
