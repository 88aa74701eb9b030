import type { FastifyInstance } from "fastify";
import { assert } from "../../kernel/assert.ts";
import { apiDocument } from "../openapi/document.ts";
import { type KeyNotice, renderDocument, takesKey } from "./document-page.tsx";
import { addressOf, listDocuments, writtenAddress } from "./documents.ts";
import { openReference } from "./reference-page.tsx";
import { stillPolicy } from "./site-page.tsx";

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

const reference = { path: "/docs/api", title: "Reference" };

export function openKeyedDocuments(app: FastifyInstance): KeyedDocuments {
  let kept: ReturnType<KeyedDocuments["list"]> | null = null;
  const documents = listDocuments();
  const renderReference = openReference(() => apiDocument(app));
  return {
    list() {
      kept ??= [reference, ...documents.filter(takesKey).map((each) => ({ path: addressOf(each), title: each.title }))];
      return kept;
    },
    withKey(path, key) {
      const keyNotice = shownOnce(key);
      if (path === reference.path) return renderReference({ notice: keyNotice(path), key: key.text });
      const document = documents.find((each) => addressOf(each) === path);
      assert(document !== undefined, "the page is on the list");
      const html = renderDocument(document, { keyNotice, key: key.text });
      return { html: html.replaceAll(writtenAddress, () => key.origin), policy: stillPolicy };
    },
  };
}

function shownOnce({ text, id }: ShownKey): KeyNotice {
  return (path) => (
    <aside class="notice" aria-label="The samples' key">
      The samples hold your new sandbox key <code>{text}</code>, this once: copy what you need.{" "}
      <a href={`/test/keys/${id}`}>The key in the dashboard</a> <a href={path}>The page without it</a>
    </aside>
  );
}
