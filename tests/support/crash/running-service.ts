import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundledProgram } from "../bundled-program.ts";
import type { RememberingSupplier } from "./remembering-supplier.ts";
import type { Leave, Reply, Reported, Tap } from "./taps.ts";

/** A service that is held somewhere, until it may go on. */
export interface Taken {
  go(leave?: Leave): void;
}

/** A service in a process of its own, as its test sees it. */
export interface RunningService {
  readonly url: string;
  /** Stops the next one that reaches the tap; resolves when it is there. Everybody else passes. */
  hold(tap: Tap): Promise<Taken>;
  /** Lets the supplier act on the next request, but keeps its answer back. */
  holdSupplier(): Promise<Taken>;
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
  const holds = new Map<Tap | "supplier", (kept: Taken) => void>();
  const listening = new Promise<string>((resolve) => {
    child.on("message", (found: Reported) => {
      if (found.kind === "listening") resolve(found.url);
      else pass(child, found, { holds, supplier: options.supplier });
    });
  });
  const died = ended.then((): never => {
    throw new Error("the service ended before it listened");
  });
  died.catch(() => {}); // later it ends because the test says so
  const hold = (place: Tap | "supplier") => new Promise<Taken>((resolve) => holds.set(place, resolve));
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
  readonly holds: Map<Tap | "supplier", (kept: Taken) => void>;
  readonly supplier: RememberingSupplier;
}

function pass(child: ChildProcess, found: Exclude<Reported, { kind: "listening" }>, { holds, supplier }: Gate): void {
  const { number } = found;
  const place = found.kind === "reached" ? found.tap : "supplier";
  const reply = (leave: Leave): Reply =>
    found.kind === "reached" ? { kind: "go", number, leave } : { kind: "outcome", number, outcome };
  // The supplier has acted once it was asked, whoever may still be there to hear its answer.
  const outcome = found.kind === "asked" ? supplier.answer(found.question) : neverRequested;
  const go = (leave: Leave = {}) => {
    if (child.connected) child.send(reply(leave));
  };
  const kept = found.kind === "asked" && found.question.kind === "requery" ? undefined : holds.get(place);
  if (kept !== undefined) holds.delete(place);
  if (kept === undefined) go();
  else kept({ go });
}

const neverRequested = { kind: "unknown", evidence: "" } as const;
