/** What a test and the processes that it starts agree on. */
export const aheadVariable = "TEST_CLOCK_AHEAD_MS";
/** The clock tells multiples of so many milliseconds: processes that are slow still make their ids in one millisecond. */
export const grainVariable = "TEST_CLOCK_GRAIN_MS";

/** More than the quiet period after which "never received" counts; less than the age at which a signature is old. */
export const stepMs = 180_000;
