import { holdDirectory } from "../../src/platform/data-directory/data-directory.ts";

// A process for the tests to kill: holds the given folder.
await holdDirectory(process.argv[2] ?? "");
console.log("ready");
setInterval(() => {});
