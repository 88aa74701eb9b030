import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { useFormToken } from "../../domain/identity/people/one-time-tokens.ts";
import { assert } from "../../kernel/assert.ts";
import { type Mode, modes } from "../../kernel/mode.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { Refusal } from "../../kernel/problems.ts";
import { type Answer, goBack, goTo } from "./answer.tsx";
import { type Form, formBytesMax, onceField, type Typed, typedForm, untouched } from "./form.ts";
import { type GateServices, passGate } from "./gate.ts";
import { notFoundPage } from "./gate-pages.tsx";
import type { Realm } from "./realm.ts";
import { sendAnswer, setConsoleHeaders } from "./send.tsx";
import type { Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

/** Null, as a refusal for what is not there, becomes the page that says so. */
type Show<V extends Visit> = (visit: V, typed: Typed) => Awaitable<Answer | null>;

/** What a declared change is known by: `kind` where a second person may be needed, `command` in the audit log. */
export interface Declared {
  readonly kind: string | null;
  readonly command: string | null;
}

interface Change<V extends Visit> {
  /** What the form does. @throws Refusal: the page is shown again, with its faults at the fields */
  readonly send: (visit: V, form: Form) => Awaitable<Answer | null>;
  /** It changes nothing, so a reload may send it again: what was typed is checked, or shown. */
  readonly isHarmless?: boolean;
  /** How long it may be, where not as short as most. */
  readonly bytesMax?: number;
  readonly isFile?: boolean;
  /** By what it is known that a declaration made: tests are generated of it. */
  readonly declared?: Declared;
  /** Where a form goes that was sent before, as it is not carried out again. */
  readonly doneAt: (visit: V) => string;
}

export interface PageRoute<V extends Visit, C> {
  readonly capability: C;
  /** It shows what lets people in: a factor of the last 15 minutes is asked for before, as forms of the capability do. */
  readonly isSecret?: boolean;
  readonly list?: ConsoleRoute["list"];
  readonly show: Show<V>;
}

/** What a form does, who may send it, and the page that shows it again where it was refused. */
export interface FormRoute<V extends Visit, C> extends Change<V> {
  readonly capability: C;
  readonly show: Show<V>;
}

/** A place for routes: every route names its line of the access matrix, as no method takes one without. */
export interface Routes<V extends Visit, C> {
  page(path: string, route: PageRoute<V, C>): void;
  /** A file that leaves the house: whether one may is decided by this, never by how an address ends. */
  file(path: string, route: PageRoute<V, C>): void;
  form(path: string, route: FormRoute<V, C>): void;
  /** A page and its form, under one address. */
  both(path: string, route: FormRoute<V, C>): void;
}

/** What routes need, and the list that each of them is entered in. */
export interface Places<V extends Visit, C extends string> {
  readonly app: FastifyInstance;
  readonly services: GateServices;
  readonly realm: Realm<V, C>;
  readonly routes: ConsoleRoute<C>[];
}

/** All routes behind a log-in, as the tests over the access matrix walk them. */
export interface ConsoleRoute<C extends string = string> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly mode: Mode | null;
  readonly capability: C;
  readonly isFile: boolean;
  readonly declared?: Declared;
  /** Of a list that was declared as one: the path of its file, for the tests of all lists. */
  readonly list?: { readonly file: string | null } | undefined;
}

type Located<C extends string> = Pick<ConsoleRoute<C>, "path" | "mode" | "capability">;

/** One capability in both modes or one in each: a live key is not a test key. A mode that is left out has no such address. */
export type InModes<C extends string> = C | Readonly<Partial<Record<Mode, C>>>;

/** Routes under both modes: `/live/…` and `/test/…`. `V` are the realm's visits to a page of a mode. */
export function modeRoutes<M extends Visit, V extends M, C extends string>(
  places: Places<M, C>,
): Routes<V, InModes<C>> {
  return routesAt<M, V, C, InModes<C>>(places, (path, capability) =>
    modes.flatMap((mode) => {
      const own = typeof capability === "string" ? capability : capability[mode];
      return own === undefined ? [] : [{ path: `/${mode}${path}`, mode, capability: own }];
    }),
  );
}

/** Routes that belong to no mode: `/account/…`. */
export function accountRoutes<V extends Visit, C extends string>(places: Places<V, C>): Routes<V, C> {
  return routesAt<V, V, C, C>(places, (path, capability) => [{ path, mode: null, capability }]);
}

function routesAt<M extends Visit, V extends M, C extends string, Gated>(
  places: Places<M, C>,
  locate: (path: string, capability: Gated) => readonly Located<C>[],
): Routes<V, Gated> {
  const routes: Routes<V, Gated> = {
    page(path, { capability, isSecret = false, show, ...facts }) {
      for (const at of locate(path, capability)) {
        addPage(places, { ...at, ...facts, isFile: false, isSecret }, show as Show<M>);
        // Where the factor is sent: from there it goes back to the page.
        const back = { isHarmless: true, doneAt: backTo, show: (visit: M) => goTo(backTo(visit)) };
        if (isSecret) addForm(places, { ...at, isFile: false }, { ...back, send: back.show });
      }
    },
    file(path, { capability, show }) {
      for (const at of locate(path, capability))
        addPage(places, { ...at, isFile: true, isSecret: false }, show as Show<M>);
    },
    form(path, { capability, ...form }) {
      const { isFile = false, declared } = form;
      const entered = { isFile, ...(declared === undefined ? {} : { declared }) };
      for (const at of locate(path, capability)) addForm(places, { ...at, ...entered }, form as FormOf<M>);
    },
    both(path, route) {
      routes.page(path, route);
      routes.form(path, route);
    },
  };
  return routes;
}

type FormOf<V extends Visit> = Omit<FormRoute<V, string>, "capability">;

type Entered<C extends string> = Omit<ConsoleRoute<C>, "method">;

function addPage<V extends Visit, C extends string>(
  places: Places<V, C>,
  { isSecret, ...at }: Entered<C> & { readonly isSecret: boolean },
  show: Show<V>,
): void {
  const { app, services, realm, routes } = places;
  routes.push({ method: "GET", ...at });
  app.get(at.path, { schema: { hide: true } }, async (request, reply) => {
    const passed = await passGate(services, realm, reply, { ...at, isSecret });
    if (passed.kind === "answered") return reply;
    // A file is written for nobody, and none leaves the house.
    if (request.method === "HEAD" && at.isFile) return setConsoleHeaders(reply).send();
    const { visit } = passed;
    return sendRouted(services, realm, visit, at, await orNotFound(() => show(visit, untouched)));
  });
}

function addForm<V extends Visit, C extends string>(places: Places<V, C>, at: Entered<C>, form: FormOf<V>): void {
  const { app, services, realm, routes } = places;
  routes.push({ method: "POST", ...at });
  const { bytesMax: bodyLimit = formBytesMax } = form;
  app.post(at.path, { schema: { hide: true }, bodyLimit }, async (_request, reply) => {
    const passed = await passGate(services, realm, reply, at);
    if (passed.kind === "answered") return reply;
    const { visit } = passed;
    const answer = await orNotFound(() => carryOut(services, visit, passed.form, form));
    return sendRouted(services, realm, visit, at, answer);
  });
}

function backTo({ path, request }: Visit): string {
  const [, query] = request.url.split("?", 2);
  return query === undefined ? path : `${path}?${query}`;
}

/** Sends what a route answered. A file is entered in the audit log before, whoever takes it. */
async function sendRouted<V extends Visit, C extends string>(
  services: GateServices,
  realm: Realm<V, C>,
  visit: V,
  at: Entered<C>,
  answer: Answer,
) {
  if (answer.kind === "file") {
    assert(at.isFile, "a file is the answer of a route that is declared to send one");
    await realm.enterFile(visit, answer).catch((error: unknown) => {
      if (answer.content instanceof Readable) answer.content.destroy();
      throw error;
    });
  }
  return sendAnswer(services, realm, visit, answer);
}

async function orNotFound(answer: () => Awaitable<Answer | null>): Promise<Answer> {
  try {
    return (await answer()) ?? notFoundPage();
  } catch (error) {
    if (error instanceof Refusal && problems[error.code].status === 404) return notFoundPage();
    throw error;
  }
}

/** Off offer is 503 to a program, which may try again; to a person it is one more reason to choose something else. */
function isAboutForm({ code }: Refusal): boolean {
  return problems[code].status < 500 || code.endsWith("_UNAVAILABLE");
}

/** Carries a form out once; one that was sent before, by a double click or an old tab, leads to where it was done. */
async function carryOut<V extends Visit>(
  { people }: GateServices,
  visit: V,
  form: Form,
  route: FormOf<V>,
): Promise<Answer | null> {
  // One page may hold several forms: each has its own path, whatever its spelling and whatever stands behind it.
  const { routeOptions, params } = visit.request;
  const sent = { token: form.text(onceField), action: JSON.stringify([routeOptions.url, params]) };
  const mayGoOn =
    route.isHarmless === true || (await people.database.transaction((tx) => useFormToken(tx, people, sent)));
  if (!mayGoOn) return goBack(route.doneAt(visit), "Already sent. Check the result before you send it again.");
  try {
    return await route.send(visit, form);
  } catch (error) {
    if (!(error instanceof Refusal) || !isAboutForm(error)) throw error;
    const shown = await route.show(visit, typedForm(form, error));
    if (shown?.kind !== "page") return shown;
    const status = shown.status === 200 ? problems[error.code].status : shown.status;
    return { ...shown, status, refusal: error };
  }
}
