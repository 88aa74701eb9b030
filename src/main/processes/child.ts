import { on } from "node:events";
import { type Figures, type Metrics, textOfAll } from "../../platform/telemetry/metrics.ts";

/** What a parent tells a child in its environment, as JSON. */
export interface ChildGiven {
  /** In logs and metrics, such as `api 2`. */
  readonly name: string;
  readonly connectionString: string;
  /** Whether its welcome is shown. */
  readonly welcomes: boolean;
}

/** What a child says to its parent. */
export type FromChild =
  | { readonly type: "ready"; readonly baseUrl: string; readonly welcome: string }
  | { readonly type: "failed"; readonly sentence: string }
  | { readonly type: "figures"; readonly figures: Figures }
  | { readonly type: "alive" }
  | { readonly type: "requests metrics" };

/** What a parent says to a child. */
export type ToChild =
  | { readonly type: "give figures" }
  | { readonly type: "figures of all"; readonly figures: readonly Figures[] };

/** This process, where `runProcesses` started it. */
export interface Child extends ChildGiven {
  say(message: FromChild): void;
  /** Has the parent's question for this process's figures answered. */
  answerForMetrics(metrics: Metrics): void;
  /** The metrics of all processes, as one text. */
  readonly metricsOfAll: Pick<Metrics, "text">;
}

/** The variable that makes a process a child. */
export const childVariable = "DISPENSE_CHILD";

/** How often a child says that its event loop turns. */
export const aliveEveryMs = 1_000;

/** A parent waits for other processes for a second. */
const parentMsMax = 3_000;

/** Undefined where nobody is this process's parent. */
export function openChild(): Child | undefined {
  const given = process.env[childVariable];
  if (given === undefined || process.send === undefined) return undefined;
  const say = (message: FromChild) => void process.send?.(message, undefined, {}, () => {});
  setInterval(() => say({ type: "alive" }), aliveEveryMs).unref();
  return {
    ...(JSON.parse(given) as ChildGiven),
    say,
    answerForMetrics(metrics) {
      process.on("message", async (message: ToChild) => {
        if (message.type === "give figures") say({ type: "figures", figures: await metrics.figures() });
      });
    },
    metricsOfAll: {
      async text() {
        const messages = on(process, "message", { signal: AbortSignal.timeout(parentMsMax) });
        say({ type: "requests metrics" });
        for await (const [message] of messages as AsyncIterable<[ToChild]>) {
          if (message.type === "figures of all") return textOfAll(message.figures);
        }
        throw new Error("the messages of a parent do not end");
      },
    },
  };
}
