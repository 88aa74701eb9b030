import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: ["tests/support/global-setup.ts"],
    pool: "forks",
    // The files of one worker share the modules they load: most of a run's time was spent on loading them anew.
    isolate: false,
    maxWorkers: 2, // the two cores of the smallest machine that the tests are promised to pass on
    testTimeout: 60_000,
    hookTimeout: 30_000,
    globals: false,
    // Whoever waits for something waits as long as a busy machine may take: only what never comes is a failure.
    expect: { poll: { timeout: 20_000 } },
  },
});
