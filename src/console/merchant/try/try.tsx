import { Refusal, refuse } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import type { Form } from "../../kit/form.ts";
import { notFoundPage } from "../../kit/gate-pages.tsx";
import { PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import type { ModeRoutes } from "../../kit/routes.ts";
import type { ModeVisit } from "../../kit/visit.ts";
import { documentPages } from "./documents.tsx";
import { callText, operationPage, prefilled, SandboxNote, type Typed, typedIn } from "./operation-page.tsx";
import type { SentRequest, TryOperation, TryPageServices } from "./try-services.ts";

const here = "/test/try";
const capability = { test: "develop" } as const;

/**
 * The API, tried out without a program and without a key: what is sent here goes to the sandbox, and live mode has
 * no such addresses. A form is harmless: each operation that is offered either reads or is done once per reference.
 */
export function tryPages(routes: ModeRoutes, services: TryPageServices): void {
  const { tryIt, people } = services;

  routes.page("/try", {
    capability,
    show: (visit) => listPage(visit, services),
  });
  documentPages(routes, services);

  const operationOf = ({ request }: ModeVisit): TryOperation | null => {
    const { operation } = request.params as { readonly operation: string };
    return tryIt.operations().find(({ id }) => id === operation) ?? null;
  };

  routes.page("/try/:operation", {
    capability,
    show(visit) {
      const of = operationOf(visit);
      if (of === null) return notFoundPage();
      const typed = prefilled(of, visit.query, people.randomness);
      return operationPage(visit, { of, typed, preview: previewOf(services, of, typed) });
    },
  });

  routes.form("/try/:operation", {
    capability,
    isHarmless: true,
    doneAt: () => here,
    refused: (visit, form, refusal) => again(visit, operationOf(visit), { form, refusal }),
    async send(visit, form) {
      const of = operationOf(visit) ?? unknown();
      const typed = typedIn(of, form);
      const { address, place, member } = visit;
      const tried = await tryIt.send(member, { operation: of.id, ...typed, address, origin: place.origin });
      return operationPage(visit, { of, typed, tried });
    },
  });
}

/** Null where the address names what no request can be made of. */
function previewOf({ tryIt }: TryPageServices, { id: operation }: TryOperation, typed: Typed): SentRequest | null {
  try {
    return tryIt.preview({ operation, ...typed });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function unknown(): never {
  throw refuse("NOT_FOUND");
}

/** The form as it was sent, with what is wrong with it. */
function again(
  visit: ModeVisit,
  of: TryOperation | null,
  { form, refusal }: { readonly form: Form; readonly refusal: Refusal },
): PageAnswer {
  return of === null ? notFoundPage() : operationPage(visit, { of, typed: typedIn(of, form), refusal });
}

function listPage(visit: ModeVisit, { tryIt, documents }: TryPageServices): PageAnswer {
  return page(
    "Try the API",
    <>
      <PageHead title="Try the API">Real requests to the sandbox, without a program and without a key</PageHead>
      <SandboxNote visit={visit} />
      <Sheet title="Requests" isPadded={false}>
        <Table
          caption="Requests to try"
          rows={tryIt.operations()}
          href={({ id }) => `${here}/${id}`}
          columns={[
            { title: "What it does", cell: ({ title }) => title, place: "lead" },
            { title: "Request", cell: (operation) => <code>{callText(operation)}</code>, place: "under" },
            { title: "To", cell: ({ purpose }) => purpose, isQuiet: true, place: "none" },
          ]}
          empty={null}
        />
      </Sheet>
      <Sheet title="Documents with a key of yours in their samples" isPadded={false}>
        <Table
          caption="Documents whose samples take a key"
          rows={documents.list()}
          href={({ path }) => `${here}/documents?${new URLSearchParams({ page: path })}`}
          columns={[
            { title: "Document", cell: ({ title }) => title, place: "lead" },
            { title: "Address", cell: ({ path }) => <code>{path}</code>, place: "under" },
          ]}
          empty={null}
        />
      </Sheet>
    </>,
  );
}
