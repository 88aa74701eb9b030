import type { ComponentChildren } from "preact";
import { onDemand } from "./live.tsx";

/** What a new passkey answers, with the token that its answer comes back with. */
interface Begun {
  readonly options: object;
  readonly token: string;
}

/** A form that a passkey answers: one that logs in or confirms, or with `begun` a new one. Its script shows it. */
export function PasskeyForm(props: {
  readonly action: string;
  readonly submit: string;
  readonly begun?: Begun;
  readonly cancelHref?: string;
  readonly children: ComponentChildren;
}) {
  const { action, submit, begun, cancelHref, children } = props;
  const asked =
    begun === undefined
      ? { "data-options": "/log-in/passkey/options" }
      : { "data-begun": JSON.stringify(begun.options) };
  return (
    <form class="form" method="post" action={action} hidden={begun === undefined} {...onDemand("passkey")} {...asked}>
      {children}
      <input type="hidden" name="token" value={begun?.token} />
      <input type="hidden" name="response" />
      <p class="error" role="alert" hidden />
      <div class="buttons">
        <button class={begun === undefined ? "button" : "button main"} type="submit">
          {submit}
        </button>
        {cancelHref === undefined ? null : <a href={cancelHref}>Cancel</a>}
      </div>
    </form>
  );
}
