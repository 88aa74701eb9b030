import { writeSync } from "node:fs";

const pauseMs = 10;
const attemptsMax = 100;

/** Where log lines go, one call a line. */
export interface LogOutput {
  write(line: string): void;
}

/**
 * Writes lines to a file descriptor, at once and in order. A line that can't be written is lost: a terminal that was
 * closed, a full disk behind the redirection or a reader that stands still must not stop the service (pino's own
 * output tries such a line again for ever, also while the process exits). A full pipe is waited for one second, and
 * after a second in vain not again until it takes something.
 */
export function logOutput(descriptor: number): LogOutput {
  let patient = true;
  return {
    write(line) {
      let rest: Uint8Array = Buffer.from(line);
      for (let attempt = 0; rest.length > 0 && attempt < (patient ? attemptsMax : 1); attempt++) {
        try {
          rest = rest.subarray(writeSync(descriptor, rest));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
          if (patient) pause();
        }
      }
      patient = rest.length === 0;
    },
  };
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

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
