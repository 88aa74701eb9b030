/** `live` sells for real money; `test` is the sandbox. The API key decides it, nothing else does. */
export type Mode = "live" | "test";

export const modes: readonly Mode[] = ["live", "test"];
