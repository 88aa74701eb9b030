import { execFile } from "node:child_process";
import { copyFile, cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, test } from "vitest";
import { projectRoot } from "../architecture/source-text.ts";
import { startAnswering } from "../support/answering-server.ts";
import { closing } from "../support/closing.ts";
import { isAtHand, type ProgramLanguage } from "../support/program-languages.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { placeSdks, sdkLanguages } from "../support/sdk-languages.ts";

const children = 4;
const sales = 12;

/** Sells, each answer a moment after its request, in the order in which they came. */
const server = closing(
  await startAnswering((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      // Two processes that write to one connection at once break each other's requests, too.
      const [, reference = null] = /"reference": ?"([^"]+)"/.exec(Buffer.concat(chunks).toString()) ?? [];
      await delay(5);
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify(reference === null ? { balance: "1.00" } : { status: "successful", reference }));
    });
  }),
);

/** A mistake on purpose: what stands once in a file below `sdk`, and what it becomes. */
type Edit = readonly [file: string, from: string, to: string];

const faults: Readonly<Record<string, { readonly sameConnection: Edit; readonly notCompared: Edit }>> = {
  Python: {
    sameConnection: ["python/src/dispense/connections.py", "if self._process != os.getpid() and", "if False and"],
    notCompared: ["python/src/dispense/answer.py", "if not answer.is_error and reference not in", "if 0 in"],
  },
  PHP: {
    sameConnection: ["php/src/Connections.php", "if ($process !== $this->process &&", "if (false &&"],
    notCompared: ["php/src/Answer.php", "if (!$isError && $reference !== null && !in_array", "if (false && in_array"],
  },
};

/** @returns for each sale what was to be bought, and what the client took for its answer, or `charged` of its error */
async function sellForked(language: ProgramLanguage, edits: readonly Edit[]): Promise<readonly [string, string][]> {
  const scratch = await makeScratchDirectory();
  const { folder } = scratch;
  try {
    const copy = path.join(folder, "sdk");
    await cp(path.join(projectRoot, "sdk"), copy, {
      recursive: true,
      filter: (from) => !/node_modules|dist$/.test(from),
    });
    for (const [file, from, to] of edits) {
      const text = await readFile(path.join(copy, file), "utf8");
      if (text.split(from).length !== 2) throw new Error(`${file} has no single place with: ${from}`);
      await writeFile(
        path.join(copy, file),
        text.replace(from, () => to),
      );
    }
    const found = await placeSdks(folder, copy);
    const main = `fork${language.ending}`;
    await copyFile(path.join(copy, "conformance", main), path.join(folder, main));
    const [program, ...words] = await language.build(folder, main);
    const environment = {
      ...{ DISPENSE_URL: `http://127.0.0.1:${server.port}`, DISPENSE_KEY: "ds_test_forked" },
      ...{ CHILDREN: String(children), SALES: String(sales) },
    };
    const { stdout } = await promisify(execFile)(program, words, {
      cwd: folder,
      env: { ...process.env, ...found, ...environment },
      timeout: 120_000,
    });
    const lines = stdout.trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as [string, string]);
  } finally {
    await scratch.remove();
  }
}

const anothers = (sold: readonly [string, string][]) =>
  sold.filter(([bought, answered]) => answered !== bought && answered !== "unknown").length;

describe("a process that was forked takes no answer of another's sale", () => {
  for (const language of sdkLanguages.filter(({ name }) => name in faults)) {
    const there = isAtHand(language);
    const { sameConnection, notCompared } = faults[language.name] as (typeof faults)[string];
    const missing = there ? "" : " (not installed here)";
    test.runIf(there)(
      `in ${language.name} each sale gets its own answer, on a connection of its own${missing}`,
      async ({ expect }) => {
        const sold = await sellForked(language, []);
        expect(sold.length).toBe((children + 1) * sales);
        expect(sold.filter(([bought, answered]) => bought !== answered)).toEqual([]);
      },
    );
    test.runIf(there)(
      `in ${language.name} on a shared connection another's answer is unknown, never taken${missing}`,
      async ({ expect }) => {
        expect(anothers(await sellForked(language, [sameConnection]))).toBe(0);
      },
    );
    test.runIf(there)(`in ${language.name} both rules removed on purpose are noticed${missing}`, async ({ expect }) => {
      // On a busy machine the children may sell one after the other, and mix nothing up.
      let taken = 0;
      for (let round = 0; round < 8 && taken === 0; round += 1) {
        taken = anothers(await sellForked(language, [sameConnection, notCompared]));
      }
      expect(taken).toBeGreaterThan(0);
    });
  }
});
