import { activeKeysMax, createKey, keyStateOf } from "../../../domain/merchants/api-keys.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import { auditName } from "../../../domain/people/person.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { notFoundPage } from "../../kit/gate-pages.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import type { ModeRoutes } from "../../kit/routes.ts";
import type { ModeVisit } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { changingKeys } from "../keys/changing-keys.ts";
import { explained } from "../keys/key-list.tsx";
import { SandboxNote } from "./operation-page.tsx";
import type { SampleDocument, TryPageServices } from "./try-services.ts";

const here = "/test/try/documents";
const capability = { test: "develop" } as const;

/**
 * A page of the documents with a new sandbox key in its samples: it is the answer to the form, so the key stands there once,
 * in no address and in no cache. Documents themselves are the same for everybody, and lead here.
 */
export function documentPages(routes: ModeRoutes, services: TryPageServices): void {
  const { documents, people } = services;
  const named = (path: string) => documents.list().find((each) => each.path === path) ?? null;

  async function ask(visit: ModeVisit, path: string, refusal: Refusal | null): Promise<PageAnswer> {
    const chosen = named(path);
    if (chosen === null) return notFoundPage();
    const now = people.clock.now();
    const keys = await listApiKeys(people.database, visit.member.merchantId);
    const active = keys.filter((key) => key.mode === visit.mode && keyStateOf(key, now) === "active").length;
    return askPage(visit, { chosen, active, refusal });
  }

  routes.page("/try/documents", {
    capability,
    show(visit) {
      const path = visit.query.get("page") ?? "";
      // The list has them all.
      return path === "" ? goTo("/test/try") : ask(visit, path, null);
    },
  });

  routes.form("/try/documents", {
    capability,
    doneAt: () => "/test/keys",
    refused: (visit, form, refusal) => ask(visit, form.text("page"), refusal),
    async send(visit, form) {
      const chosen = named(form.text("page"));
      if (chosen === null) throw refuse("NOT_FOUND");
      const label = `Samples of ${chosen.title}`;
      const about = { command: "console key create", details: { mode: "test", label } };
      const changing = changingKeys(services, visit, { ...about, what: `made the test key “${label}”` });
      const createdBy = auditName(visit.session.person);
      const { merchantId } = visit.member;
      const { text, id } = await createKey(changing, { merchantId, mode: "test", label, createdBy });
      const shown = { text, id: formatApiKeyId(id), origin: visit.place.origin };
      return { kind: "document", ...documents.withKey(chosen.path, shown) };
    },
  });
}

interface AskShown {
  readonly chosen: SampleDocument;
  /** Test keys in use. */
  readonly active: number;
  readonly refusal: Refusal | null;
}

function askPage(visit: ModeVisit, { chosen, active, refusal }: AskShown): PageAnswer {
  const title = `${chosen.title}, with a key of yours`;
  const isFull = refusal === null ? active >= activeKeysMax : refusal.code === "KEY_LIMIT_REACHED";
  return page(
    title,
    <>
      <PageHead title={title}>
        {active} of {activeKeysMax} test keys are in use
      </PageHead>
      <SandboxNote visit={visit} />
      <Sheet>
        {isFull ? (
          <Empty title="No key is left to make" action={<ButtonLink href="/test/keys">Test keys</ButtonLink>}>
            All {activeKeysMax} test keys are in use. Revoke one that no program needs, and come back; or read{" "}
            <a href={chosen.path}>the page as it is</a> and put a key that you have in the place of the placeholder.
          </Empty>
        ) : (
          <>
            <p>
              This makes a sandbox key, number {active + 1} of {activeKeysMax}, and shows the page with it in its
              samples, ready to be copied. It stands there this once: a reload brings the placeholder back, and the key
              still works.
            </p>
            <VisitForm
              visit={visit}
              action={here}
              hidden={{ page: chosen.path }}
              submit="Make a key and show the page"
              cancelHref={chosen.path}
              error={refusal === null ? null : explained(refusal)}
            />
          </>
        )}
      </Sheet>
    </>,
    { status: refusal === null ? 200 : problems[refusal.code].status },
  );
}
