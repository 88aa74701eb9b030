import type { FastifyInstance } from "fastify";
import { useFormToken } from "../../domain/people/one-time-tokens.ts";
import { type Mode, modes } from "../../kernel/mode.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { Refusal } from "../../kernel/problems.ts";
import type { Capability } from "../merchant/access.ts";
import { type Answer, goBack, type PageAnswer } from "./answer.ts";
import { type Form, formBytesMax } from "./form.ts";
import { type GateServices, passGate } from "./gate.ts";
import { onceField } from "./parts/form.tsx";
import { sendAnswer, setConsoleHeaders } from "./send.tsx";
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
  /** How long it may be, where not as short as most. */
  readonly bytesMax?: number;
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
type InModes<Route> = Omit<Route, "capability"> & { readonly capability: CapabilityInModes };
/** A mode that is left out has no such address. */
type CapabilityInModes = Capability | Readonly<Partial<Record<Mode, Capability>>>;

export interface ModeRoutes {
  page(path: string, route: InModes<PageRoute<ModeVisit>>): void;
  form(path: string, route: InModes<FormRoute<ModeVisit>>): void;
}

/** Routes of the merchants' console under both modes: `/live/…` and `/test/…`. The gate gives their visits a wallet. */
export function modeRoutes(app: FastifyInstance, places: Places): ModeRoutes {
  return {
    page(path, { capability, ...page }) {
      for (const at of inModes(path, capability)) addPage(app, places, at, page as PageOf<Visit>);
    },
    form(path, { capability, ...form }) {
      for (const at of inModes(path, capability)) addForm(app, places, at, form as FormOf<Visit>);
    },
  };
}

function inModes(path: string, capability: CapabilityInModes): readonly Located[] {
  return modes.flatMap((mode) => {
    const own = typeof capability === "string" ? capability : capability[mode];
    return own === undefined ? [] : [{ path: `/${mode}${path}`, mode, capability: own }];
  });
}

/** Routes that belong to no mode: `/account/…`. */
export function accountRoutes(app: FastifyInstance, places: Places): Routes<Visit> {
  return {
    page: (path, { capability, ...page }) => addPage(app, places, { path, mode: null, capability }, page),
    form: (path, { capability, ...form }) => addForm(app, places, { path, mode: null, capability }, form),
  };
}

/** All routes behind a log-in, as the tests over the access matrix walk them. */
export interface ConsoleRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly mode: Mode | null;
  readonly capability: Capability;
}

type Located = Omit<ConsoleRoute, "method">;
type PageOf<V extends Visit> = Omit<PageRoute<V>, "capability">;
type FormOf<V extends Visit> = Omit<FormRoute<V>, "capability">;

function addPage(app: FastifyInstance, { services, routes }: Places, at: Located, page: PageOf<Visit>): void {
  routes.push({ method: "GET", ...at });
  app.get(at.path, { schema: { hide: true } }, async (request, reply) => {
    const passed = await passGate(services, request, reply, at);
    if (passed.kind === "answered") return reply;
    // A file is written for nobody, and none leaves the house.
    if (request.method === "HEAD" && /\.(csv|pdf)$/.test(at.path)) return setConsoleHeaders(reply).send();
    return sendAnswer(services, reply, passed.visit, await page.show(passed.visit));
  });
}

function addForm(app: FastifyInstance, { services, routes }: Places, at: Located, form: FormOf<Visit>): void {
  routes.push({ method: "POST", ...at });
  const { bytesMax: bodyLimit = formBytesMax } = form;
  app.post(at.path, { schema: { hide: true }, bodyLimit }, async (request, reply) => {
    const passed = await passGate(services, request, reply, at);
    if (passed.kind === "answered") return reply;
    return sendAnswer(services, reply, passed.visit, await carryOut(services, passed.visit, passed.form, form));
  });
}

/** Off offer is 503 to a program, which may try again; to a person it is one more reason to choose something else. */
function isAboutForm({ code }: Refusal): boolean {
  return problems[code].status < 500 || code.endsWith("_UNAVAILABLE");
}

/** Carries a form out once; one that was sent before, by a double click or an old tab, leads to where it was done. */
async function carryOut({ people }: GateServices, visit: Visit, form: Form, route: FormOf<Visit>): Promise<Answer> {
  // One page may hold several forms: each has its own path, whatever its spelling and whatever stands behind it.
  const { routeOptions, params } = visit.request;
  const sent = { token: form.text(onceField), action: JSON.stringify([routeOptions.url, params]) };
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
