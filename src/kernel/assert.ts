/** A broken promise of our own. Never thrown for input: that is a refusal (`problems.ts`). */
class AssertionFailed extends Error {
  override readonly name = "AssertionFailed";
}

/** Checks something that only our own mistake could break. @throws AssertionFailed */
export function assert(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new AssertionFailed(`broken promise: ${promise}`);
}

/** The branch of an exhaustive switch that the compiler proves unreachable. @throws AssertionFailed */
export function unreachable(value: never): never {
  throw new AssertionFailed(`unreachable value: ${JSON.stringify(value)}`);
}
