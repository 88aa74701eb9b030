import type { ComponentChildren } from "preact";

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
