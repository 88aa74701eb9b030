import type { Answer } from "./answer.tsx";
import type { Form as SentForm, Typed } from "./form.ts";
import type { Routes } from "./routes.ts";
import { addressOf, type Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

/** What can be done with a thing, by a form on its page. */
interface Act<V extends Visit, C, Found> {
  readonly may: C;
  /** It changes nothing, so a reload may send it again. */
  readonly isHarmless?: boolean;
  readonly send: (found: Found, visit: V, form: SentForm) => Awaitable<Answer | null>;
}

interface DetailPage<V extends Visit, C, Found> {
  readonly at: string;
  readonly may: C;
  /** The thing that the address names. Null, or a refusal: there is no such page. */
  readonly find: (visit: V) => Promise<Found | null>;
  /** What the audit log gets before anything is shown. */
  readonly audit?: (found: Found, visit: V) => Awaitable<void>;
  readonly show: (found: Found, visit: V, typed: Typed) => Awaitable<Answer | null>;
  /** By what stands behind the page's address; of an empty name, the address itself. */
  readonly actions?: Readonly<Record<string, Act<V, C, Found>>>;
}

/** One thing's page and the forms on it: it is found, and its look entered, in one place for all of them. */
export function detail<V extends Visit, C, Found>(
  routes: Routes<V, C>,
  { at, may, find, audit, show, actions = {} }: DetailPage<V, C, Found>,
): void {
  const shown = async (visit: V, typed: Typed) => {
    const found = await find(visit);
    if (found === null) return null;
    await audit?.(found, visit);
    return show(found, visit, typed);
  };
  routes.page(at, { capability: may, show: shown });
  for (const [name, { may: capability, send, ...more }] of Object.entries(actions)) {
    routes.form(name === "" ? at : `${at}/${name}`, {
      ...{ ...more, capability, show: shown },
      doneAt: (visit) => addressOf(visit, at),
      async send(visit, form) {
        const found = await find(visit);
        return found === null ? null : send(found, visit, form);
      },
    });
  }
}
