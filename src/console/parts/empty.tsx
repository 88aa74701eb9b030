import type { ComponentChildren } from "preact";

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
