import type { Readable } from "node:stream";
import type { ComponentChildren } from "preact";
import type { Flash } from "./session-cookies.ts";

/** A page inside the shell. */
export interface PageAnswer {
  readonly kind: "page";
  readonly title: string;
  readonly body: ComponentChildren;
  /** The HTTP status, where it is not 200. */
  readonly status?: number;
  /** Buttons beside the search form. */
  readonly actions?: ComponentChildren;
}

/** On to another page, which may begin with a sentence of what was done. */
export interface RedirectAnswer {
  readonly kind: "redirect";
  readonly to: string;
  readonly flash?: Flash;
}

/** A file to keep, streamed where it is long. */
export interface FileAnswer {
  readonly kind: "file";
  readonly name: string;
  readonly type: string;
  readonly content: Readable | Buffer | string;
}

/** A whole page of another design, such as one of the documents. */
export interface DocumentAnswer {
  readonly kind: "document";
  readonly html: string;
  /** Its own content security policy. */
  readonly policy: string;
}

export type Answer = PageAnswer | RedirectAnswer | FileAnswer | DocumentAnswer;

export function page(title: string, body: ComponentChildren, more: Partial<PageAnswer> = {}): PageAnswer {
  return { kind: "page", title, body, ...more };
}

/** On to another page. `done` is said on it. */
export function goTo(path: string, done?: string): RedirectAnswer {
  const to = forHeader(path);
  return done === undefined ? { kind: "redirect", to } : { kind: "redirect", to, flash: { kind: "good", text: done } };
}

/** On to another page, which says why nothing was done. */
export function goBack(to: string, why: string): RedirectAnswer {
  return { kind: "redirect", to: forHeader(to), flash: { kind: "bad", text: why } };
}

/** A path may name what was read from an address: a header holds no line break and no letter beyond ASCII. */
function forHeader(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}
