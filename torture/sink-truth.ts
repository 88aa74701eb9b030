import { readBook, type SinkLine } from "./book.ts";

/** What arrived at the sink: for each endpoint, event and subject the ids of its deliveries, repeats left out. */
export type SinkTruth = ReadonlyMap<string, ReadonlySet<string>>;

export function sinkKey(endpoint: string, event: string, subject: string): string {
  return `${endpoint} ${event} ${subject}`;
}

export async function readSink(file: string): Promise<SinkTruth> {
  const arrived = new Map<string, Set<string>>();
  await readBook<SinkLine>(file, ({ endpoint, id, event, subject }) => {
    if (subject === null) return;
    const key = sinkKey(endpoint, event, subject);
    const ids = arrived.get(key);
    if (ids === undefined) arrived.set(key, new Set([id]));
    else ids.add(id);
  });
  return arrived;
}
