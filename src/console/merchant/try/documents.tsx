import { activeKeysMax, keyStateOf } from "../../../domain/merchants/api-keys.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import { refuse } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { explained, makeKey } from "../keys/key.tsx";
import type { MerchantServices } from "../services.ts";
import { SandboxNote } from "./operation.tsx";

const here = "/test/try/documents";

/**
 * A page of the documents with a new sandbox key in its samples: it is the answer to the form, so the key stands there once,
 * in no address and in no cache. Documents themselves are the same for everybody, and lead here.
 */
export function documentPages(routes: ModeRoutes, services: MerchantServices): void {
  const { documents } = services;
  const named = (path: string) => documents.list().find((each) => each.path === path);

  routes.both("/try/documents", {
    capability: { test: "develop" },
    doneAt: () => "/test/keys",
    show(visit, typed) {
      const path = typed.value("page", visit.query.get("page"));
      // The list has them all.
      return path === "" && typed.refusal === null ? goTo("/test/try") : askPage(services, visit, named(path), typed);
    },
    async send(visit, form) {
      const chosen = named(form.text("page"));
      if (chosen === undefined) throw refuse("NOT_FOUND");
      const { text, id } = await makeKey(services, visit, `Samples of ${chosen.title}`);
      const shown = { text, id: formatApiKeyId(id), origin: visit.place.origin };
      return { kind: "document", ...documents.withKey(chosen.path, shown) };
    },
  });
}

async function askPage(
  { database, clock }: MerchantServices,
  { member, mode }: ModeVisit,
  chosen: { readonly path: string; readonly title: string } | undefined,
  typed: Typed,
): Promise<PageAnswer | null> {
  if (chosen === undefined) return null;
  const now = clock.now();
  const keys = await listApiKeys(database, member.merchantId);
  const active = keys.filter((key) => key.mode === mode && keyStateOf(key, now) === "active").length;
  const isFull = typed.refusal === null ? active >= activeKeysMax : typed.refusal.code === "KEY_LIMIT_REACHED";
  const note = `${active} of ${activeKeysMax} test keys in use`;
  return page(
    { title: `${chosen.title} with your key`, note },
    <>
      <SandboxNote />
      <Sheet>
        {isFull ? (
          <Empty
            title="All test keys are in use"
            icon="key"
            action={<ButtonLink href="/test/keys">Test keys</ButtonLink>}
          >
            Revoke one that nothing needs, then come back. Or read <a href={chosen.path}>the page without a key</a> and
            put yours in.
          </Empty>
        ) : (
          <>
            <p>
              We create test key {active + 1} of {activeKeysMax} and show the page with it in its samples, ready to
              copy. You see the key once; after a reload the samples have a placeholder, and the key still works.
            </p>
            <Form
              action={here}
              hidden={{ page: chosen.path }}
              submit="Create key and show page"
              cancelHref={chosen.path}
              error={explained(typed)}
            />
          </>
        )}
      </Sheet>
    </>,
  );
}
