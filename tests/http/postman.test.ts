import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { usualRequests } from "../../scripts/generate/examples-page.ts";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";
import { renderPostmanCollection } from "../../scripts/generate/postman.ts";
import { startApp } from "../support/app.ts";

type Scripts = readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];

interface Item {
  readonly name: string;
  readonly event: Scripts;
  readonly request: {
    readonly method: string;
    readonly auth?: object;
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
  readonly response: readonly { readonly code: number; readonly body: string }[];
}

const collection = JSON.parse(await renderPostmanCollection()) as {
  readonly item: readonly { readonly item: readonly Item[] }[];
  readonly event: Scripts;
  readonly variable: readonly { readonly key: string; readonly value: string }[];
};
const items = collection.item.flatMap(({ item }) => item);

const app = await startApp({ workers: true });
afterAll(() => app.close());

/** Runs a request's test script over an answer, with as much of Postman as our scripts use. @returns failed tests */
function judge({ event }: Pick<Item, "event">, code: number, body: unknown, variables = new Map<string, string>()) {
  const failed: string[] = [];
  play(event, "test", { ...postmanOver(failed, code, body), collectionVariables: variables });
  return failed;
}

function play(event: Scripts, when: string, pm: object): void {
  for (const { listen, script } of event) if (listen === when) runInNewContext(script.exec.join("\n"), { pm });
}

function postmanOver(failed: string[], code: number, body: unknown) {
  return {
    test(name: string, check: () => void) {
      try {
        check();
      } catch {
        failed.push(name);
      }
    },
    expect: (value: unknown) => ({
      to: {
        eql: (expected: unknown) => expect(value).toEqual(expected),
        include: {
          all: { keys: (keys: string[]) => expect(Object.keys(value as object)).toEqual(expect.arrayContaining(keys)) },
        },
      },
    }),
    response: {
      json: () => body,
      to: { have: { status: (expected: number) => expect(code).toBe(expected) } },
    },
  };
}

/** Sends all requests from top to bottom, as Postman's runner does. @returns the tests that failed, and what was sold before */
async function runAll(variables: Map<string, string>): Promise<readonly string[]> {
  const failed: string[] = [];
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? `no ${name}`);
  for (const item of items) {
    const asides: Promise<unknown>[] = [];
    const pm = {
      collectionVariables: Object.assign(variables, { replaceIn: filled }),
      sendRequest: ({ url, method, header }: { url: string; method: string; header: Record<string, string> }) =>
        asides.push(fetch(url, { method, headers: header })),
    };
    for (const scripts of [collection.event, item.event]) play(scripts, "prerequest", pm);
    await Promise.all(asides);
    const { method, auth, url, body } = item.request;
    const headers = {
      ...(auth === undefined ? { authorization: filled("Bearer {{api_key}}") } : {}),
      "content-type": "application/json",
    };
    const answer = await fetch(filled(url.raw), {
      method,
      headers,
      ...(body === undefined ? {} : { body: filled(body.raw) }),
    });
    const text = await answer.text();
    const complaints = judge(item, answer.status, text === "" ? null : JSON.parse(text), variables);
    if (answer.headers.has("idempotent-replayed")) complaints.push("is new");
    failed.push(
      ...complaints.map((complaint) => `${item.name}: ${complaint} (${answer.status} ${text.slice(0, 200)})`),
    );
  }
  return failed;
}

describe("the Postman collection's tests", () => {
  test("all pass when the collection is run, and when it is run again with what the first run kept", async () => {
    const { testKey } = await app.createMerchant();
    const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
    variables.set("base_url", app.url).set("api_key", testKey);
    expect(await runAll(variables)).toEqual([]);
    expect(await runAll(variables)).toEqual([]);
  });

  test("are there for every operation", async () => {
    expect(items.length).toBeGreaterThanOrEqual(usualRequests(await describeApi()).length);
  });

  test.each(items)("$name: pass for the answer that is documented, and fail for a refusal", (item) => {
    const [answer] = item.response;
    expect(answer, "every request has an answer as an example").toBeDefined();
    const body: unknown = JSON.parse(answer?.body ?? "null");
    expect(judge(item, answer?.code ?? 0, body)).toEqual([]);
    expect(judge(item, 400, { status: "error" })).toContain(`answers ${answer?.code}`);
  });

  test("a purchase that is pending in place of successful fails", () => {
    const item = items.find(({ response }) => /^{\n {2}"status": "successful"/.test(response[0]?.body ?? ""));
    if (item === undefined) throw new Error("there is a data purchase among the requests");
    const [answer] = item.response;
    const pending = { ...(JSON.parse(answer?.body ?? "{}") as object), status: "pending" };
    expect(judge(item, answer?.code ?? 0, pending)).toEqual(["is successful"]);
  });
});
