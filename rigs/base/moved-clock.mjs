// Preloaded into a process: its time has moved on by as many milliseconds as the file says. Read anew for each look at the
// clock: a process that was stopped finds it late at once, before it does anything else. With a grain, it tells multiples
// of so many milliseconds: processes that are slow still make their ids in one millisecond.
import { openSync, readSync } from "node:fs";

const file = process.env.MOVED_CLOCK;
const grainMs = Number(process.env.MOVED_CLOCK_GRAIN ?? 1);
if (file !== undefined) {
  const now = Date.now.bind(Date);
  const descriptor = openSync(file, "r");
  const bytes = Buffer.alloc(16);
  Date.now = () => {
    const length = readSync(descriptor, bytes, 0, 16, 0);
    return Math.floor((now() + Number(bytes.toString("latin1", 0, length))) / grainMs) * grainMs;
  };
}
