import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { refuse } from "../../kernel/problems.ts";
import { SlicedList } from "../sliced-list.ts";
import { type BodyShape, shapeOf } from "./body-shape.ts";
import type { BodyAnswer, BodyQuestion, WrittenBody } from "./body-thread.ts";
import { isHeavy, readJson, readWritten } from "./json-reader.ts";

/** Reads JSON bodies, those that would keep everybody waiting on a thread of their own. */
export interface BodyReader {
  /** At once, or a promise for a heavy one, whose lists of thousands are `SlicedList`s. @throws Refusal, as `readJson` */
  read(bytes: Buffer, schema: unknown): unknown;
  stop(): Promise<void>;
}

/** Its heap: a body of 4 MiB takes 60 MB of it at worst. */
const threadMegabytesMax = 256;

/** The thread is started with the first heavy body: most services never see one. */
export function openBodyReader(): BodyReader {
  const shapes = new WeakMap<object, BodyShape>();
  const waiting = new Map<number, { resolve(body: unknown): void; reject(error: Error): void }>();
  let thread: Worker | null = null;
  let last = 0;

  function shapeFor(schema: unknown): BodyShape {
    if (typeof schema !== "object" || schema === null) return shapeOf(undefined);
    const shape = shapes.get(schema) ?? shapeOf(schema);
    shapes.set(schema, shape);
    return shape;
  }

  function openThread(): Worker {
    const opened = startThread();
    opened.unref();
    opened.on("message", (answer: BodyAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("refusal" in answer) {
        const { code, message, detail } = answer.refusal;
        asked?.reject(refuse(code, { ...detail, message }));
      } else asked?.resolve(bodyOf(answer.body));
    });
    // Whatever ended it, nothing was done for those whose bodies it had; the next one starts another.
    const onEnd = (cause?: unknown) => {
      if (thread !== opened) return;
      thread = null;
      for (const { reject } of waiting.values()) reject(refuse("MAINTENANCE", { retryAfterSeconds: 2, cause }));
      waiting.clear();
    };
    opened.on("error", onEnd);
    opened.on("exit", () => onEnd());
    return opened;
  }

  return {
    read(bytes, schema) {
      if (!isHeavy(bytes)) return readJson(bytes);
      thread ??= openThread();
      const id = ++last;
      // A copy of its own, which can be given away: small buffers share one.
      const question: BodyQuestion = { id, bytes: new Uint8Array(bytes), shape: shapeFor(schema) };
      thread.postMessage(question, [question.bytes.buffer as ArrayBuffer]);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    async stop() {
      await thread?.terminate();
    },
  };
}

function bodyOf({ text, unmarked, lists }: WrittenBody): unknown {
  const body = readWritten(text, unmarked !== null, unmarked);
  for (const [name, list] of Object.entries(lists)) {
    (body as Record<string, unknown>)[name] = new SlicedList(list, unmarked !== null);
  }
  return body;
}

/** Beside the bundle, where this runs from one; else from the source, which needs a loader. */
function startThread(): Worker {
  const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax } };
  const bundled = new URL("./body-thread.js", import.meta.url);
  if (existsSync(fileURLToPath(bundled))) return new Worker(bundled, options);
  const source = JSON.stringify(new URL("./body-thread.ts", import.meta.url).href);
  const load = `import("tsx/esm/api").then(({ tsImport }) => tsImport(${source}, ${source}))`;
  return new Worker(load, { ...options, eval: true });
}
