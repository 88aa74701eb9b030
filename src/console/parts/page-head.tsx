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
