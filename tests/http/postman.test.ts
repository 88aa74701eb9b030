import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { renderPostmanCollection } from "../../scripts/generate/postman.ts";

interface Item {
  readonly name: string;
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];
  readonly response: readonly { readonly code: number; readonly body: string }[];
}

const { item: folders } = JSON.parse(await renderPostmanCollection()) as { readonly item: { item: Item[] }[] };
const items = folders.flatMap(({ item }) => item);

/** Runs a request's test script over an answer, with as much of Postman as our scripts use. @returns failed tests */
function judge({ event }: Item, code: number, body: unknown): readonly string[] {
  const failed: string[] = [];
  const pm = {
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
    collectionVariables: { set: () => {} },
  };
  for (const { listen, script } of event) if (listen === "test") runInNewContext(script.exec.join("\n"), { pm });
  return failed;
}

describe("the Postman collection's tests", () => {
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
