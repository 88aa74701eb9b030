/** What a test and the processes that it starts agree on. */
export const aheadVariable = "TEST_CLOCK_AHEAD_MS";

/** More than the quiet period after which "never received" counts; less than the age at which a signature is old. */
export const stepMs = 180_000;
