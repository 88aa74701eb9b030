import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { type Notes, operation } from "../http/openapi/operation.ts";
import { exampleRefusal, type RefusalForm } from "../http/openapi/refusals.ts";
import type { SchemaObject } from "../http/openapi/schema-object.ts";
import { authenticateRequests } from "../http/plugins/authenticate.ts";
import { type RouteTable, refuseUnknownPaths } from "../http/plugins/errors.ts";
import { problems } from "../kernel/problem-catalogue.ts";
import {
  isLeftOpen,
  type LegacyRouteConfig,
  type LegacyTask,
  type LegacyWords,
  legacyRefusalBody,
  legacyStatusOf,
  renderLegacyErrors,
} from "./errors.ts";
import { type Aliases, readLegacyBodies } from "./read-bodies.ts";
import type { LegacyServices } from "./services.ts";

/** What the reference says of a legacy endpoint. `querystring`: these clients send whatever they sent elsewhere, too. */
export type LegacyNotes = Notes extends infer Each ? (Each extends Notes ? Omit<Each, "tag"> : never) : never;

/** The schema of a legacy endpoint: deprecated, it reads forms as well as JSON, and refuses in words of its own. */
export function legacyOperation({ querystring, ...notes }: LegacyNotes, task: LegacyTask): FastifySchema {
  return {
    ...operation({ ...notes, tag: "Legacy" }),
    ...(querystring === undefined ? {} : { querystring }),
    ...(notes.body === undefined ? {} : { consumes: ["application/json", "application/x-www-form-urlencoded"] }),
    deprecated: true,
    ...{ "x-refusal-form": legacyForm(task) },
  };
}

/** The error bodies that the legacy endpoints' clients know. */
function legacyForm(task: LegacyTask): RefusalForm {
  return {
    statusOf: (code) => legacyStatusOf(code, task),
    shared: (codes) => (codes.join() === "HEADERS_TOO_MANY" ? "LegacyHeadersTooMany" : null),
    response: (codes) => {
      const examples = codes.map((code) => {
        return [code, { summary: problems[code].title, value: legacyRefusalBody(exampleRefusal(code), task) }] as const;
      });
      const schema = codes.every((code) => isLeftOpen(code, task)) ? openSchema : refusalSchema;
      return {
        description: codes.map((code) => problems[code].when).join(" "),
        content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
      };
    },
  };
}

const failed: SchemaObject = { type: "string", const: "failed" };

/** The fields of a refusal and of a failed purchase for older clients: one text in three places. */
export const legacyErrorFields = {
  message: {
    type: "string",
    maxLength: 2_000,
    description: "Why, in words.",
    examples: ["mobile_number: Must be a Nigerian mobile number such as 08031234567."],
  },
  error: {
    type: "array",
    minItems: 1,
    maxItems: 50,
    description: "The same, a text for each mistake.",
    items: {
      type: "string",
      maxLength: 2_000,
      examples: ["mobile_number: Must be a Nigerian mobile number such as 08031234567."],
    },
  },
  detail: { type: "string", maxLength: 2_000, description: "The same.", examples: ["Invalid token."] },
} as const satisfies Readonly<Record<string, SchemaObject>>;

const refusalSchema: SchemaObject = {
  "x-component": "LegacyRefusal",
  type: "object",
  description: "Nothing was bought. The same in each way in which older clients look for it.",
  required: ["Status", "status", "message", "error", "detail"],
  properties: { Status: failed, status: failed, ...legacyErrorFields },
};

const openSchema: SchemaObject = {
  "x-component": "LegacyOpen",
  type: "object",
  description: "What became of a purchase is not known: ask again, and do not buy again.",
  required: ["Status", "status", "message"],
  properties: {
    Status: { type: "string", const: "processing" },
    status: { type: "string", const: "processing" },
    message: {
      type: "string",
      maxLength: 200,
      description: "For people.",
      examples: ["It is not known yet what became of this purchase. Ask for it, or wait; do not buy again."],
    },
  },
};

/** Structured date of RFC 9745: 2026-01-01, when the merchant API took their place. */
const deprecatedSince = "@1767225600";

export interface LegacyEndpointOptions {
  readonly routes: RouteTable;
  readonly services: LegacyServices;
  /** The endpoint to use instead. */
  readonly successor: string;
  /** How else its clients spell its fields. */
  readonly aliases: Aliases;
}

/**
 * Prepares a legacy endpoint, for all below `app`'s prefix: it announces that it is deprecated, asks for a key, reads
 * forms too and answers every error in the form that its clients know.
 */
export function openLegacyEndpoint(app: FastifyInstance, options: LegacyEndpointOptions): void {
  const link = `</docs>; rel="deprecation"; type="text/html", <${options.successor}>; rel="successor-version"`;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("deprecation", deprecatedSince).header("link", link);
    done();
  });
  renderLegacyErrors(app, options.services.log);
  authenticateRequests(app, options.services);
  readLegacyBodies(app, options.aliases);
  refuseUnknownPaths(app, options.routes);
}

/** Adds a route. The router takes its trailing slash too, as the clients disagree on it; neither redirects. */
export function legacyRoute(
  app: FastifyInstance,
  route: {
    readonly method: "GET" | "POST";
    /** Below the prefix. */
    readonly path?: "/:id";
    readonly task: LegacyTask;
    readonly words?: LegacyWords | undefined;
    readonly notes: LegacyNotes;
    readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  },
): void {
  const { method, path = "", task, words, notes, handler } = route;
  const config: LegacyRouteConfig = { legacyTask: task, ...(words === undefined ? {} : { legacyWords: words }) };
  app.route({ method, url: path, schema: legacyOperation(notes, task), handler, config: config as object });
}
