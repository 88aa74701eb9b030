import { importsIn, type ReadImports, reachedFrom, testFiles } from "./unit-tests.ts";

/**
 * Programs in other languages and their packages, the tools of the kit, planted faults, a standby that replicates, sales
 * that are timed beside a dump, and the release before this one.
 */
const looksDeep =
  /^tests\/(support\/(program-languages|snippet-runners)\.ts|http\/legacy\/clients\.test\.ts|kit\/|properties\/purchases\/faults\.ts|journeys\/(logical-replication|sales-beside-a-dump)\.test\.ts)|\/releases\.ts$/;

/**
 * The test files of `npm run test:deep`: they take long, and what they look at changes seldom. `npm run check` and CI run
 * them among all others. As with the unit tests, their imports tell.
 */
export function deepTests(root: string): string[] {
  const readImports = importsIn(root);
  return testFiles(root).filter((file) => isDeepTest(file, readImports));
}

/** Whether the file itself is one, or what it imports, by whatever way. */
export function isDeepTest(file: string, readImports: ReadImports): boolean {
  return [...reachedFrom(file, readImports)].some((each) => looksDeep.test(each));
}
