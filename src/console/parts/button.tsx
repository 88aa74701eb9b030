import type { ComponentChildren } from "preact";

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
