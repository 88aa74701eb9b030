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
  const note = `${active} of ${activeKeysMax} test keys are in use`;
  return page(
    { title: `${chosen.title}, with a key of yours`, note, status: typed.status },
    <>
      <SandboxNote />
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
            <Form
              action={here}
              hidden={{ page: chosen.path }}
              submit="Make a key and show the page"
              cancelHref={chosen.path}
              error={explained(typed)}
            />
          </>
        )}
      </Sheet>
    </>,
  );
}
