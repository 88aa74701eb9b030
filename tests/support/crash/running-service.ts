import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundledProgram } from "../bundled-program.ts";
import type { RememberingSupplier } from "./remembering-supplier.ts";
import type { Leave, Reply, Tap, Told } from "./taps.ts";

/** A service that is held somewhere, until it may go on. */
export interface Held {
  go(leave?: Leave): void;
}

/** A service in a process of its own, as its test sees it. */
export interface RunningService {
  readonly url: string;
  /** Stops the next one that reaches the tap; resolves when it is there. Everybody else passes. */
  hold(tap: Tap): Promise<Held>;
  /** Lets the supplier act on the next request, but keeps its answer back. */
  holdSupplier(): Promise<Held>;
  /** `kill -9`. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Stopped, a process neither runs nor dies; what it was about to do, it does when it is continued. */
  stop(): void;
  resume(): void;
}

/** `tapped` waits at every tap, and asks about nothing by itself; `worker` also runs the due-work loop. */
export async function startService(options: {
  readonly url: string;
  readonly role: "tapped" | "worker";
  readonly supplier: RememberingSupplier;
}): Promise<RunningService> {
  const child = fork(await bundledProgram("tests/support/crash/service.ts"), [options.url, options.role], {
    execArgv: ["--enable-source-maps"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
  const ended = once(child, "exit");
  const holds = new Map<Tap | "supplier", (held: Held) => void>();
  const listening = new Promise<string>((resolve) => {
    child.on("message", (told: Told) => {
      if (told.kind === "listening") resolve(told.url);
      else pass(child, told, { holds, supplier: options.supplier });
    });
  });
  const died = ended.then((): never => {
    throw new Error("the service ended before it listened");
  });
  died.catch(() => {}); // later it ends because the test says so
  const hold = (place: Tap | "supplier") => new Promise<Held>((resolve) => holds.set(place, resolve));
  return {
    url: await Promise.race([listening, died]),
    hold,
    holdSupplier: () => hold("supplier"),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    stop: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

interface Gate {
  readonly holds: Map<Tap | "supplier", (held: Held) => void>;
  readonly supplier: RememberingSupplier;
}

function pass(child: ChildProcess, told: Exclude<Told, { kind: "listening" }>, { holds, supplier }: Gate): void {
  const { number } = told;
  const place = told.kind === "reached" ? told.tap : "supplier";
  const reply = (leave: Leave): Reply =>
    told.kind === "reached" ? { kind: "go", number, leave } : { kind: "outcome", number, outcome };
  // The supplier has acted once it was asked, whoever may still be there to hear its answer.
  const outcome = told.kind === "asked" ? supplier.answer(told.question) : neverAsked;
  const go = (leave: Leave = {}) => {
    if (child.connected) child.send(reply(leave));
  };
  const held = told.kind === "asked" && told.question.kind === "requery" ? undefined : holds.get(place);
  if (held !== undefined) holds.delete(place);
  if (held === undefined) go();
  else held({ go });
}

const neverAsked = { kind: "unknown", evidence: "" } as const;
