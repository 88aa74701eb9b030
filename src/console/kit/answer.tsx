import type { Readable } from "node:stream";
import type { ComponentChildren } from "preact";
import type { Refusal } from "../../kernel/problems.ts";
import { PageFault } from "./parts/form.tsx";
import { type Crumb, PageHead } from "./parts/layout.tsx";
import type { Flash as KeptFlash } from "./session-cookies.ts";

/** A page inside the shell. */
export interface PageAnswer {
  readonly kind: "page";
  readonly title: string;
  readonly body: ComponentChildren;
  readonly status: number;
  /** Buttons beside the search form. */
  readonly barActions: ComponentChildren;
  /** Why the form that it shows again was refused. The page says it where no field does. */
  readonly refusal?: Refusal;
}

/** On to another page, which may begin with a sentence of what was done. */
export interface RedirectAnswer {
  readonly kind: "redirect";
  readonly to: string;
  readonly flash?: KeptFlash;
}

/** A file to keep, streamed where it is long. */
export interface FileAnswer {
  readonly kind: "file";
  readonly name: string;
  readonly type: string;
  readonly content: Readable | Buffer | string;
}

export function csvAnswer(name: string, content: FileAnswer["content"]): FileAnswer {
  return { kind: "file", name, type: "text/csv; charset=utf-8", content };
}

/** A whole page of another design, such as one of the documents. */
export interface DocumentAnswer {
  readonly kind: "document";
  readonly html: string;
  readonly policy: string;
}

/** Server-sent events, for as long as the stream goes on. */
export interface EventsAnswer {
  readonly kind: "events";
  readonly stream: Readable;
}

/** A page without the shell: for whoever is not in yet. */
export interface FrameAnswer {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly footer?: ComponentChildren;
  readonly flash?: { readonly kind: "good" | "bad" | "waiting"; readonly text: string } | null;
  readonly status?: number;
}

export type Answer = PageAnswer | RedirectAnswer | FileAnswer | DocumentAnswer | EventsAnswer;

interface Head {
  readonly title: string;
  /** What stands over the page, where that is not its title. */
  readonly heading?: string;
  /** The pages that it is part of, outermost first. */
  readonly crumbs?: readonly Crumb[];
  /** A `<Status>` beside the heading. */
  readonly state?: ComponentChildren;
  /** One line under it: when, how many, in all. */
  readonly note?: ComponentChildren;
  /** `<ButtonLink>`s of the page itself. */
  readonly actions?: ComponentChildren;
  /** Buttons beside the search form. */
  readonly barActions?: ComponentChildren;
  /** The HTTP status, where it is not 200 and no form was refused. */
  readonly status?: number;
  /** What is wrong with all of it, where no form was refused. */
  readonly problem?: string | null;
}

/** A page that begins with its heading. */
export function page(head: Head | string, body: ComponentChildren): PageAnswer {
  if (typeof head === "string") return page({ title: head }, body);
  const { title, heading = title, crumbs, state, note, actions, barActions, status = 200, problem = null } = head;
  const whole = (
    <>
      <PageHead title={heading} actions={actions} status={state} crumbs={crumbs ?? []}>
        {note}
      </PageHead>
      {problem === null ? null : <PageFault text={problem} />}
      {body}
    </>
  );
  return { kind: "page", title, body: whole, status, barActions };
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
