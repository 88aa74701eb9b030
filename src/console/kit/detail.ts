import type { Answer } from "./answer.tsx";
import type { Form as SentForm, Typed } from "./form.ts";
import type { FormRoute, Routes } from "./routes.ts";
import { addressOf, type Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

interface DetailPage<V extends Visit, C, Found> {
  readonly at: string;
  readonly may: C;
  /** The thing that the address names. Null, or a refusal: there is no such page. */
  readonly find: (visit: V) => Promise<Found | null>;
  /** What the audit log gets before anything is shown. */
  readonly audit?: (visit: V, found: Found) => Awaitable<void>;
  readonly show: (visit: V, found: Found, typed: Typed) => Awaitable<Answer | null>;
  /** What can be done with it, by what stands behind the page's address: who may, and what it does. */
  readonly actions?: Readonly<Record<string, readonly [may: C, send: Act<V, Found>, more?: More<V, C>]>>;
}

type More<V extends Visit, C> = Pick<FormRoute<V, C>, "isHarmless" | "bytesMax">;

type Act<V extends Visit, Found> = (visit: V, found: Found, form: SentForm) => Awaitable<Answer | null>;

/**
 * One thing's page and the forms on it: it is found, and its look entered, in one place for all of them. @returns the page,
 * for forms that are declared by themselves
 */
export function detail<V extends Visit, C, Found>(
  routes: Routes<V, C>,
  { at, may, find, audit, show, actions = {} }: DetailPage<V, C, Found>,
): FormRoute<V, C>["show"] {
  const shown = async (visit: V, typed: Typed) => {
    const found = await find(visit);
    if (found === null) return null;
    await audit?.(visit, found);
    return show(visit, found, typed);
  };
  routes.page(at, { capability: may, show: shown });
  for (const [name, [capability, send, more]] of Object.entries(actions))
    routes.form(name === "" ? at : `${at}/${name}`, {
      ...{ ...more, capability, show: shown, doneAt: (visit) => addressOf(visit, at) },
      async send(visit, form) {
        const found = await find(visit);
        return found === null ? null : send(visit, found, form);
      },
    });
  return shown;
}
