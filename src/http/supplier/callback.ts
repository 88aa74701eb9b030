import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../kernel/problems.ts";
import { sourceOf } from "../../platform/address.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { addressOf } from "../plugins/authenticate.ts";
import type { RouteServices } from "../services.ts";

/** Where suppliers call. No merchant's address: it is in no document of the API. */
const callbackPrefix = "/supplier-callbacks";
const paymentEventPrefix = "/funding/callbacks";

/** The largest that suppliers send have a few kilobytes. */
const callbackBytesMax = 65_536;

interface CallbackRequest {
  Params: { readonly supplier: string; readonly secret?: string };
  Body: string | undefined;
}

/**
 * `POST /supplier-callbacks/<supplier>`, and with a secret at its end for suppliers that sign nothing. Some call by GET
 * and say everything in the query.
 */
export async function callbackRoutes(app: FastifyInstance, services: RouteServices): Promise<void> {
  await app.register(
    (calls, _options, done) => {
      takeBodiesAsText(calls);
      for (const path of ["/:supplier", "/:supplier/:secret"]) {
        // Some look whether the address answers before they call; it says nothing of which suppliers there are.
        calls.head(path, { schema: { hide: true } }, (_request, reply) => reply.send());
        calls.route<CallbackRequest>({
          method: ["GET", "POST"],
          url: path,
          schema: { hide: true },
          handler: (request) => answer(request, services, services.receiveCallback),
        });
      }
      done();
    },
    { prefix: callbackPrefix },
  );
}

/** Signatures are of bytes: the body stays the text that it came as, whatever type it claims to be. */
function takeBodiesAsText(calls: FastifyInstance): void {
  calls.removeAllContentTypeParsers();
  calls.addContentTypeParser(
    "*",
    { parseAs: "string", bodyLimit: callbackBytesMax },
    (_request: FastifyRequest, body: string, read: (error: null, body: string) => void) => read(null, body),
  );
}

/** `POST /funding/callbacks/<provider>`: where payment providers tell of transfers. */
export async function paymentEventRoutes(app: FastifyInstance, services: RouteServices): Promise<void> {
  await app.register(
    (calls, _options, done) => {
      takeBodiesAsText(calls);
      calls.post<CallbackRequest>("/:supplier", { schema: { hide: true } }, (request) =>
        answer(request, services, services.receivePaymentEvent),
      );
      done();
    },
    { prefix: paymentEventPrefix },
  );
}

/** A word is stored once: whether this one was or not, its sender may call again, and is asked to. */
async function answer(
  request: FastifyRequest<CallbackRequest>,
  { clock, failures, proxies, security }: RouteServices,
  receive: RouteServices["receiveCallback"] | RouteServices["receivePaymentEvent"],
): Promise<unknown> {
  const { supplier, secret = null } = request.params;
  const received = await receive(supplier, {
    headers: request.headers,
    body: request.body ?? "",
    query: queryOf(request.url),
    addressSecret: secret,
    at: clock.now(),
  }).catch(refuseWhenAway);
  if (received.kind === "received") return received.answer;
  const source = sourceOf(addressOf(request, proxies));
  const about = received.kind === "forged" ? `${supplier}: ${received.evidence}` : "nobody that calls";
  security.note({ kind: "callback_forged", source, about });
  if (!failures.count(source)) throw refuse("RATE_LIMITED", { retryAfterSeconds: failures.resetSeconds() });
  // A stranger that guesses does not learn which suppliers there are.
  throw refuse("NOT_FOUND");
}

function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}
