import type { ComponentChildren } from "preact";

interface PageHeadProps {
  readonly title: string;
  /** One line: when, how many, in all. */
  readonly children?: ComponentChildren;
  /** `<ButtonLink>`s of the page itself. */
  readonly actions?: ComponentChildren;
}

/** The page's own heading, which a soft navigation moves the focus to. */
export function PageHead({ title, children, actions }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {actions === undefined ? null : <div class="buttons">{actions}</div>}
    </header>
  );
}

interface SheetProps {
  readonly title?: string;
  /** At the end of the title's line: a count, a unit, a link. */
  readonly note?: ComponentChildren;
  readonly id?: string;
  /** False where a table or a list reaches the edges. */
  readonly isPadded?: boolean;
  readonly children: ComponentChildren;
}

/** A white area with one subject, under its own heading. */
export function Sheet({ title, note, id, isPadded = true, children }: SheetProps) {
  return (
    <section class="sheet" id={id}>
      {title === undefined ? null : (
        <header>
          <h2>{title}</h2>
          {note === undefined ? null : <span>{note}</span>}
        </header>
      )}
      {isPadded ? <div class="inside">{children}</div> : children}
    </section>
  );
}

/** Sheets side by side, the first twice as wide; one under the other where it is narrow. */
export function Columns({ children }: { readonly children: ComponentChildren }) {
  return <div class="columns">{children}</div>;
}

interface DrawerProps {
  /** What is open: a reference, a name. */
  readonly label: string;
  /** The list alone. */
  readonly closeHref: string;
  /** A `<Status>`, in the line with the way out. */
  readonly status?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One thing of a list, opened beside it. It has its own address, so it can be linked and needs no JavaScript. */
export function Drawer({ label, closeHref, status, children }: DrawerProps) {
  return (
    <aside class="sheet drawer" aria-label={label} tabIndex={-1} autofocus>
      <header>
        <span>{status}</span>
        <a class="button quiet" href={closeHref} data-keys="Escape" aria-label={`Close ${label}`}>
          Close
        </a>
      </header>
      <div class="inside">{children}</div>
    </aside>
  );
}

/** A list and the drawer beside it; on a narrow screen what is open comes first. */
export function Split({
  children,
  drawer,
}: {
  readonly children: ComponentChildren;
  readonly drawer: ComponentChildren;
}) {
  if (drawer === null || drawer === undefined) return <>{children}</>;
  return (
    <div class="split">
      <div>{children}</div>
      {drawer}
    </div>
  );
}

/** `main` is what the page is for, one at most; `danger` can't be undone; `quiet` looks like a link. */
export type ButtonKind = "main" | "plain" | "danger" | "quiet";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind;
  readonly name?: string;
  readonly value?: string;
  /** Sends the form to another address than its own. */
  readonly action?: string;
  readonly isDisabled?: boolean;
}

/** Sends the form that it stands in. */
export function Button({ children, kind = "plain", name, value, action, isDisabled = false }: ButtonProps) {
  return (
    <button class={buttonClass(kind)} type="submit" {...{ name, value }} formAction={action} disabled={isDisabled}>
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind;
  /** It leads to a file: the browser saves it, and no island looks at it. */
  readonly isDownload?: boolean;
}

/** A link that looks like a button. */
export function ButtonLink({ href, children, kind = "plain", isDownload = false }: ButtonLinkProps) {
  return (
    <a class={buttonClass(kind)} href={href} download={isDownload ? "" : undefined}>
      {children}
    </a>
  );
}

/** Buttons side by side, wrapped where it is narrow. */
export function Buttons({ children }: { readonly children: ComponentChildren }) {
  return <div class="buttons">{children}</div>;
}

function buttonClass(kind: ButtonKind): string {
  return kind === "plain" ? "button" : `button ${kind}`;
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
  /** What will be here, and how to get it there. */
  readonly children: ComponentChildren;
  /** A `<ButtonLink>` to it. */
  readonly action?: ComponentChildren;
}

/** A list without rows. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      <p>{children}</p>
      {action}
    </div>
  );
}
