import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import { type LoggedRequest, parseLogPlace } from "../../../domain/request-log/logged-request.ts";
import { findLoggedRequest } from "../../../domain/request-log/read-queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { CodeBlock, CopyButton, Facts } from "../../kit/parts/data.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { requestCurl } from "../exports.ts";
import { hintOf } from "../keys/key.tsx";
import type { MerchantServices } from "../services.ts";
import { Copied, purchasePath } from "../transactions/purchase.tsx";
import { CodeMeaning, durationText, endpointText, RequestStatus } from "./request-words.tsx";

/** One request with all that is kept of it. */
export function requestPages(routes: ModeRoutes, { reads }: MerchantServices): void {
  routes.page("/requests/:place", {
    capability: "read_requests",
    async show(visit) {
      const place = parseLogPlace(visit.param("place"));
      const request = place === null ? null : await findLoggedRequest(reads, visit.wallet, place);
      if (request === null) return null;
      const key = (await listApiKeys(reads, visit.member.merchantId)).find(({ id }) => id === request.keyId);
      return requestPage(visit, request, key === undefined ? null : `${key.label} ${hintOf(key)}`.trim());
    },
  });
}

/** `keyText` is the key that it came with, where that is there still. */
function requestPage(visit: ModeVisit, request: LoggedRequest, keyText: string | null): PageAnswer {
  const { reference, body, method, path, code } = request;
  return page(
    {
      title: `${method} ${endpointText(request.endpoint)}`,
      crumbs: [["Request log", visit.to("requests")]],
      state: <RequestStatus of={request} />,
      actions:
        reference === null ? undefined : (
          <ButtonLink href={purchasePath(visit, reference)}>Open transaction</ButtonLink>
        ),
    },
    <Columns kind="even">
      <Sheet title="What you sent" note="Secrets left out, customers’ numbers masked">
        <CodeBlock label="Path" code={`${method} ${path}`} />
        {body === null ? <p>No body</p> : <CodeBlock label="Body" code={readable(body)} />}
        {visit.may("develop") ? (
          <>
            <CodeBlock label="curl" code={requestCurl(request, visit.place.origin)} />
            <p class="hint">Put in your key and the masked values. The same reference is never charged twice.</p>
          </>
        ) : null}
      </Sheet>
      <Sheet title="What happened">
        {code === null ? null : (
          <p>
            <CodeMeaning code={code} />
          </p>
        )}
        <RequestFacts {...{ request, keyText }} />
      </Sheet>
    </Columns>,
  );
}

function RequestFacts({ request, keyText }: { readonly request: LoggedRequest; readonly keyText: string | null }) {
  const visit = useVisit();
  const { at, status, code, reference, address, requestId, keyId, durationMs, endpoint } = request;
  const listed = (query: Record<string, string>, text: string) => (
    <a href={visit.to(`requests?${new URLSearchParams(query)}`)}>{text}</a>
  );
  const id = keyId === null ? "" : formatApiKeyId(keyId);
  return (
    <Facts
      facts={{
        Answered: <Moment at={at} style="full" />,
        Took: durationText(durationMs),
        Status: status === null ? "None: your program closed the connection" : status,
        Code: code && listed({ code }, code),
        Endpoint: listed({ endpoint }, endpointText(endpoint)),
        Reference: reference && (
          <>
            <a href={purchasePath(visit, reference)}>{reference}</a>{" "}
            <CopyButton text={reference} subject="the reference" />
          </>
        ),
        "Request ID": <Copied text={requestId} subject="the request ID" />,
        "API key": id === "" ? "None: sent from the console" : listed({ key: id }, keyText ?? id),
        From: address === null ? "An unknown address" : listed({ address }, address),
      }}
    />
  );
}

/** As it is kept it is one line, and no JSON where it was cut. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
