import { Refusal, refuse } from "../../../kernel/problems.ts";
import type { SentRequest, TryOperation, TypedTry } from "../../../site/try-it.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { typedForm } from "../../kit/form.ts";
import { TableSheet } from "../../kit/parts/list.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { documentPages } from "./documents.tsx";
import { callText, operationPage, prefilled, requestIn, SandboxNote } from "./operation.tsx";

const here = "/test/try";
const capability = { test: "develop" } as const;

/**
 * The API, tried out without a program and without a key: what is sent here goes to the sandbox, and live mode has
 * no such addresses. A form is harmless: each operation that is offered either reads or is done once per reference.
 */
export function tryPages(routes: ModeRoutes, services: MerchantServices): void {
  const { tryIt, randomness } = services;
  const operationOf = ({ param }: ModeVisit): TryOperation => {
    const found = tryIt.operations().find(({ id }) => id === param("operation"));
    if (found === undefined) throw refuse("NOT_FOUND");
    return found;
  };

  routes.page("/try", { capability, show: () => listPage(services) });
  documentPages(routes, services);

  routes.both("/try/:operation", {
    capability,
    isHarmless: true,
    doneAt: () => here,
    show(visit, typed) {
      const of = operationOf(visit);
      if (typed.refusal !== null) return operationPage(visit, { of, typed });
      const form = prefilled(of, visit.query, randomness);
      const preview = previewOf(services, requestIn(of, form));
      return operationPage(visit, { of, typed: typedForm(form, null), preview });
    },
    async send(visit, form) {
      const of = operationOf(visit);
      const { address, place, member } = visit;
      const tried = await tryIt.send(member, { ...requestIn(of, form), address, origin: place.origin });
      return operationPage(visit, { of, typed: typedForm(form, null), tried });
    },
  });
}

/** Null where the address names what no request can be made of. */
function previewOf({ tryIt }: MerchantServices, typed: TypedTry): SentRequest | null {
  try {
    return tryIt.preview(typed);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function listPage({ tryIt, documents }: MerchantServices): PageAnswer {
  return page(
    { title: "Try the API", note: "Send requests to the sandbox without a program or a key" },
    <>
      <SandboxNote />
      <TableSheet
        title="Requests"
        caption="Requests to try"
        rows={tryIt.operations()}
        href={({ id }) => `${here}/${id}`}
        columns={[
          { title: "What it does", cell: ({ title }) => title, place: "lead" },
          { title: "Request", cell: (operation) => <code>{callText(operation)}</code>, place: "sub" },
          { title: "To", cell: ({ purpose }) => purpose, place: "none" },
        ]}
      />
      <TableSheet
        title="Guides with your key in the samples"
        caption="Guides whose samples take a key"
        rows={documents.list()}
        href={({ path }) => `${here}/documents?${new URLSearchParams({ page: path })}`}
        columns={[
          { title: "Guide", cell: ({ title }) => title, place: "lead" },
          { title: "Address", cell: ({ path }) => <code>{path}</code>, place: "sub" },
        ]}
      />
    </>,
  );
}
