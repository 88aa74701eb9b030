import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { unitTests } from "./tests/support/unit-tests.ts";

/** Begun first, the longest one ahead: whichever of them came last would be waited for alone. */
const longest = [
  "tests/journeys/crash-points.test.ts",
  "tests/properties/planted-faults.test.ts",
  "tests/journeys/two-processes.test.ts",
  "tests/workers/killed-deliverers.test.ts",
  "tests/http/fuzz.test.ts",
  "tests/properties/purchases-model.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      // The other project's files last: a worker serves one project, and loads the modules anew for another one.
      if (project.name === "unit") return longest.length + 1;
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const unit = unitTests(import.meta.dirname);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: unit } },
      {
        extends: true,
        test: {
          name: "system",
          include: ["tests/**/*.test.ts"],
          exclude: unit,
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
    ],
    pool: "forks",
    // The files of one worker share the modules they load: most of a run's time was spent on loading them anew.
    isolate: false,
    // Two cores are the least that the tests are promised to pass on; more than eight workers would want more connections
    // than the tests' PostgreSQL has.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 8),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globals: false,
    sequence: { sequencer: LongestFirst },
    // Whoever waits for something waits as long as a busy machine may take: only what never comes is a failure.
    expect: { poll: { timeout: 20_000 } },
  },
});
