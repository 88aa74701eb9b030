// Preloaded into the services and the supplier: time has moved on by as many milliseconds as the file says. Read anew for
// each look at the clock: a process that was stopped finds it late at once, before it does anything else.
import { openSync, readSync } from "node:fs";

const file = process.env.TORTURE_CLOCK;
if (file !== undefined) {
  const now = Date.now.bind(Date);
  const descriptor = openSync(file, "r");
  const bytes = Buffer.alloc(16);
  Date.now = () => {
    const length = readSync(descriptor, bytes, 0, 16, 0);
    return now() + Number(bytes.toString("latin1", 0, length));
  };
}
