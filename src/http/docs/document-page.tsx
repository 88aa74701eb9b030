import type { VNode } from "preact";
import { addressOf, type DocumentPage, listGuides } from "./documents.ts";
import { renderMarkdown } from "./markdown.ts";
import { Links, Prose, renderSitePage } from "./site-page.tsx";

/** What stands in samples where a reader's own key goes. */
const keyPlaceholder = "ds_test_…";
const samples = /<pre[^>]*>[\s\S]*?<\/pre>/g;

/** What a page whose samples take a key says of it above its text. `path` is the page's: `/docs/examples`. */
export type KeyNotice = (path: string) => VNode;

interface Shown {
  /** Above the text, whatever the samples take. */
  readonly above?: VNode;
  readonly keyNotice?: KeyNotice | null;
  /** Stands in the samples; a key has letters, digits and underscores alone. */
  readonly key?: string;
}

export function renderDocument(document: DocumentPage, { above, keyNotice, key }: Shown): string {
  const path = addressOf(document);
  const { html, sections } = rendered(document);
  const notice = above ?? (keyNotice && hasPlaceholder(html) ? keyNotice(path) : null);
  const withKey = (sample: string) => (key === undefined ? sample : sample.replaceAll(keyPlaceholder, () => key));
  const { part, title } = document;
  const beside = part === "guides" ? listGuides().map((guide) => ({ href: addressOf(guide), title: guide.title })) : [];
  const links = part === "errors" ? [{ href: path, title }] : beside;
  const body = (
    <div class="columns">
      {links.length > 0 ? <Links label={title} links={links} current={path} sections={sections} /> : null}
      <Prose html={html.replace(samples, withKey)} />
    </div>
  );
  return renderSitePage({ title, part, notice, body });
}

/** Whether a page has a sample with the placeholder. */
export function takesKey(document: DocumentPage): boolean {
  return hasPlaceholder(rendered(document).html);
}

function rendered({ name, text, at = `/docs/${name}` }: DocumentPage) {
  return renderMarkdown(text(), at);
}

function hasPlaceholder(html: string): boolean {
  return html.match(samples)?.some((sample) => sample.includes(keyPlaceholder)) ?? false;
}

/** Leads to the console, which makes a key and shows the page with it. */
export const leadToKey: KeyNotice = (path) => (
  <aside class="notice" aria-label="The samples' key">
    The samples have a placeholder where your key goes.{" "}
    <a href={`/test/try/documents?${new URLSearchParams({ page: path })}`}>Show them with a sandbox key of yours</a>
  </aside>
);
