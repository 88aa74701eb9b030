import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ExampleRequest } from "../../scripts/generate/example-requests.ts";
import { usualRequests } from "../../scripts/generate/examples-page.ts";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";
import { projectRoot } from "../architecture/source-text.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import {
  curlReadByNode,
  nodeInThisProcess,
  oneEach,
  onePython,
  type SnippetRunner,
} from "../support/snippet-runners.ts";

const page = readFileSync(join(projectRoot, "docs/examples.md"), "utf8");
const requests = usualRequests(await describeApi());

const app = closing(await startApp());

/** The page's snippets in one language, in its order. */
function snippets(fence: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\n\`\`\``, "g"))]
    .map((match) => match[1] ?? "")
    .filter((snippet) => !snippet.startsWith("export "));
}

/** Pages go by chapters, the API's examples by what must be there before: each snippet is found by its request. */
function snippetOf(request: ExampleRequest, fence: string): string {
  const heading = `### ${request.operation.summary}\n\n\`${request.method} ${request.path}\`\n`;
  const [, section = ""] = page.split(heading);
  return new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\n\`\`\``).exec(section)?.[1] ?? "";
}

function has(program: string, parameters: readonly string[]): boolean {
  return spawnSync(program, parameters).status === 0;
}

interface Shell {
  readonly language: string;
  readonly fence: string;
  readonly there: boolean;
  /** Starts whatever carries snippets out: one program for all, or one for each. */
  readonly open: (environment: Record<string, string>) => SnippetRunner;
}

const shells: readonly Shell[] = [
  { language: "curl", fence: "sh", there: has("curl", ["--version"]), open: oneEach("bash") },
  { language: "curl, read by Node", fence: "sh", there: true, open: curlReadByNode },
  { language: "Node", fence: "js", there: true, open: nodeInThisProcess },
  {
    language: "PHP",
    fence: "php",
    there: has("php", ["-r", "exit(function_exists('curl_init') ? 0 : 1);"]),
    open: oneEach("php"),
  },
  { language: "Python", fence: "python", there: has("python3", ["-c", "import requests"]), open: onePython },
];

describe("every endpoint is there in every language", () => {
  test.each(shells)("$language has a snippet for each", ({ fence }) => {
    expect(snippets(fence)).toHaveLength(requests.length);
    for (const request of requests) expect(snippetOf(request, fence), request.operation.operationId).not.toBe("");
  });
});

test("a section with an id of the server's making names the section whose answer tells it", () => {
  const headings = [...page.matchAll(/^### (.+)$/gm)].map((match) => match[1] ?? "");
  const needy = requests.filter(({ parameters }) => parameters.some(({ source }) => source !== null));
  expect(needy.length).toBeGreaterThan(0);
  for (const { operation, method, path, parameters } of needy) {
    const [, rest = ""] = page.split(`### ${operation.summary}\n\n\`${method} ${path}\`\n`);
    const [section = ""] = rest.split("\n### ", 1);
    for (const { source } of parameters) {
      const reporting = requests.find((request) => request.operation.operationId === source?.operationId);
      const [, linked, anchor] = /^Put the .* \[(.+)\]\(#([a-z0-9-]+)\)/m.exec(section) ?? [];
      expect(linked).toBe(reporting?.operation.summary);
      expect(headings).toContain(linked);
      expect(linked?.toLowerCase().replaceAll(",", "").replaceAll(" ", "-")).toBe(anchor);
    }
  }
});

describe("every snippet works, with its ids put in", () => {
  for (const { language, fence, there, open } of shells) {
    test.runIf(there)(`${language}${there ? "" : " (not installed here)"}`, async () => {
      const { testKey } = await app.createMerchant();
      const runner = open({ DISPENSE_URL: app.url, DISPENSE_KEY: testKey });
      const answers = new Map<string, Record<string, unknown>>();
      for (const request of requests) {
        // The delivery engine is played: it has made every attempt that was owed.
        await app.fresh.pool.query("delete from webhook_outbox");
        const code = withAnswers(request, snippetOf(request, fence), answers);
        const printed = await runner.run(code);
        // curl prints the answer alone.
        const [, status = "200", json = ""] = /^(?:([0-9]{3}) )?([\s\S]*)$/.exec(printed) ?? [];
        const body = JSON.parse(json);
        expect([Number(status) < 300, body.code, body.error], `${request.operation.operationId}: ${printed}`).toEqual([
          true,
          undefined,
          undefined,
        ]);
        answers.set(request.operation.operationId, body);
      }
      runner.close();
    });
  }
});

/** The snippet with the ids that the server made up for this run. */
function withAnswers(
  request: ExampleRequest,
  code: string,
  answers: ReadonlyMap<string, Record<string, unknown>>,
): string {
  return request.parameters.reduce((text, { example, source }) => {
    const answer = source === null ? undefined : answers.get(source.operationId);
    return answer === undefined ? text : text.replace(example, String(answer[source?.pointer.slice(1) ?? ""]));
  }, code);
}
