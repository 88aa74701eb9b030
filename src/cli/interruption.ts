import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Tells long work to end after the step it is at. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** 0 until then; afterwards what the shell calls a program that the signal ended, or 1 where nobody reads any more. */
  exitCode(): number;
}

/**
 * Runs work that must not end between what it does and what it tells: it hears of Ctrl-C, of a terminal that closes and
 * of an output that nobody reads, and ends by itself. A second signal ends the process at once.
 */
export async function interruptible<T>(work: (interruption: Interruption) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let exitCode = 0;
  const interrupt = (code: number) => {
    exitCode ||= code;
    controller.abort();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    for (const name of signals) process.off(name, onSignal);
    interrupt(128 + constants.signals[signal]);
  };
  const onOutputLost = () => interrupt(1);
  for (const name of signals) process.on(name, onSignal);
  process.stdout.once("error", onOutputLost);
  try {
    return await work({ signal: controller.signal, exitCode: () => exitCode });
  } finally {
    for (const name of signals) process.off(name, onSignal);
    process.stdout.off("error", onOutputLost);
  }
}
