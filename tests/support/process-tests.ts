import path from "node:path";
import { importsIn, type ReadImports, reachedFrom, readsTheHouse, testFiles } from "./unit-tests.ts";

/** What starts a service, a server or a program that a test stops, kills or watches from outside; and the planted faults. */
const starts =
  /^tests\/(support\/(programs|child-program|deployment|own-postgres|pgbouncer|program-languages|snippet-runners)\.ts|kit\/kit-proxies\.ts|properties\/purchases\/faults\.ts)$/;

/**
 * The test files that start processes of their own, or look for planted faults: `npm run check` and CI run them, `npm
 * test` doesn't. As with the unit tests, their imports tell; no list has to be kept.
 */
export function processTests(root: string): string[] {
  const readImports = importsIn(root);
  return testFiles(root).filter((file) => !readsTheHouse.test(file) && isProcessTest(file, readImports));
}

/** Whether the file itself or one of those helpers starts processes; the service's own files start none by themselves. */
export function isProcessTest(file: string, readImports: ReadImports): boolean {
  const startsItself = readImports(file).includes("node:child_process");
  return startsItself || [...reachedFrom(file, readImports)].some((each) => starts.test(path.posix.normalize(each)));
}
