import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "undici";

/** What a program is started with so that `collectedHeap` finds its inspector, which opens at a free port. */
export const inspectable = { NODE_OPTIONS: "--inspect-port=0" };

const openMsMax = 10_000;
const pollMs = 50;

/**
 * What a node process still needs, in MB: its heap after a whole collection, which this brings about. Resident memory
 * also holds what nobody has collected yet, which is the more the busier the machine is.
 */
export async function collectedHeap(program: { readonly pid: number; readonly log: string }): Promise<number> {
  process.kill(program.pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorOf(program.log));
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    await ask(socket, 1, "HeapProfiler.collectGarbage");
    const answer = await ask(socket, 2, "Runtime.evaluate", { expression: "process.memoryUsage().heapUsed" });
    const { result } = answer as { readonly result: { readonly value: number } };
    return Math.round((result.value / 2 ** 20) * 10) / 10;
  } finally {
    socket.close();
  }
}

/** Node prints where it listens, once. */
async function inspectorOf(log: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < openMsMax; waitedMs += pollMs) {
    const url = /^Debugger listening on (ws:\S+)$/m.exec(readFileSync(log, "utf8"))?.[1];
    if (url !== undefined) return url;
    await delay(pollMs);
  }
  throw new Error("the inspector did not open");
}

function ask(socket: WebSocket, id: number, method: string, params: object = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data)) as { readonly id: number; readonly result: unknown };
      if (answer.id === id) resolve(answer.result);
    });
    socket.addEventListener("close", () => reject(new Error("the inspector closed")));
    socket.send(JSON.stringify({ id, method, params }));
  });
}
