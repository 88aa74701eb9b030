import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";
import { useSurroundings } from "./surroundings.ts";

interface PageHeadProps {
  readonly title: string;
  /** The pages that this one is part of, outermost first. */
  readonly crumbs?: readonly Crumb[];
  /** A `<Status>` beside the title. */
  readonly status?: ComponentChildren;
  /** One line: when, how many, in all. */
  readonly children?: ComponentChildren;
  /** `<ButtonLink>`s of the page itself. */
  readonly actions?: ComponentChildren;
}

/** The page's own heading, which a soft navigation moves the focus to. */
export function PageHead({ title, crumbs = [], status, children, actions }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        {crumbs.length === 0 ? null : <Crumbs crumbs={crumbs} last={title} />}
        <h1 tabIndex={-1}>
          {title}
          {status === undefined ? null : <> {status}</>}
        </h1>
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {actions === undefined ? null : <div class="buttons">{actions}</div>}
    </header>
  );
}

interface SheetProps {
  readonly title?: ComponentChildren;
  /** At the end of the title's line: a count, a unit, a link. */
  readonly note?: ComponentChildren;
  readonly id?: string;
  /** False where a table or a list reaches the edges. */
  readonly isPadded?: boolean;
  /** Buttons at its foot: what can be done with what it shows. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A white area with one subject, under its own heading. */
export function Sheet({ title, note, id, isPadded = true, actions, children }: SheetProps) {
  return (
    <section class="sheet" id={id}>
      {title === undefined ? null : (
        <header>
          {typeof title === "string" ? <h2>{title}</h2> : title}
          {note === undefined ? null : <span>{note}</span>}
        </header>
      )}
      {isPadded ? <div class="inside">{children}</div> : children}
      {actions === undefined ? null : <footer class="buttons">{actions}</footer>}
    </section>
  );
}

interface ColumnsProps {
  /** `aside`: the second is narrow and stays in sight; `even`: as wide as the first; `equal`: as high. */
  readonly kind?: "aside" | "even" | "equal";
  readonly children: ComponentChildren;
}

/** Sheets side by side, the first wider than the second; one under the other where it is narrow. */
export function Columns({ kind, children }: ColumnsProps) {
  return <div class={kind === undefined ? "columns" : `columns ${kind}`}>{children}</div>;
}

interface DetailProps {
  /** What is open: a reference, a name. */
  readonly label: string;
  /** The list alone, and its name. */
  readonly closeHref: string;
  readonly listName: string;
  /** Sheets; the first one's `end` is a `<CloseLink>`. */
  readonly children: ComponentChildren;
}

/**
 * One thing of a list, opened beside it, or in its place where it is narrow. It has its own address, so it can be linked and
 * needs no JavaScript.
 */
export function Detail({ label, closeHref, listName, children }: DetailProps) {
  return (
    <article class="detail" aria-label={label} tabIndex={-1} autofocus>
      <Crumbs crumbs={[[listName, closeHref]]} last={label} />
      {children}
    </article>
  );
}

/** The way out of what is open. */
export function CloseLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <a class="button plain square small" href={href} data-keys="Escape" aria-label={`Close ${label}`}>
      <Icon name="cross" />
    </a>
  );
}

/** A list and what is open of it. */
export function Split({
  children,
  detail,
}: {
  readonly children: ComponentChildren;
  readonly detail: ComponentChildren;
}) {
  if (detail === null || detail === undefined) return <>{children}</>;
  return (
    <div class="split">
      <div class="list">{children}</div>
      {detail}
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly class?: string;
  readonly options: readonly { readonly name: string; readonly href: string; readonly isCurrent: boolean }[];
}

/** The same page in one of a few ways: the one that is shown is no link. */
export function Switch({ label, class: more = "", options }: SwitchProps) {
  return (
    <nav class={`switch ${more}`.trim()} aria-label={label}>
      {options.map(({ name, href, isCurrent }) =>
        isCurrent ? (
          <span key={name} aria-current="true">
            {name}
          </span>
        ) : (
          <a key={name} href={href}>
            {name}
          </a>
        ),
      )}
    </nav>
  );
}

/** A page that this one is part of. */
export type Crumb = readonly [name: string, href: string];

/** The way back up; the last one is where one is. */
export function Crumbs({ crumbs, last }: { readonly crumbs: readonly Crumb[]; readonly last: string }) {
  return (
    <ol class="crumbs" aria-label="You are here">
      {crumbs.map(([name, href]) => (
        <li key={href}>
          <a href={href}>{name}</a>
        </li>
      ))}
      <li aria-current="page">{last}</li>
    </ol>
  );
}

/** `main` is what the form or page is for, one at most; `danger` can't be undone; `quiet` has no edge. */
export type ButtonKind = "main" | "plain" | "danger" | "quiet";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize | undefined;
  readonly icon?: IconName;
  readonly name?: string;
  readonly value?: string;
  /** Sends the form to another address than its own. */
  readonly action?: string;
  /** Where what it does can be seen, whether its answer came or not. */
  readonly done?: string;
  readonly isDisabled?: boolean;
}

/** Sends the form that it stands in. */
export function Button(props: ButtonProps) {
  const { children, kind, size, icon, name, value, action, done, isDisabled = false } = props;
  return (
    <button
      class={buttonClass(kind, size)}
      type="submit"
      {...{ name, value, "data-done": done }}
      formAction={action}
      disabled={isDisabled}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize | undefined;
  readonly icon?: IconName;
  /** It leads to a file: the browser saves it, and no island looks at it. */
  readonly isDownload?: boolean;
}

export function ButtonLink({ href: to, children, kind, size, icon, isDownload = false }: ButtonLinkProps) {
  const { merchant } = useSurroundings().formFields;
  // A file is of the business whose page offers it, whatever another tab has chosen since.
  const href = isDownload && merchant ? `${to}${to.includes("?") ? "&" : "?"}business=${merchant}` : to;
  return (
    <a class={buttonClass(kind, size)} href={href} download={isDownload ? "" : undefined}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </a>
  );
}

/** Buttons side by side, wrapped where it is narrow. */
export function Buttons({ children }: { readonly children: ComponentChildren }) {
  return <div class="buttons">{children}</div>;
}

/** `small` in rows, `large` for what a page is all about, `wide` as wide as its place. */
export type ButtonSize = "small" | "large" | "wide";

const kindClasses: Readonly<Record<ButtonKind, string>> = { main: "main", plain: "", danger: "danger", quiet: "plain" };

function buttonClass(kind: ButtonKind = "plain", size: ButtonSize | "" = ""): string {
  return ["button", kindClasses[kind], size].filter(Boolean).join(" ");
}

interface ScrollAreaProps {
  /** What is in it. */
  readonly label: string;
  /** Long as well: it is no higher than most of the screen. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
}

/** What may be wider than the screen scrolls by itself, by keyboard too; the page never scrolls sideways. */
export function ScrollArea({ label, isTall = false, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus
    <section class={isTall ? "scroll-area tall" : "scroll-area"} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface EmptyProps {
  /** What is not here: `No sales yet`. */
  readonly title: string;
  readonly icon?: IconName;
  /** What will be here, and how to get it there. */
  readonly children: ComponentChildren;
  /** A `<ButtonLink>` to it. */
  readonly action?: ComponentChildren;
}

export function Empty({ title, icon, children, action }: EmptyProps) {
  return (
    <div class="empty">
      {icon === undefined ? null : <Icon name={icon} />}
      <p class="title">{title}</p>
      <p>{children}</p>
      {action ? <div class="buttons">{action}</div> : null}
    </div>
  );
}
