import type { ComponentChildren } from "preact";
import { page } from "./answer.tsx";
import { Form } from "./parts/form.tsx";
import { type ButtonKind, Sheet } from "./parts/layout.tsx";
import type { FormRoute } from "./routes.ts";
import type { Visit } from "./visit.ts";

interface Question {
  /** What is about to be done, which the page asks with a question mark. */
  readonly title: string;
  /** To what. */
  readonly note?: ComponentChildren;
  /** What it means. */
  readonly text: ComponentChildren;
  readonly submit: string;
  readonly kind?: ButtonKind;
  readonly cancelHref: string;
}

interface Gated<V extends Visit, C> extends Omit<FormRoute<V, C>, "show"> {
  /** Null where there is nothing to ask about. */
  readonly ask: (visit: V) => Question | null | Promise<Question | null>;
}

/** A page that asks before something is done that can't be undone, and its form, for `routes.both`. */
export function askFirst<V extends Visit, C>({ ask, ...route }: Gated<V, C>): FormRoute<V, C> {
  return {
    ...route,
    async show(visit) {
      const question = await ask(visit);
      if (question === null) return null;
      const { title, note, text, submit, kind = "danger", cancelHref } = question;
      return page(
        { title, heading: `${title}?`, note },
        <Sheet>
          {text}
          <Form action={visit.path} {...{ submit, kind, cancelHref }} />
        </Sheet>,
      );
    },
  };
}
