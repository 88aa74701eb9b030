import { type Program, startProgram } from "../../rig/program.ts";
import { bundledProgram } from "./bundled-program.ts";

/** Starts a TypeScript program, whose path goes from the project's folder. Its errors go to the output of the tests. */
export async function startChildProgram(source: string, args: readonly string[]): Promise<Program> {
  return startProgram(["--enable-source-maps", await bundledProgram(source), ...args], { environment: {} });
}
