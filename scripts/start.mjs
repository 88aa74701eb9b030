// npm start: the whole service in one process.
import { run } from "./build.mjs";

await run("start");
