import type { LogOutput } from "./log-output.ts";

const charactersMax = 32_768;
const waitMs = 200;

/**
 * Gathers lines and writes many by one system call, which costs as much as a line. A line waits for 200 ms at most. A
 * process that is killed loses those; whoever stops in order calls `flush` last.
 */
export function bufferedOutput(output: LogOutput): LogOutput & { flush(): void } {
  let held = "";
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (held === "") return;
    const lines = held;
    held = "";
    output.write(lines);
  }

  return {
    write(line) {
      held += line;
      if (held.length >= charactersMax) return flush();
      timer ??= setTimeout(flush, waitMs).unref();
    },
    flush,
  };
}
