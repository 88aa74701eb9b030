import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** Carries out snippets of the examples page, one after the other. */
export interface SnippetRunner {
  /** Returns what the snippet printed. */
  run(code: string): Promise<string>;
  close(): void;
}

export type Environment = Readonly<Record<string, string>>;

const execute = promisify(execFile);

/** A process for each snippet, which it reads from its standard input as from a file. */
export function oneEach(program: "bash" | "php"): (environment: Environment) => SnippetRunner {
  return (environment) => ({
    async run(code) {
      const running = execute(program, [], {
        env: { ...process.env, ...environment },
        maxBuffer: 16 * 1_048_576,
      });
      running.child.stdin?.end(code);
      return (await running).stdout;
    },
    close() {},
  });
}

/** Runs each line of standard input, a JSON string, and prints what that printed, as a JSON string again. */
const pythonLoop = `
import contextlib, io, json, sys
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(json.loads(line), "snippet", "exec"), {})
    print(json.dumps(printed.getvalue()), flush=True)
`;

/** One process for all: `import requests` alone takes 150 ms, more than the request. */
export function onePython(environment: Environment): SnippetRunner {
  const python = spawn("python3", ["-c", pythonLoop], {
    env: { ...process.env, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]();
  return {
    async run(code) {
      python.stdin.write(`${JSON.stringify(code)}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error("python3 ended: its message stands above");
      return JSON.parse(line.value);
    },
    close: () => python.stdin.end(),
  };
}

/** In this process, with `process` and `console` of its own. */
export function nodeInThisProcess(environment: Environment): SnippetRunner {
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...args: object[]) => Promise<void>;
  return {
    async run(code) {
      const lines: string[] = [];
      const console = { log: (...words: unknown[]) => lines.push(words.join(" ")) };
      await new AsyncFunction("process", "console", code)({ env: environment }, console);
      return lines.join("\n");
    },
    close() {},
  };
}

/** What curl would send, for machines that have none. Knows the options that the page uses, and no other. */
export function curlReadByNode(environment: Environment): SnippetRunner {
  return {
    async run(code) {
      const [program, url, ...options] = shellWords(code, environment);
      if (program !== "curl" || url === undefined) throw new Error(`no curl command: ${code}`);
      const headers = new Headers();
      let method: string | undefined;
      let body: string | undefined;
      for (let at = 0; at < options.length; at += 2) {
        const value = options[at + 1] ?? "";
        if (options[at] === "-X") method = value;
        else if (options[at] === "-d") body = value;
        else if (options[at] === "-H") headers.append(...(value.split(": ") as [string, string]));
        else throw new Error(`curl's option ${options[at]} is not known here`);
      }
      const response = await fetch(url, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return `${response.status} ${await response.text()}`;
    },
    close() {},
  };
}

/** The words of a shell command: quotes and variables are resolved, a line may end in a backslash. */
function shellWords(command: string, environment: Environment): readonly string[] {
  const words = command.replaceAll("\\\n", " ").match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'|\\(.)/g, (_match, inDouble, inSingle, escaped) =>
      inDouble === undefined
        ? (inSingle ?? escaped)
        : inDouble.replace(/\$(\w+)/g, (_name: string, name: string) => environment[name] ?? ""),
    ),
  );
}
