import type { ComponentProps, VNode } from "preact";
import { type Answer, goBack, page } from "./answer.tsx";
import type { FieldSet, More } from "./fields.ts";
import { type Form as SentForm, type Typed, untouched } from "./form.ts";
import { Form } from "./parts/form.tsx";
import { Sheet } from "./parts/layout.tsx";
import type { Declared, FormRoute, Routes } from "./routes.ts";
import { refuseStale, seen } from "./stale.ts";
import type { Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

/** How a form is shown: its button, and how single fields are asked for. */
interface Looks<Values> extends Omit<ComponentProps<typeof Form>, "action" | "children"> {
  readonly more?: { readonly [Name in keyof Values]?: More };
  /** Short ones stand side by side where there is room. */
  readonly areBeside?: boolean;
}

/** A form that changes one thing: what it changes, its fields, and what is stored in them now. */
export interface FormShape<S, V extends Visit, C, Found, Values> {
  /** The path of its route; below a mode without the mode. */
  readonly at: string;
  readonly may: C;
  /** Where it leads when it is done, and without what was typed when it was sent before. */
  readonly doneAt: (visit: V, values?: Values) => string;
  /** What it changes, by its page's address or by what was sent; null where there is no such thing. */
  readonly find: (services: S, visit: V, form: SentForm) => Awaitable<Found | null>;
  readonly fields: FieldSet<Values> | ((found: Found) => FieldSet<Values>);
  /** Null, or left out, where it replaces nothing: then nothing is compared. */
  readonly stored?: (found: Found) => Values | null;
  /** Whether it does something though nothing differs from what is stored. */
  readonly evenUnchanged?: (form: SentForm, found: Found) => boolean;
  /** What single fields can't know. @throws Refusal with each fault at its field */
  readonly check?: (values: Values, found: Found, services: S, form: SentForm) => Awaitable<unknown>;
  readonly looks: (found: Found, visit: V) => Looks<Values>;
  /** The head of its page, where it has one of its own. */
  readonly head?: (found: Found, visit: V) => Exclude<Parameters<typeof page>[0], string>;
}

/** A form that was read: its faults are mended, something is changed by it, and nobody changed that meanwhile. */
export interface Read<Found, Values> {
  readonly found: Found;
  readonly values: Values;
  /** Null where it replaces nothing. */
  readonly stored: Values | null;
  readonly form: SentForm;
  readonly set: FieldSet<Values>;
}

export interface ChangeForm<S, V extends Visit, C, Found> {
  /** Registers its route, and without `show` its page; `show` is the page that it is a part of. */
  addTo(routes: Routes<V, C>, services: S, show?: FormRoute<V, C>["show"]): void;
  /** The form alone. */
  draw(visit: V, typed: Typed, found: Found): VNode;
}

/** A form by its declaration. `act` carries out what was read. */
export function changeForm<S, V extends Visit, C, Found, Values>(
  shape: FormShape<S, V, C, Found, Values>,
  declared: Declared,
  act: (services: S, visit: V, read: Read<Found, Values>) => Awaitable<Answer>,
): ChangeForm<S, V, C, Found> {
  const { at, may, doneAt, find, fields, head } = shape;
  const setOf = (found: Found) => (typeof fields === "function" ? fields(found) : fields);

  const draw = (visit: V, typed: Typed, found: Found) => {
    const action = actionOf(at, visit);
    const { more = {}, hidden = {}, areBeside = false, ...looks } = shape.looks(found, visit);
    const stored = shape.stored?.(found) ?? null;
    const set = setOf(found);
    // A page may hold several forms: what was typed belongs to the one that was sent.
    const own = visit.path === action ? typed : untouched;
    const drawn = set.draw(own, stored, more);
    const compared = stored === null ? {} : seen(set.seen(stored));
    return (
      <Form action={action} {...looks} hidden={{ ...compared, ...hidden }}>
        {areBeside ? <div class="fields">{drawn}</div> : drawn}
      </Form>
    );
  };

  const send = async (services: S, visit: V, form: SentForm) => {
    const found = await find(services, visit, form);
    if (found === null) return null;
    const set = setOf(found);
    const values = set.read(form);
    await shape.check?.(values, found, services, form);
    const stored = shape.stored?.(found) ?? null;
    if (stored !== null) {
      const isSame =
        Object.keys(set.changed(values, stored)).length === 0 && shape.evenUnchanged?.(form, found) !== true;
      if (isSame) return goBack(doneAt(visit, values), "Nothing was changed.");
      refuseStale(form, set.seen(stored), set.wordsOf(stored));
    }
    return act(services, visit, { found, values, stored, form, set });
  };

  return {
    draw,
    addTo(routes, services, show) {
      const ownPage = async (visit: V, typed: Typed) => {
        const found = await find(services, visit, typed.form);
        return found === null ? null : page(head?.(found, visit) ?? "", <Sheet>{draw(visit, typed, found)}</Sheet>);
      };
      const route = { declared, capability: may, doneAt: (visit: V) => doneAt(visit), show: show ?? ownPage };
      const add = show === undefined ? routes.both : routes.form;
      add(at, { ...route, send: (visit, form) => send(services, visit, form) });
    },
  };
}

/** The path of the form on a visit to it, or to the page that it is a part of: what both name is the same. */
function actionOf(at: string, visit: Visit): string {
  const mode = visit.mode === null ? "" : `/${visit.mode}`;
  return mode + at.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(visit.param(name)));
}
