import type { FastifyInstance } from "fastify";
import { openKeyedDocuments } from "../../http/docs/keyed-documents.tsx";
import { openTryIt } from "../../http/try-it/try-it.ts";
import type { Services } from "./services.ts";

/** What the console asks of the API beside it, as neither of them knows the other. `app` has all routes of the API. */
export function forConsole(app: FastifyInstance, { visitors }: Pick<Services, "visitors">) {
  return { tryIt: openTryIt(app, visitors), documents: openKeyedDocuments(app) };
}
