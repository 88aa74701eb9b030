import type { JsonObject } from "../../../kernel/json.ts";
import type { Tried, TryOperation } from "../../../site/try-it.ts";
import { Copied } from "../../kit/delivered.tsx";
import { CodeBlock, type Fact, Facts } from "../../kit/parts/data.tsx";
import { ButtonLink, Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import { useVisit } from "../access.ts";
import { requestCurl } from "../exports.ts";
import { CodeMeaning, durationText } from "../requests/request-words.tsx";

interface AnswerProps {
  readonly of: TryOperation;
  readonly tried: Tried;
}

/** Longer answers fill the page, and more than this reads nobody. */
const shownMax = 20_000;

/** Headers that a client looks at, in this order. */
const shownHeaders = ["Idempotent-Replayed", "Retry-After", "X-Api-Mode", "RateLimit", "Content-Type"] as const;

/** What came back, the request as a program would send it, and where to look next. */
export function AnswerSheet({ of, tried }: AnswerProps) {
  const visit = useVisit();
  const { request, status, body, tookMs } = tried;
  const answer = parsed(body);
  const code = codeIn(answer);
  const shown = answer === null ? body : JSON.stringify(answer, null, 2);
  return (
    <Sheet title="Answer" id="answer" note={`after ${durationText(Math.round(tookMs))}`}>
      <p role="status">
        <Status kind={status < 300 ? "good" : "bad"}>{[String(status), code ?? []].flat().join(" ")}</Status>
      </p>
      {code === null ? null : (
        <p>
          <CodeMeaning code={code} />
        </p>
      )}
      <Facts facts={factsOf(tried)} />
      <CodeBlock label="Body" code={shown.length > shownMax ? `${shown.slice(0, shownMax)}…` : shown} />
      {shown.length > shownMax ? (
        <p class="hint">
          We show the first {grouped(shownMax)} of {grouped(shown.length)} characters.
        </p>
      ) : null}
      <CodeBlock label="curl" code={requestCurl(request, visit.place.origin)} />
      <Next of={of} tried={tried} reference={referenceIn(answer)} />
    </Sheet>
  );
}

function factsOf({ headers }: Tried): Fact[] {
  const requestId = headers["x-request-id"] ?? "";
  const found = shownHeaders.map((name): Fact => {
    const value = headers[name.toLowerCase()];
    return [name, value === undefined ? null : <code key={name}>{value}</code>];
  });
  return [["X-Request-Id", <Copied key="id" text={requestId} subject="the request ID" />], ...found];
}

function Next({ of, tried, reference }: AnswerProps & { readonly reference: string | null }) {
  const requestId = tried.headers["x-request-id"] ?? "";
  const mayReadLog = useVisit().may("read_requests");
  return (
    <Buttons>
      {reference === null ? null : (
        <ButtonLink href={`/test/transactions/${encodeURIComponent(reference)}`}>Open transaction</ButtonLink>
      )}
      {reference === null || of.id === "getTransaction" ? null : (
        <ButtonLink href={`/test/try/getTransaction?${new URLSearchParams({ reference })}`}>
          Get the result by API
        </ButtonLink>
      )}
      {mayReadLog ? (
        <ButtonLink href={`/test/requests?${new URLSearchParams({ q: requestId })}`}>Open in request log</ButtonLink>
      ) : null}
    </Buttons>
  );
}

/** Every answer of the API is an object; null for what stands between us and it. */
function parsed(body: string): JsonObject | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** The code of a refusal, or why a purchase failed. */
function codeIn(answer: JsonObject | null): string | null {
  const found = answer?.code ?? answer?.error_code;
  return typeof found === "string" && /^[A-Z_]+$/.test(found) ? found : null;
}

/** Of an answer that is a transaction. */
function referenceIn(answer: JsonObject | null): string | null {
  const reference = answer?.transaction_id === undefined ? null : answer.reference;
  return typeof reference === "string" ? reference : null;
}
