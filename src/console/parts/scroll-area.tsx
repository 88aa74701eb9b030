import type { ComponentChildren } from "preact";

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
