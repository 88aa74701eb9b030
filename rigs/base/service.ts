import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { secretBox } from "../../src/platform/sealing/secret-box.ts";
import { type Program, projectRoot, startProgram } from "./program.ts";

/** A program of ours that answers HTTP on this machine. */
export interface Server {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The service as `npm start` runs it, on a data directory of its own. */
export interface Service extends Server {
  readonly connectionString: string;
  /** The first process of its PostgreSQL. */
  readonly postgresPid: number;
}

/** What services of the rigs seal with, so that what is entered behind their backs can be read by them. */
const encryptionKey = Buffer.alloc(32, 9);
export const rigSecretBox = secretBox([encryptionKey]);

/** A service that nobody limits. The limits are counted all the same. */
export const usualEnvironment = {
  RATE_LIMIT_PER_MINUTE: "1000000000",
  BULK_LINES_PER_MINUTE: "1000000000",
  BULK_BYTES_PER_MINUTE: "1000000000",
  ENCRYPTION_KEY: encryptionKey.toString("base64"),
};

/** Starts the service with everything else as a new user has it: the present one, or that of another tree of files. */
export async function startService(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  tree: string = projectRoot,
): Promise<Service> {
  const dataDirectory = path.join(folder, "data");
  const [command, args] = startCommand(tree);
  const program = startProgram(args, {
    command,
    folder: tree,
    log: path.join(folder, "service.log"),
    environment: {
      DATA_DIR: dataDirectory,
      DATABASE_URL: "",
      HOST: "",
      PORT: "0",
      ...usualEnvironment,
      ...environment,
    },
  });
  const server = await serverOf(program, /^Dispense runs at http:\/\/127\.0\.0\.1:([0-9]+)$/m);
  const connectionString = (await readFile(path.join(dataDirectory, "connection"), "utf8")).trim();
  const [pid] = (await readFile(path.join(dataDirectory, "postgres/postmaster.pid"), "utf8")).split("\n");
  return { ...server, connectionString, postgresPid: Number(pid) };
}

/** What `npm start` runs, and its arguments: npm itself would stand between us and the service's process. */
function startCommand(tree: string): [command: string, args: string[]] {
  const { scripts } = JSON.parse(readFileSync(path.join(tree, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const [shellWord, command, ...args] = scripts.start.split(" ");
  if (shellWord !== "exec" || command === undefined) throw new Error("npm start is expected to exec a command");
  return [command, args];
}

/** Starts a program of ours that prints its port, such as `rigs/bench/hello.ts`. Its log is in the folder. */
export function startServer(
  file: string,
  folder: string,
  { name = path.parse(file).name, environment = {} }: { name?: string; environment?: Record<string, string> } = {},
): Promise<Server> {
  const log = path.join(folder, `${name}.log`);
  return serverOf(startProgram(["--import", "tsx", file], { log, environment }), /^port ([0-9]+)$/m);
}

async function serverOf(program: Program, pattern: RegExp): Promise<Server> {
  const [, port] = await program.saying(pattern);
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    pid: program.pid,
    stop: () => program.end(),
  };
}
