import type { ComponentChildren } from "preact";
import type { ButtonKind } from "./button.tsx";

interface DialogProps {
  readonly id: string;
  readonly title: string;
  /** Mostly a `<Form>`. */
  readonly children: ComponentChildren;
}

/** A question over the page, closed by its button, by Escape or by a click beside it. */
export function Dialog({ id, title, children }: DialogProps) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`} closedby="any">
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <form method="dialog">
          <button class="button quiet" type="submit">
            Close
          </button>
        </form>
      </header>
      {children}
    </dialog>
  );
}

interface DialogLinkProps {
  /** The `id` of a `<Dialog>` in the same page. */
  readonly dialogId: string;
  /** A page that asks the same, for those without JavaScript. */
  readonly href: string;
  readonly kind?: ButtonKind;
  readonly children: ComponentChildren;
}

/** Opens a dialog, or leads to the page that asks the same. */
export function DialogLink({ dialogId, href, kind = "plain", children }: DialogLinkProps) {
  return (
    <a class={`button ${kind}`} href={href} data-island="dialog" data-dialog={dialogId}>
      {children}
    </a>
  );
}
