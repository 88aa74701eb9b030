import { startEmbeddedPostgres } from "../../src/platform/embedded-postgres/embedded-postgres.ts";

// A process for the tests to kill: starts PostgreSQL in the given folder and says what it does on its standard output.
const [dataDirectory = ""] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDirectory, log: console.log, settings: { fsync: "off" } });
console.log(`ready ${server.pid()}`);
setInterval(() => {});
