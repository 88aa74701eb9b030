import type { Docker } from "./docker.ts";
import { openPort } from "./own-database.ts";
import { list, type Sales } from "./sales.ts";
import { runTool, type Stage } from "./stage.ts";

/** A copy of the checkout that Docker runs, and what came of what was done to it. */
export interface Site {
  readonly docker: Docker;
  readonly folder: string;
  readonly stage: Stage;
  readonly rows: string[][];
  sales: Sales | null;
}

/** Runs a line of a shell in the site's folder, as an operator does. */
export function shell({ docker, folder }: Site, line: string, input?: string): Promise<string> {
  return docker.run(["bash", "-c", line], folder, input);
}

/** What a line that has to fail wrote. */
export async function refused(site: Site, line: string, pattern: RegExp): Promise<string> {
  const said = await shell(site, line).then(
    () => "nothing",
    (error: Error) => error.message,
  );
  const [found] = pattern.exec(said) ?? [];
  if (found === undefined) throw new Error(`${line} was to be refused with ${pattern}: ${said}`);
  return found;
}

/** Does it while purchases are made, and notes what they met and what was seen. */
export async function play(site: Site, what: string, work: () => Promise<string>): Promise<string> {
  site.stage.say(what);
  site.sales?.longestPause();
  site.sales?.refusals();
  const seen = await work();
  const refusals = list(site.sales?.refusals() ?? {});
  const row = [what, site.sales === null ? "–" : String(site.sales.longestPause()), refusals, seen];
  site.rows.push(row);
  site.stage.say(`  ${row.slice(1).join(" | ")}`);
  return refusals;
}

/** The same for what has to refuse nothing. @throws Error where it does */
export async function playOn(site: Site, what: string, work: () => Promise<string>): Promise<void> {
  const refusals = await play(site, what, work);
  if (refusals !== "none") throw new Error(`${what}: ${refusals}`);
}

export const idOf = async (site: Site, service: string) =>
  (await shell(site, `docker compose --profile '*' ps --all --quiet ${service}`)).trim();
export const inspect = async ({ docker }: Site, id: string, format: string) =>
  (await docker.run(["docker", "inspect", "--format", format, id])).trim();

export async function pidOf(site: Site, service: string): Promise<string> {
  return inspect(site, await idOf(site, service), "{{.State.Pid}}");
}

/** Asks the database as its owner. */
export const psql = "docker compose exec -T database psql -U dispense_owner dispense -Atc";

/** The database as its owner, by its socket in the container that is the database just then. */
export async function ownerUrlOf(site: Site): Promise<string> {
  const port = await openPort(site.stage, () => {
    const options = { environment: { ...site.docker.environment }, folder: site.folder };
    const id = runTool(["docker", "compose", "ps", "--quiet", "database"], options).trim();
    const pid = runTool(["docker", "inspect", "--format", "{{.State.Pid}}", id], options).trim();
    return `/proc/${pid}/root/run/postgresql/.s.PGSQL.5432`;
  });
  return `postgresql://dispense_owner@127.0.0.1:${port}/dispense`;
}

export async function healthOf(site: Site, service: string): Promise<string> {
  return inspect(site, await idOf(site, service), "{{.State.Health.Status}}");
}
