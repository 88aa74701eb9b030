import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { deepTests } from "./tests/support/deep-tests.ts";
import { hasOldestPostgres } from "./tests/support/oldest-postgres.ts";
import { processTests } from "./tests/support/process-tests.ts";
import { unitTests } from "./tests/support/unit-tests.ts";

/** Begun first, the longest one ahead: whichever of them came last would be waited for alone. */
const longest = [
  "tests/browser/every-operator-page.test.ts",
  "tests/browser/every-page.test.ts",
  "tests/main/two-roles.test.ts",
  "tests/main/embedded-roles.test.ts",
  "tests/journeys/silent-supplier.test.ts",
  "tests/journeys/few-connections.test.ts",
  "tests/http/fuzz.test.ts",
  "tests/http/examples.test.ts",
  "tests/journeys/crash-points.test.ts",
  "tests/console/foreign-ids.test.ts",
  "tests/sdk/conformance.test.ts",
  "tests/sdk/frameworks.test.ts",
  "tests/http/shops.test.ts",
  "tests/main/processes.test.ts",
  "tests/journeys/logical-replication.test.ts",
  "tests/journeys/no-commits.test.ts",
  "tests/journeys/database-away.test.ts",
  "tests/journeys/live-verification.test.ts",
  "tests/properties/planted-faults.test.ts",
  "tests/journeys/two-processes.test.ts",
  "tests/http/merchant/wallet-statement-readers.test.ts",
  "tests/operator/hostile-addresses.test.ts",
  "tests/console/matrix.test.ts",
  "tests/workers/killed-deliverers.test.ts",
  "tests/main/start.test.ts",
  "tests/journeys/update.test.ts",
  "tests/main/poolers.test.ts",
  "tests/main/stop-with-slow-suppliers.test.ts",
  "tests/journeys/walkthrough.test.ts",
  "tests/properties/purchases-model.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const everyTest = "tests/**/*.test.{ts,tsx}";
/** `npm run test:browser` runs them. */
const inBrowser = "tests/browser/*.test.ts";
/** The first journey is in `npm test` too. */
const inBrowserAlone = "tests/browser/!(first-sale).test.ts";
const deep = deepTests(import.meta.dirname);
if (!hasOldestPostgres && process.argv.includes("oldest")) {
  console.warn("SKIPPED: PostgreSQL 15 is not installed here (Debian's package postgresql-15).");
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: unitTests(import.meta.dirname),
          maxWorkers: availableParallelism() + 1,
          globalSetup: ["tests/support/build-console.ts"],
        },
      },
      {
        extends: true,
        test: {
          // One project for all that `npm test` runs: a worker loads the modules anew for another project.
          name: "test",
          include: [everyTest],
          exclude: [inBrowserAlone, ...deep, ...processTests(import.meta.dirname)],
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          // What `npm run check` runs in its place: those that start processes, the deep ones and those in a browser too.
          name: "all",
          include: [everyTest],
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "deep",
          include: deep,
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          // The domain on the oldest PostgreSQL; all others run on the newest, which is embedded.
          name: "oldest",
          include: hasOldestPostgres ? ["tests/domain/**/*.test.ts"] : [],
          globalSetup: ["tests/support/oldest-postgres.ts", "tests/support/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: [inBrowser],
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
    ],
    // A process each: threads share one pool of libuv's, in which passwords and PDFs then wait for each other.
    pool: "forks",
    // The files of one worker share the modules they load: most of a run's time was spent on loading them anew.
    isolate: false,
    // Two more than there are cores, as many tests wait for a deadline; the tests are promised to pass on two cores.
    // Bounded, as all workers share one PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 2, 8),
    testTimeout: 180_000,
    hookTimeout: 180_000,
    globals: false,
    sequence: { sequencer: LongestFirst },
    // A test that waits for something waits as long as a busy machine may take: only what never comes is a failure.
    expect: { poll: { timeout: 60_000 } },
  },
});
