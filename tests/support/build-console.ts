import { buildConsole } from "../../scripts/build.mjs";

/** For unit tests, which have no other setup: pages name the scripts and the style that they load by their content. */
export async function setup(): Promise<void> {
  await buildConsole();
}
