import { execFileSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../rigs/base/own-postgres.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";

/** Debian 12's server: the oldest release that the README promises to run on. */
const programs = "/usr/lib/postgresql/15/bin";
export const hasOldestPostgres = existsSync(`${programs}/postgres`);

/** Starts it for the run, before `global-setup` asks for a server. @returns what stops it and removes its data */
export async function setup(): Promise<() => Promise<void>> {
  const scratch = await makeScratchDirectory();
  // PostgreSQL refuses to run as root.
  const numberOf = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  const user = process.getuid?.() === 0 ? { uid: numberOf("-u"), gid: numberOf("-g") } : {};
  if (user.uid !== undefined) chownSync(scratch.folder, user.uid, user.gid);
  const run = (program: string, ...given: string[]) =>
    execFileSync(path.join(programs, program), given, { ...user, cwd: scratch.folder, stdio: "ignore" });
  const data = path.join(scratch.folder, "data");
  const port = await freePort();
  const settings = `-p ${port} -c fsync=off -c full_page_writes=off -c shared_buffers=256MB -c max_connections=300`;
  run("initdb", "-D", data, "-U", "postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust");
  run("pg_ctl", "-D", data, "-w", "-l", `${data}/log`, "-o", `${settings} -c unix_socket_directories=`, "start");
  process.env.TEST_DATABASE_URL = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  return async () => {
    run("pg_ctl", "-D", data, "-m", "immediate", "stop");
    await scratch.remove();
  };
}
