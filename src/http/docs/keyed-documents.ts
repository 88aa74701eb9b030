import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { assert } from "../../kernel/assert.ts";
import { apiDocument } from "../plugins/openapi.ts";
import { guidePage, guides } from "./guides.ts";
import { escapeHtml } from "./html-text.ts";
import { indexPage } from "./index-page.ts";
import { type KeyNotice, leadToKey, noNotice, withKey } from "./key-samples.ts";
import { writtenAddress } from "./packed-document.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";
import { referenceText } from "./reference-text.ts";
import { stillPolicy } from "./site-page.ts";

/** Pages whose samples take a key, and each of them with one. */
export interface KeyedDocuments {
  list(): readonly { readonly path: string; readonly title: string }[];
  /** The page at a path of the list, for one answer that nobody keeps. */
  withKey(path: string, key: ShownKey): { readonly html: string; readonly policy: string };
}

interface ShownKey {
  readonly text: string;
  /** `key_12`. */
  readonly id: string;
  /** This deployment's address. */
  readonly origin: string;
}

interface StillPage {
  readonly path: string;
  readonly title: string;
  readonly make: (notice: KeyNotice) => string;
}

function takesKey({ make }: StillPage): boolean {
  return make(leadToKey) !== make(noNotice);
}

const reference = { path: "/docs/api", title: "Reference" };

export function openKeyedDocuments(app: FastifyInstance, apiPath: string): KeyedDocuments {
  const still: readonly StillPage[] = [
    { path: "/docs", title: "Documentation", make: (notice) => indexPage(apiPath, notice) },
    ...guides.map((guide) => ({
      path: `/docs/${guide.name}`,
      title: guide.title,
      make: (notice: KeyNotice) => guidePage(guide, notice),
    })),
  ];
  let kept: ReturnType<KeyedDocuments["list"]> | null = null;
  let text: string | null = null;
  return {
    list() {
      kept ??= [reference, ...still.filter(takesKey).map(({ path, title }) => ({ path, title }))];
      return kept;
    },
    withKey(path, key) {
      const notice = shownOnce(path, key);
      if (path === reference.path) {
        text ??= referenceText(apiDocument(app));
        const nonce = randomBytes(16).toString("base64url");
        const html = referencePage(nonce, text, { notice, key: key.text });
        return { html, policy: referencePolicy(nonce) };
      }
      const page = still.find((each) => each.path === path);
      assert(page !== undefined, "the page is on the list");
      const addressed = page.make(() => notice).replaceAll(writtenAddress, () => key.origin);
      return { html: withKey(elsewhere(addressed, path), key.text), policy: stillPolicy };
    },
  };
}

function shownOnce(path: string, { text, id }: ShownKey): string {
  return `<aside class="notice" aria-label="The samples' key">The samples hold your new sandbox key
<code>${escapeHtml(text)}</code>, this once: copy what you need.
<a href="/test/keys/${escapeHtml(id)}">The key in the dashboard</a> <a href="${escapeHtml(path)}">The page without it</a></aside>
`;
}

/** Links that count from the page's own address, for an answer at another one. */
function elsewhere(html: string, path: string): string {
  return html.replace(/ (href|src)="(?![a-z]+:|[/#])([^"]*)"/g, (_whole, name: string, to: string) => {
    const { pathname, hash } = new URL(to, `http://documents.example${path}`);
    return ` ${name}="${pathname}${hash}"`;
  });
}
