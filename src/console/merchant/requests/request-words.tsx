import { clientLeft, type LoggedRequest, noEndpoint } from "../../../domain/request-log/logged-request.ts";
import { failureCodes } from "../../../kernel/failure-codes.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { grouped, Status } from "../../kit/parts/text.tsx";

const apiPath = "/api/v1/merchant/";

/** `data/purchase` is enough. */
export function endpointOf(text: string): string {
  if (text === noEndpoint || text.startsWith("/api/")) return text;
  return `${apiPath}${text.replace(/^\/+/, "")}`;
}

/** An endpoint as it is read most easily: without what all begin with. */
export function endpointText(endpoint: string): string {
  if (endpoint === noEndpoint) return "No endpoint";
  return endpoint.startsWith(apiPath) ? endpoint.slice(apiPath.length - 1) : endpoint;
}

/** Status and code by word, shape and colour. */
export function RequestStatus({ of: { status, code } }: { readonly of: LoggedRequest }) {
  const words = [status === null ? [] : String(status), code ?? []].flat().join(" ");
  if (code === null) return <Status kind="good">{words}</Status>;
  return <Status kind={status !== null && status < 400 ? "waiting" : "bad"}>{words}</Status>;
}

export function durationText(ms: number): string {
  return ms < 10_000 ? `${grouped(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** What a code of the log means, and what its client does next. */
interface CodeWords {
  readonly meaning: string;
  readonly next: string;
  /** Where the documents tell of it; null where they don't. */
  readonly href: string | null;
}

function wordsOf(code: string): CodeWords {
  const href = `/docs/errors#${code}`;
  if (Object.hasOwn(problems, code)) {
    const { title, next } = problems[code as keyof typeof problems];
    return { meaning: title, next: plain(next), href };
  }
  if (Object.hasOwn(failureCodes, code)) {
    const next = "The sale failed and was refunded. Try again with a new reference, or tell your customer.";
    return { meaning: failureCodes[code as keyof typeof failureCodes], next, href };
  }
  if (code === clientLeft) {
    return {
      meaning: "Your program closed the connection before we answered.",
      next: "Wait longer: up to 75 s for a purchase. Check the sale by its reference before you try again.",
      href: null,
    };
  }
  return { meaning: "A code of an earlier version.", next: "Open its requests.", href: null };
}

/** The catalogue marks code as documents do. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

/** Meaning, what to do, and the way to the documents. */
export function CodeMeaning({ code }: { readonly code: string }) {
  const { meaning, next, href } = wordsOf(code);
  return (
    <>
      {meaning} {next}
      {href === null ? null : (
        <>
          {" "}
          <a href={href}>
            More<span class="unseen"> about {code}</span>
          </a>
        </>
      )}
    </>
  );
}
