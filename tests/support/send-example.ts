import { type ExampleRequest, filledPath, neededQuery } from "../../scripts/generate/example-requests.ts";
import type { TestApp } from "./app.ts";

/** Bodies by operation, as far as examples were sent. */
export type ExampleAnswers = Map<string, unknown>;

/**
 * Carries an example of the document out, with the app's own sandbox key. What the server made up (an id) is read from
 * the answers of the examples before it.
 */
export async function sendExample(
  app: TestApp,
  request: ExampleRequest,
  answers: ExampleAnswers,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const path = filledPath(request, ({ example, source }) =>
    source === null ? example : String(pointed(answers.get(source.operationId), source.pointer)),
  );
  // The delivery engine is played: it has made every attempt that was owed.
  await app.fresh.pool.query("delete from webhook_outbox");
  const needed = neededQuery(request);
  const query = path.includes("?") ? needed.replace("?", "&") : needed;
  const response = await fetch(`${app.url}${path}${query}`, {
    method: request.method,
    headers: {
      authorization: `Bearer ${app.merchant.testKey}`,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const body: unknown = await response.json();
  answers.set(request.operation.operationId, body);
  return { status: response.status, body };
}

function pointed(body: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], body);
}
