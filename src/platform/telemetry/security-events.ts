import { Counter, type Registry } from "prom-client";
import type { Logger } from "./log.ts";

/** The kinds of events that an attack, or a mistake that looks like one, consists of. */
export type SecurityEventKind =
  | "key_failed"
  | "address_denied"
  | "account_denied"
  | "limit_hit"
  | "request_refused"
  | "callback_forged"
  | "log_in_failed"
  | "code_failed"
  | "attempts_locked"
  | "reset_asked"
  | "operator_command";

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** The source: an IPv4 address, the /64 of an IPv6 address, or an operator's name. */
  readonly source: string;
  /** What the event was about, without secrets: a few of these are written into the log line. */
  readonly about: string;
}

export interface SecurityEvents {
  /** Counts an event. The first of its kind and source is logged at once. */
  note(event: SecurityEvent): void;
  /** Logs how many came of each kind and source since their last line. To be called each minute, and at the end. */
  report(): void;
}

/** Further sources of one kind are counted as one: a million addresses cost no more memory and lines than these. */
const sourcesMax = 100;
const sourcesBeyond = "others";
const aboutMax = 5;
const aboutCharactersMax = 200;

interface Tally {
  readonly source: string;
  readonly about: Set<string>;
  /** Since the last line. */
  count: number;
}

/**
 * Makes an attack visible in few lines: `security.<kind>` at once for the first event of a source, then one line a
 * minute with the count for as long as it goes on. A source that was silent for a minute begins anew. Every event counts
 * in `dispense_security_events_total`.
 */
export function openSecurityEvents({ log, registry }: { log: Logger; registry: Registry }): SecurityEvents {
  const total = new Counter({
    name: "dispense_security_events_total",
    help: "Failed keys and log-ins, denied addresses, reached limits, refused requests, forged callbacks, commands.",
    labelNames: ["kind"],
    registers: [registry],
  });
  const kinds = new Map<SecurityEventKind, Map<string, Tally>>();

  function tallyOf(sources: Map<string, Tally>, sought: string): Tally {
    const source = sources.has(sought) || sources.size < sourcesMax ? sought : sourcesBeyond;
    const tally = sources.get(source) ?? { source, about: new Set<string>(), count: 0 };
    sources.set(source, tally);
    return tally;
  }

  function write(kind: SecurityEventKind, { source, about, count }: Tally): void {
    log.warn({ event: `security.${kind}`, source, count, about: [...about] });
  }

  return {
    note({ kind, source, about }) {
      total.inc({ kind });
      const sources = kinds.get(kind) ?? new Map<string, Tally>();
      kinds.set(kind, sources);
      const before = sources.size;
      const tally = tallyOf(sources, source);
      tally.count += 1;
      if (tally.about.size < aboutMax) tally.about.add(about.slice(0, aboutCharactersMax));
      if (sources.size === before) return;
      write(kind, tally);
      startAnew(tally);
    },
    report() {
      for (const [kind, sources] of kinds) {
        for (const tally of sources.values()) {
          if (tally.count === 0) {
            sources.delete(tally.source);
            continue;
          }
          write(kind, tally);
          startAnew(tally);
        }
      }
    },
  };
}

function startAnew(tally: Tally): void {
  tally.count = 0;
  tally.about.clear();
}
