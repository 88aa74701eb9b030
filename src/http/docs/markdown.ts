import { Marked, Renderer, type Tokens } from "marked";

interface RenderedMarkdown {
  readonly html: string;
  /** The headings of the second level, by their anchors. */
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/**
 * The repository's Markdown as HTML. Anchors are GitHub's, so that a link works in both places; `name.md` becomes `name`,
 * since pages are served where their files lie. HTML within the text is shown as text, but for the names of anchors, and
 * comments are left out.
 * @param at where the file is served: what its relative links count from
 */
export function renderMarkdown(text: string, at: string): RenderedMarkdown {
  const renderer = new GuideRenderer();
  renderer.at = at;
  const html = new Marked().parse(text, { renderer, async: false });
  return { html, sections: renderer.headings.filter(({ depth }) => depth === 2) };
}

class GuideRenderer extends Renderer {
  at = "/";
  readonly headings: { id: string; title: string; depth: number }[] = [];

  override heading({ tokens, depth }: Tokens.Heading): string {
    const title = tokens.map(plainText).join("");
    const id = this.#anchorOf(title);
    this.headings.push({ id, title, depth });
    const text = this.parser.parseInline(tokens);
    if (depth === 1) return `<h1>${text}</h1>\n`;
    return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${text}</a></h${depth}>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    return `<a href="${escapeHtml(this.#servedAt(href))}">${this.parser.parseInline(tokens)}</a>`;
  }

  override image({ href, text }: Tokens.Image): string {
    return `<img src="${escapeHtml(this.#servedAt(href))}" alt="${escapeHtml(text)}">`;
  }

  override code({ text }: Tokens.Code): string {
    // A keyboard scrolls what has the focus.
    return `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`;
  }

  override table(token: Tokens.Table): string {
    return `<div class="wide" tabindex="0">${super.table(token)}</div>\n`;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    if (text === "</a>") return text;
    const [, anchor] = /^<a id="(\w+)">$/.exec(text) ?? [];
    if (anchor !== undefined) return `<a class="anchor" id="${anchor}" href="#${anchor}">`;
    return text.startsWith("<!--") ? "" : escapeHtml(text);
  }

  /** GitHub's: what is alike gets a number. */
  #anchorOf(title: string): string {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const alike = this.headings.filter(({ id }) => id === anchor || id.replace(/-\d+$/, "") === anchor).length;
    return alike === 0 ? anchor : `${anchor}-${alike}`;
  }

  /** Where a page of the repository is served: beside its file, without the ending. Others' addresses stay. */
  #servedAt(href: string): string {
    if (/^([a-z]+:|\/|#)/.test(href)) return href;
    const { pathname, hash } = new URL(href, `http://documents.example${this.at}`);
    return pathname.replace(/\.md$/, "") + hash;
  }
}

function plainText(token: Tokens.Generic): string {
  if (token.tokens !== undefined) return token.tokens.map(plainText).join("");
  return "text" in token ? String(token.text) : "";
}

/** Text for HTML, between tags and within quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
