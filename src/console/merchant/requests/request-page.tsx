import { keyHint } from "../../../domain/merchants/key-format.ts";
import type { ApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import type { LoggedRequest } from "../../../domain/request-log/logged-request.ts";
import type { ApiKeyId } from "../../../kernel/ids.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import { CodeBlock, CopyButton, type Fact, Facts } from "../../kit/parts/data.tsx";
import { ButtonLink, Columns, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, type MomentFormat } from "../../kit/parts/text.tsx";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { may } from "../access.ts";
import { requestCurl } from "../request-curl.ts";
import { CodeMeaning } from "./code-words.tsx";
import { endpointText } from "./request-query.ts";
import { durationText, RequestStatus } from "./request-words.tsx";

interface RequestShown {
  readonly request: LoggedRequest;
  /** The key that it came with, where that is there still. */
  readonly key: ApiKeyRow | null;
  readonly format: MomentFormat;
}

/** One request with all that is kept of it. */
export function requestPage(visit: ModeVisit, shown: RequestShown): PageAnswer {
  const { request } = shown;
  const title = `${request.method} ${endpointText(request.endpoint)}`;
  const { reference, body } = request;
  return page(
    title,
    <>
      <PageHead
        title={title}
        actions={
          <>
            {reference === null ? null : (
              <ButtonLink href={modePath(visit, `transactions/${encodeURIComponent(reference)}`)}>Timeline</ButtonLink>
            )}
            <ButtonLink href={modePath(visit, "requests")}>All requests</ButtonLink>
          </>
        }
      >
        <RequestStatus of={request} />
      </PageHead>
      <Columns>
        <Sheet title="What was sent" note="Secrets are left out, customers' numbers masked">
          <CodeBlock label="Path" code={`${request.method} ${request.path}`} />
          {body === null ? <p>It had no body.</p> : <CodeBlock label="Body" code={readable(body)} />}
          {may(visit.member.role, "develop") ? (
            <>
              <CodeBlock label="As curl" code={requestCurl(request, visit.place.origin)} />
              <p class="hint">
                Put your own key and the masked values in. A purchase with the same reference is not made twice.
              </p>
            </>
          ) : null}
        </Sheet>
        <Sheet title="What happened">
          {request.code === null ? null : (
            <p>
              <CodeMeaning code={request.code} />
            </p>
          )}
          <Facts facts={factsOf(visit, shown)} />
        </Sheet>
      </Columns>
    </>,
  );
}

function factsOf(visit: ModeVisit, { request, key, format }: RequestShown): Fact[] {
  const { status, code, reference, address, requestId, keyId, durationMs, endpoint } = request;
  const list = (query: Record<string, string>) => `${modePath(visit, "requests")}?${new URLSearchParams(query)}`;
  return [
    { name: "Answered", value: <Moment at={request.at} format={format} style="full" /> },
    { name: "Took", value: durationText(durationMs) },
    { name: "Status", value: status === null ? "none: the client had left" : status },
    ...(code === null ? [] : [{ name: "Code", value: <a href={list({ code })}>{code}</a> }]),
    { name: "Endpoint", value: <a href={list({ endpoint })}>{endpointText(endpoint)}</a> },
    ...(reference === null
      ? []
      : [
          {
            name: "Reference",
            value: (
              <>
                <a href={modePath(visit, `transactions/${encodeURIComponent(reference)}`)}>{reference}</a>{" "}
                <CopyButton text={reference} subject="the reference" />
              </>
            ),
          },
        ]),
    {
      name: "Request id",
      value: (
        <>
          <code>{requestId}</code> <CopyButton text={requestId} subject="the request id" />
        </>
      ),
    },
    {
      name: "Key",
      value:
        keyId === null ? (
          "none: a member sent it from this dashboard"
        ) : (
          <a href={list({ key: formatApiKeyId(keyId) })}>{keyText(keyId, key)}</a>
        ),
    },
    {
      name: "From",
      value: address === null ? "an unreadable address" : <a href={list({ address })}>{address}</a>,
    },
  ];
}

function keyText(id: ApiKeyId, key: ApiKeyRow | null): string {
  if (key === null) return formatApiKeyId(id);
  const { label, mode, first_characters: firstCharacters, last_characters: lastCharacters } = key;
  return `${label} ${keyHint({ mode, firstCharacters, lastCharacters })}`.trim();
}

/** As it is kept it is one line, and no JSON where it was cut. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
