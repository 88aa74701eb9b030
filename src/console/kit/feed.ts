import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../kernel/problems.ts";
import type { EventsAnswer } from "./answer.tsx";
import type { Visit } from "./visit.ts";

/** Parts of a page by their `id`, as HTML. */
export type Parts = Readonly<Record<string, string>>;

interface FeedOptions<V extends Visit, Read> {
  readonly everyMs: number;
  /** Reads what is shown, once for all who watch. */
  readonly read: () => Promise<Read>;
  /** Visits with the same name see the same: it is rendered once for them. */
  readonly viewOf: (visit: V) => string;
  readonly render: (visit: V, read: Read) => Parts;
  /** The visits of these that may still look: read once for all of them, before anything is sent. */
  readonly stillIn: (visits: readonly V[]) => Promise<ReadonlySet<V>>;
}

/** Parts of a page that everybody who looks at it gets as they change: server-sent events. */
export interface Feed<V extends Visit> {
  /** A stream for one tab, which begins with all parts. @throws Refusal RATE_LIMITED where too many watch already */
  watch(visit: V): EventsAnswer;
}

const watchersMax = 200;
/** Tabs of one person. */
const ofPersonMax = 6;
/** A browser that takes nothing for so long a text is behind: it comes back, and gets all parts. */
const unreadMax = 2_000_000;
/** For how long a browser waits before it comes back. */
const retry = "retry: 1000\n\n";
const heartbeat = ": still here\n\n";

interface Watcher<V> {
  readonly visit: V;
  readonly stream: Readable;
  hasAll: boolean;
}

/** Opens a feed: nothing is read while nobody watches. */
export type OpenFeed = <V extends Visit, Read>(options: FeedOptions<V, Read>) => Feed<V>;

/** Feeds whose streams end when `app` stops. */
export function feedsOf(app: FastifyInstance): OpenFeed {
  return (options) => openFeed(app, options);
}

function openFeed<V extends Visit, Read>(app: FastifyInstance, options: FeedOptions<V, Read>): Feed<V> {
  const { everyMs, read, viewOf, render, stillIn } = options;
  const watchers = new Set<Watcher<V>>();
  /** What was sent last, by view. */
  const last = new Map<string, Parts>();
  let isTicking = false;
  let isOver = false;

  app.addHook("preClose", (done) => {
    isOver = true;
    for (const { stream } of watchers) stream.push(null);
    done();
  });

  async function tick(): Promise<void> {
    const begunAt = performance.now();
    const seen = [...watchers];
    try {
      const [present, allowed] = await Promise.all([read(), stillIn(seen.map(({ visit }) => visit))]);
      const rendered = new Map<string, { readonly all: Parts; readonly changed: Parts }>();
      for (const watcher of seen) {
        const { visit, stream } = watcher;
        if (!allowed.has(visit)) {
          stream.push(null);
          continue;
        }
        const view = viewOf(visit);
        const parts = rendered.get(view) ?? renderedFor(view, render(visit, present));
        rendered.set(view, parts);
        send(stream, watcher.hasAll ? parts.changed : parts.all);
        watcher.hasAll = true;
      }
      for (const view of last.keys()) if (!rendered.has(view)) last.delete(view);
    } catch {
      // The database is away, which is logged elsewhere: what is shown stays.
      for (const { stream } of watchers) stream.push(heartbeat);
    }
    const rest = everyMs - (performance.now() - begunAt);
    setTimeout(again, Math.max(rest, 0)).unref();
  }

  function renderedFor(view: string, all: Parts) {
    const before = last.get(view) ?? {};
    last.set(view, all);
    return { all, changed: Object.fromEntries(Object.entries(all).filter(([id, html]) => before[id] !== html)) };
  }

  function again(): void {
    isTicking = watchers.size > 0 && !isOver;
    if (isTicking) void tick();
  }

  return {
    watch(visit) {
      const { person } = visit.session;
      const own = [...watchers].filter((watcher) => watcher.visit.session.person.id === person.id);
      if (isOver || watchers.size >= watchersMax || own.length >= ofPersonMax) {
        throw refuse("RATE_LIMITED", { message: "Too many open pages update themselves. Close one." });
      }
      const stream = new Readable({ read: () => {} });
      const watcher: Watcher<V> = { visit, stream, hasAll: false };
      stream.once("close", () => watchers.delete(watcher));
      stream.push(retry);
      watchers.add(watcher);
      if (!isTicking) again();
      return { kind: "events", stream };
    },
  };
}

function send(stream: Readable, parts: Parts): void {
  if (stream.readableLength > unreadMax) stream.destroy();
  else stream.push(Object.keys(parts).length === 0 ? heartbeat : `data: ${JSON.stringify(parts)}\n\n`);
}
