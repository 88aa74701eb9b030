import { Overloaded } from "./database/batcher.ts";

/** The value that `load` brings, or that is being loaded under the key already. */
export type LoadOnce<Key, Value> = (key: Key, load: () => Promise<Value>) => Promise<Value>;

/**
 * One load at a time under each key: whoever seeks the same meanwhile shares it. With `keysMax` of them under way, one
 * more is refused at once with Overloaded: a load may wait for something before it stands in a batch, whose bound holds.
 */
export function loadOnce<Key, Value>(keysMax: number): LoadOnce<Key, Value> {
  const loading = new Map<Key, Promise<Value>>();
  return (key, load) => {
    const present = loading.get(key);
    if (present !== undefined) return present;
    if (loading.size >= keysMax) return Promise.reject(new Overloaded("too many things are being looked up"));
    const started = load().finally(() => loading.delete(key));
    loading.set(key, started);
    return started;
  };
}
