import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** They read every file of the house, which takes longer than all unit tests, and hold code that is only looked at. */
export const readsTheHouse = /^tests\/architecture\//;
/** Not `node:http`: a supplier's stub of that is quick enough. */
const needsMore =
  /^(tests\/support\/database\.ts|scripts\/build\.mjs|pg|fastify|node:(net|tls|https|dgram|child_process|worker_threads))$/;
/** `import … from "x"`, `export … from "x"`, also over several lines; what is imported as a type alone is not there when it runs. */
const importedName = /^(?:import|export|\})(?! type\b)[^"\n]*"([^"]+)"/gm;

/** Reads what one file imports: paths from the project's folder for files, names for packages. */
export type ReadImports = (file: string) => readonly string[];

/**
 * The test files that need no PostgreSQL, no second process and of the network a stub of `node:http` at most: `npm run
 * test:unit` runs them. What a test needs is told by what it and its helpers import, so no list has to be kept.
 */
export function unitTests(root: string): string[] {
  const readImports = importsIn(root);
  return testFiles(root).filter((file) => !readsTheHouse.test(file) && isUnitTest(file, readImports));
}

/** All test files, from the project's folder. */
export function testFiles(root: string): string[] {
  return readdirSync(path.join(root, "tests"), { recursive: true, encoding: "utf8" })
    .map((file) => `tests/${file}`)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort();
}

/** Whether neither the file nor a helper that it imports, by whatever way, needs more than this process. */
export function isUnitTest(file: string, readImports: ReadImports): boolean {
  return ![...reachedFrom(file, readImports)].some((each) => needsMore.test(each));
}

/** The file itself, and whatever it and its helpers import. */
export function reachedFrom(file: string, readImports: ReadImports): ReadonlySet<string> {
  const reached = new Set([file]);
  // A set that grows while it is read is read to its end.
  for (const each of reached) {
    // The service's own files open nothing by themselves: a test or its helper hands them their database.
    if (/^(tests|rigs\/base)\//.test(each) && !readsTheHouse.test(each))
      for (const name of readImports(each)) reached.add(name);
  }
  return reached;
}

export function importsIn(root: string): ReadImports {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const names = known.get(file) ?? importsOf(file, readFileSync(path.join(root, file), "utf8"));
    known.set(file, names);
    return names;
  };
}

export function importsOf(file: string, text: string): string[] {
  const folder = path.dirname(file);
  return [...text.matchAll(importedName)]
    .map(([, name = ""]) => name)
    .map((name) => (name.startsWith(".") ? path.posix.join(folder, name) : name));
}
