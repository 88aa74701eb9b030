import { createInterface } from "node:readline";

/** Asks whoever sits before it, or a pipe that answers line by line; an end of the input is an empty answer. */
export interface Terminal {
  ask(question: string): Promise<string>;
  agree(question: string): Promise<boolean>;
  close(): void;
}

export function openTerminal(): Terminal {
  const input = createInterface({ input: process.stdin, output: process.stderr });
  const lines = input[Symbol.asyncIterator]();
  const ask = async (question: string) => {
    process.stderr.write(question);
    return String((await lines.next()).value ?? "").trim();
  };
  return {
    ask,
    async agree(question) {
      const is = /^y(es)?$/i.test(await ask(`${question} [y/N] `));
      process.stderr.write(process.stdin.isTTY ? "" : "\n");
      return is;
    },
    close: () => input.close(),
  };
}
