import type { FastifyError, FastifyInstance } from "fastify";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { refusalWhenAway, refusalWhenNotCarriedOut } from "../../platform/database/refuse-when-away.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { FrameAnswer } from "./answer.tsx";
import { ButtonLink } from "./parts/layout.tsx";
import { type SendServices, sendFrame } from "./send.tsx";

/** Renders what pages throw as pages that say what to do next. Faults of ours are logged with the request's id. */
export function renderFailures(
  app: FastifyInstance,
  services: SendServices & { readonly log: Logger },
  home: string,
): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = refusalFor(error, request.method === "GET" || request.method === "HEAD");
    if (refusal.code === "INTERNAL_ERROR") {
      const { name, stack = "" } = error instanceof Error ? error : new Error(String(error));
      services.log.error({
        event: "console.failed",
        requestId: request.id,
        fault: { name, stack: maskSecrets(stack) },
      });
    }
    const { retryAfterSeconds } = refusal.detail;
    if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
    return sendFrame(services, reply, failurePage(refusal, request.id, home));
  });
}

/** Any error as a refusal; a database that is away is maintenance, unless what a form asked for may have been done. */
function refusalFor(error: unknown, isReading: boolean): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError>;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return refuse("PAYLOAD_TOO_LARGE");
  if (statusCode === 415) return refuse("UNSUPPORTED_MEDIA_TYPE");
  // The request broke off, or is not as long as it says.
  if (statusCode === 400)
    return refuse("VALIDATION_ERROR", { message: "The form didn’t arrive whole. Send it again." });
  return (isReading ? refusalWhenAway(error) : refusalWhenNotCarriedOut(error)) ?? refuse("INTERNAL_ERROR");
}

const advice: Partial<Record<Refusal["code"], string>> = {
  INTERNAL_ERROR: "Something broke on our side. Check Transactions before you try again.",
  MAINTENANCE: "The service is starting again. Reload the page in a few seconds.",
  NOT_FOUND: "It may have been removed, or belong to another business or mode.",
  PAYLOAD_TOO_LARGE: "A form can be up to 64 KB, a bulk order up to 4 MB. Send it in parts.",
  RATE_LIMITED: "Wait a moment, then reload the page.",
};

function failurePage(refusal: Refusal, requestId: string, home: string): FrameAnswer {
  const { status } = problems[refusal.code];
  return {
    title: status === 404 ? "Page not found" : status >= 500 ? "Something broke" : "This can’t be done",
    status,
    body: (
      <>
        <p>{refusal.code === "INTERNAL_ERROR" ? null : refusal.message}</p>
        <p>{advice[refusal.code] ?? "Go back, change it and send it again."}</p>
        <p class="hint">
          Request <code>{requestId}</code>
        </p>
        <ButtonLink href={home}>Go to overview</ButtonLink>
      </>
    ),
  };
}
