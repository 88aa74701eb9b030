import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest, HTTPMethods } from "fastify";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { maskBody } from "../../domain/request-log/mask-body.ts";
import { openHttp } from "../../http/open-http.ts";
import { credentialsOf, knownKeyOf, reasonOf } from "../../http/request-context.ts";
import { buildValidator, validatorCompiler } from "../../platform/validation/validator.ts";
import { sendLegacyRefusal } from "../errors.ts";
import { legacyRoutes } from "../legacy-routes.ts";
import type { LegacyServices } from "../services.ts";

/** A request as it came. */
export interface LegacyRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Of the connection that it came by. */
  readonly address: string;
}

/** What Dispense would have answered. */
export interface PredictedAnswer {
  readonly status: number;
  readonly text: string;
  /** The pattern of the endpoint's path; null where there is no such endpoint. */
  readonly route: string | null;
  /** `mer_17`; null where the key is unknown. */
  readonly merchant: string | null;
  /** The end of the key that was sent; null where none was, or where it is too short to show any of it. */
  readonly keyEnd: string | null;
  /** The fields that were sent, as JSON without secrets and whole numbers of customers; null where none were. */
  readonly sent: string | null;
  /** The code of its refusal, or null. */
  readonly code: string | null;
  /** Whether the request's reference had named a purchase before. */
  readonly isReplay: boolean;
}

export type Predict = (request: LegacyRequest) => Promise<PredictedAnswer>;

const factsHeader = "x-predicted";

/**
 * The legacy endpoints, asked within this process: what is answered follows from the services that they are given, and
 * which of those sell is not their concern. @returns how to ask, and how to close them
 */
export async function openPredictedAnswers(
  services: LegacyServices,
): Promise<{ readonly predict: Predict; close(): Promise<void> }> {
  const unwatched = { note: () => {}, noteUnread: () => {}, noteUnreadable: () => {} };
  const { app, routes } = openHttp(
    { ...services, answers: unwatched, requestIdOf: () => "predicted" },
    () => sendLegacyRefusal,
  );
  app.setValidatorCompiler(validatorCompiler(buildValidator()));
  app.addHook("onSend", async (request, reply) => {
    // A header holds no other letters than these.
    reply.header(factsHeader, encodeURIComponent(JSON.stringify(factsOf(request))));
  });
  await legacyRoutes(app, services, routes);
  await app.ready();
  return {
    async predict({ method, url, headers, body, address }) {
      const { "transfer-encoding": _framing, expect: _expect, ...sent } = headers;
      const answer = await app.inject({
        method: method as HTTPMethods,
        url,
        headers: sent as Record<string, string>,
        remoteAddress: address,
        ...(body.length === 0 ? {} : { payload: body }),
      });
      const facts = answer.headers[factsHeader];
      return {
        ...(typeof facts === "string" ? (JSON.parse(decodeURIComponent(facts)) as Facts) : noFacts),
        status: answer.statusCode,
        text: answer.body,
        isReplay: answer.headers["idempotent-replayed"] === "true",
      };
    },
    close: () => app.close(),
  };
}

type Facts = Pick<PredictedAnswer, "route" | "merchant" | "keyEnd" | "sent" | "code">;

/** A URL that no router can read passes no hook. */
const noFacts: Facts = { route: null, merchant: null, keyEnd: null, sent: null, code: null };

/** Of a shorter key its end would be too much of it. */
const shownFromLength = 20;

function factsOf(request: FastifyRequest): Facts {
  const known = knownKeyOf(request);
  const credentials = credentialsOf(request);
  const isShown = credentials.kind === "key" && credentials.key.length >= shownFromLength;
  return {
    route: request.routeOptions.url ?? null,
    merchant: known === null ? null : formatMerchantId(known.merchantId),
    keyEnd: isShown ? credentials.key.slice(-4) : null,
    sent: maskBody(request.body),
    code: reasonOf(request),
  };
}
