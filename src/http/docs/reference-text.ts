import type { ApiDocument, ApiOperation } from "../openapi/api-document.ts";
import { escapeHtml } from "./html-text.ts";
import { renderMarkdown } from "./markdown.ts";

/**
 * The reference in words: what stands on its page before the script has run, and without one. Every operation with its
 * address and what it does; fields and examples are in the OpenAPI document, which the script shows.
 */
export function referenceText(document: ApiDocument): string {
  const { info, paths, tags, webhooks } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation })),
  );
  const events = Object.entries(webhooks).map(([name, { post }]) => ({ address: name, operation: post }));
  const chapters = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<h2 id="text-${escapeHtml(name.toLowerCase())}">${escapeHtml(name)}</h2>
${inline(description)}${listOf(own)}`;
  });
  return `<h1>${escapeHtml(info.title)}</h1>
<p>Everything that follows is also in <a href="/openapi.json">the OpenAPI document</a>. Read on:
<a href="/docs/guides">the guides</a>, <a href="/docs/errors">the errors</a>,
<a href="/docs/examples">examples of every endpoint</a>.</p>
${renderMarkdown(info.description).html}
${chapters.join("\n")}
<h2 id="text-events">Events</h2>
${listOf(events)}`;
}

function listOf(items: readonly { readonly address: string; readonly operation: ApiOperation }[]): string {
  const entries = items.map(
    ({ address, operation }) =>
      `<dt><code>${escapeHtml(address)}</code> ${escapeHtml(operation.summary)}</dt>
<dd>${inline(operation.description)}</dd>`,
  );
  return entries.length === 0 ? "" : `<dl>\n${entries.join("\n")}\n</dl>\n`;
}

function inline(markdown: string): string {
  return renderMarkdown(markdown).html;
}
