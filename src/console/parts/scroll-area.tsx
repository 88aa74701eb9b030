import type { ComponentChildren } from "preact";

interface ScrollAreaProps {
  /** What is in it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the screen scrolls by itself, by keyboard too; the page never scrolls sideways. */
export function ScrollArea({ label, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus
    <section class="scroll-area" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
