import { batcher, Overloaded } from "./database/batcher.ts";
import { type Queryable, type Statement, statement, type Tx } from "./database/database.ts";

/** Read-mostly rooms that every process keeps in memory. */
export type Subject = "merchants" | "catalogue" | "webhooks" | "routes" | "company" | "payment_providers";

/** Requests wait for this answer where nothing was heard for too long. */
const listRevisions: Statement = {
  ...statement("list_revisions", "select subject, revision from revisions"),
  secondsMax: 5,
};

const updateRevision = statement(
  "update_revision",
  `update revisions
      set revision = revision + 1
    where subject = $1`,
);

/** Tells every process, within a second of the commit, that what it remembers of `subject` is out of date. */
export async function bumpRevision(tx: Tx, subject: Subject): Promise<void> {
  await tx.query(updateRevision, [subject]);
}

/** How often a process asks. A change is promised to be felt within a second. */
const pollMs = 250;
/** Older knowledge is not used: `refresh` asks first. */
const trustedMs = 900;

export interface RevisionWatch {
  /** The present revision, or null when nothing was heard for too long (the database is away, or the loop hung). */
  known(subject: Subject): bigint | null;
  /** Asks now, or joins whoever is asking. @throws when the database does not answer */
  refresh(): Promise<void>;
  /** Asks after this call, not before: what the caller has committed is known then. @throws as `refresh` does */
  refreshAnew(): Promise<void>;
  stop(): void;
}

/** Starts asking for revisions several times a second. `monotonicMs` is a clock that never jumps. */
export function watchRevisions(options: {
  readonly database: Queryable;
  readonly monotonicMs: () => number;
}): RevisionWatch {
  const revisions = new Map<Subject, bigint>();
  let receivedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const requestedAtMs = options.monotonicMs();
    const rows = await options.database.query<{ subject: Subject; revision: bigint }>(listRevisions);
    for (const row of rows) revisions.set(row.subject, row.revision);
    receivedAtMs = requestedAtMs;
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  async function refreshAnew(): Promise<void> {
    await asking?.catch(() => undefined);
    await refresh();
  }

  const timer = setInterval(() => void refresh().catch(() => undefined), pollMs);
  timer.unref();
  return {
    known: (subject) => (options.monotonicMs() - receivedAtMs <= trustedMs ? (revisions.get(subject) ?? null) : null),
    refresh,
    refreshAnew,
    stop: () => clearInterval(timer),
  };
}

/** One value that is loaded again whenever its subject's revision changed. */
export interface Remembered<T> {
  /** The value, never older than a second. It is read where it is not held, or has changed. */
  current(): Promise<T>;
  /** The same for those that must not wait; null when it would have to be read. */
  peek(): T | null;
}

/** Remembers what `read` gives until `subject` changes. Readers that arrive during one load share it. */
export function remember<T>(watch: RevisionWatch, subject: Subject, read: () => Promise<T>): Remembered<T> {
  let cached: { readonly revision: bigint; readonly value: T } | null = null;
  let loading: Promise<T> | null = null;

  async function loadOnce(): Promise<T> {
    if (watch.known(subject) === null) await watch.refresh();
    const revision = watch.known(subject);
    if (cached !== null && cached.revision === revision) return cached.value;
    // The revision is taken before reading: a change in between only means one more reload.
    const value = await read();
    if (revision !== null) cached = { revision, value };
    return value;
  }

  const peek = () => (cached !== null && cached.revision === watch.known(subject) ? cached.value : null);

  return {
    peek,
    async current() {
      const present = peek();
      if (present !== null) return present;
      loading ??= loadOnce().finally(() => {
        loading = null;
      });
      return loading;
    },
  };
}

const lookupsMax = 256;
const waitingMax = 20_000;

/** Values by their keys, from memory. */
export interface RememberedEach<Key, Value> {
  /** Never older than a second. @throws where it has to be read and the database does not answer */
  find(key: Key): Promise<Value>;
  /** What is remembered; undefined where it would have to be read. */
  peek(key: Key): Value | undefined;
}

/**
 * Remembers each value until `subject` changes. What is sought at one time is read by one statement, however many a change
 * made everyone forget. Nulls have a bound of their own: guesses push nothing out that there is.
 */
export function rememberEach<Key, Value>(options: {
  readonly watch: RevisionWatch;
  readonly subject: Subject;
  readonly nameOf: (key: Key) => string | number;
  readonly readAll: (keys: readonly Key[]) => Promise<readonly Value[]>;
  readonly valuesMax: number;
  readonly nullsMax?: number;
}): RememberedEach<Key, Value> {
  const { watch, subject, nameOf, valuesMax, nullsMax = 0 } = options;
  const values = new Map<string | number, Value>();
  const nulls = new Map<string | number, Value>();
  const once = loadOnce<string | number, Value>(waitingMax);
  const lookUp = batcher<Key, Value>({ run: options.readAll, sizeMax: lookupsMax, waitingMax, retryMs: 0 });
  let knownRevision: bigint | null = null;

  function peek(key: Key): Value | undefined {
    if (knownRevision === null || knownRevision !== watch.known(subject)) return undefined;
    const name = nameOf(key);
    const value = values.get(name);
    return value === undefined ? nulls.get(name) : value;
  }

  async function load(key: Key): Promise<Value> {
    if (watch.known(subject) === null) await watch.refresh();
    // Taken before reading: a change in between only means that it is read once more.
    const revision = watch.known(subject);
    const value = await lookUp(key);
    if (revision !== null && revision === watch.known(subject)) hold(revision, nameOf(key), value);
    return value;
  }

  function hold(revision: bigint, name: string | number, value: Value): void {
    if (knownRevision !== revision) for (const cached of [values, nulls]) cached.clear();
    knownRevision = revision;
    const [cached, max] = value === null ? [nulls, nullsMax] : [values, valuesMax];
    if (cached.size >= max) cached.clear();
    cached.set(name, value);
  }

  return {
    peek,
    async find(key) {
      const known = peek(key);
      return known === undefined ? once(nameOf(key), () => load(key)) : known;
    },
  };
}

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
