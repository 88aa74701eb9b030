import type { FastifyInstance } from "fastify";
import { useFormToken } from "../domain/people/one-time-tokens.ts";
import { type Mode, modes } from "../kernel/mode.ts";
import { problems } from "../kernel/problem-catalogue.ts";
import { Refusal } from "../kernel/problems.ts";
import type { Capability } from "./access.ts";
import { type Answer, goBack, type PageAnswer } from "./answer.ts";
import type { Form } from "./form.ts";
import { type GateServices, passGate } from "./gate.ts";
import { onceField } from "./parts/form.tsx";
import { sendAnswer } from "./send.tsx";
import type { ModeVisit, Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

/** A page, and who may see it. */
export interface PageRoute<V extends Visit> {
  readonly capability: Capability;
  readonly show: (visit: V) => Awaitable<Answer>;
}

/** What a form does, and who may send it. */
export interface FormRoute<V extends Visit> {
  readonly capability: Capability;
  readonly send: (visit: V, form: Form) => Awaitable<Answer>;
  /** The page again, with what was typed, where `send` threw a refusal: its faults stand at the fields. */
  readonly refused: (visit: V, form: Form, refusal: Refusal) => Awaitable<PageAnswer>;
  /** It changes nothing, so a reload may send it again: what was typed is checked, or shown. */
  readonly isHarmless?: boolean;
  /** Where a form goes that was sent before: it is not carried out again. */
  readonly doneAt: (visit: V) => string;
}

/** A place for routes: every route names its line of the access matrix, as neither method takes one without. */
export interface Routes<V extends Visit> {
  page(path: string, route: PageRoute<V>): void;
  form(path: string, route: FormRoute<V>): void;
}

/** What routes need, and the list that each of them is entered in. */
export interface Places {
  readonly services: GateServices;
  readonly routes: ConsoleRoute[];
}

/** One route under both modes, which may ask for another capability in each: a live key is not a test key. */
export type ModeRoutes = {
  page(path: string, route: InModes<PageRoute<ModeVisit>>): void;
  form(path: string, route: InModes<FormRoute<ModeVisit>>): void;
};

type InModes<Route extends { readonly capability: Capability }> = Omit<Route, "capability"> & {
  readonly capability: Capability | Readonly<Record<Mode, Capability>>;
};

function inMode<Route extends { readonly capability: Capability }>(route: InModes<Route>, mode: Mode): Route {
  const { capability } = route;
  return { ...route, capability: typeof capability === "string" ? capability : capability[mode] } as unknown as Route;
}

/** Routes of the merchants' console under both modes: `/live/…` and `/test/…`. */
export function modeRoutes(app: FastifyInstance, places: Places): ModeRoutes {
  return {
    page: (path, route) => {
      for (const mode of modes)
        addPage(app, places, { path: `/${mode}${path}`, mode, route: inMode(route, mode) as PageRoute<Visit> });
    },
    form: (path, route) => {
      for (const mode of modes)
        addForm(app, places, { path: `/${mode}${path}`, mode, route: inMode(route, mode) as FormRoute<Visit> });
    },
  };
}

/** Routes that belong to no mode: `/account/…`. */
export function accountRoutes(app: FastifyInstance, places: Places): Routes<Visit> {
  return {
    page: (path, route) => addPage(app, places, { path, mode: null, route }),
    form: (path, route) => addForm(app, places, { path, mode: null, route }),
  };
}

interface Placed<Route> {
  readonly path: string;
  readonly mode: Mode | null;
  readonly route: Route;
}

/** All routes behind a log-in, as the tests over the access matrix walk them. */
export interface ConsoleRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly mode: Mode | null;
  readonly capability: Capability;
}

function addPage(app: FastifyInstance, { services, routes }: Places, placed: Placed<PageRoute<Visit>>): void {
  const { path, mode, route } = placed;
  const { capability } = route;
  routes.push({ method: "GET", path, mode, capability });
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const passed = await passGate(services, request, reply, { mode, capability });
    if (passed.kind === "answered") return reply;
    return sendAnswer(services, reply, passed.visit, await route.show(passed.visit));
  });
}

function addForm(app: FastifyInstance, { services, routes }: Places, placed: Placed<FormRoute<Visit>>): void {
  const { path, mode, route } = placed;
  const { capability } = route;
  routes.push({ method: "POST", path, mode, capability });
  app.post(path, { schema: { hide: true } }, async (request, reply) => {
    const passed = await passGate(services, request, reply, { mode, capability });
    if (passed.kind === "answered") return reply;
    const { visit, form } = passed;
    return sendAnswer(services, reply, visit, await carryOut(services, visit, form, route));
  });
}

/** Off offer is 503 to a program, which may try again; to a person it is one more reason to choose something else. */
function isAboutForm({ code }: Refusal): boolean {
  return problems[code].status < 500 || code.endsWith("_UNAVAILABLE");
}

/** Carries a form out once; one that was sent before, by a double click or an old tab, leads to where it was done. */
async function carryOut({ people }: GateServices, visit: Visit, form: Form, route: FormRoute<Visit>): Promise<Answer> {
  // One page may hold several forms: each has its own address.
  const sent = { token: form.text(onceField), action: visit.request.url };
  const mayGoOn =
    route.isHarmless === true || (await people.database.transaction((tx) => useFormToken(tx, people, sent)));
  if (!mayGoOn) return goBack(route.doneAt(visit), "That form was sent before: look whether it is done.");
  try {
    return await route.send(visit, form);
  } catch (error) {
    if (!(error instanceof Refusal) || !isAboutForm(error)) throw error;
    return route.refused(visit, form, error);
  }
}
