// npm run operator -- COMMAND ...: process.argv goes on to the command as it is.
import { run } from "./build.mjs";

await run("operator");
