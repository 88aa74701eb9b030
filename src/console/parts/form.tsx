import type { ComponentChildren } from "preact";
import { Button, type ButtonKind } from "./button.tsx";
import { Flash } from "./flash.tsx";

/** The field that the once-token is sent in. */
export const onceField = "once";

interface FormProps {
  readonly action: string;
  /** Good for one change: the server refuses it the second time. Null where a repetition does no harm. */
  readonly onceToken: string | null;
  readonly submit: string;
  readonly kind?: ButtonKind;
  /** What is wrong as a whole; what is wrong with a field stands at the field. */
  readonly error?: string | null | undefined;
  readonly cancelHref?: string;
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields side by side where there is room, with the button at the end: one or two of them. */
  readonly isInline?: boolean;
  readonly children?: ComponentChildren;
}

/** Something to be changed. A double click is harmless: an island disables the button, the token is good once. */
export function Form(props: FormProps) {
  const { action, onceToken, submit, kind = "main", error, cancelHref, hidden = {}, isInline } = props;
  const sent = onceToken === null ? hidden : { ...hidden, [onceField]: onceToken };
  return (
    <form class={isInline ? "form inline" : "form"} method="post" action={action} data-island="once">
      {Object.entries(sent).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {error ? <Flash kind="bad">{error}</Flash> : null}
      {props.children}
      <div class="buttons">
        <Button kind={kind}>{submit}</Button>
        {cancelHref === undefined ? null : <a href={cancelHref}>Cancel</a>}
      </div>
    </form>
  );
}
