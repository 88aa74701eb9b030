/** So many references are remembered at least, and twice as many at most: some 20 MB. */
const rememberedMin = 100_000;

/**
 * Remembers the references of the last purchases of this process. A retry that comes back to it is answered by reading,
 * without a lock or a commit: a third of the time in PostgreSQL (measured by `npm run bench -- purchase`, replay).
 */
export function rememberReferences() {
  let younger = new Set<string>();
  let older = younger;
  return {
    has: (name: string) => younger.has(name) || older.has(name),
    add(name: string) {
      if (younger.size >= rememberedMin) [older, younger] = [younger, new Set()];
      younger.add(name);
    },
  };
}
