import type { ComponentChildren } from "preact";
import type { Fields, Facts as Frozen, Progress } from "../../../domain/staff/change-kinds.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { type Json, type JsonObject, parseObject } from "../../../kernel/json.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Status, spoken } from "../../kit/parts/text.tsx";

interface HowFarProps {
  readonly change: Pick<Change, "id" | "progress" | "dueAt"> & { readonly state: string };
  readonly now: Instant;
}

/** How far a change with many lines is carried out; the page reads it anew by itself. */
export function HowFar({ change: { id, state, progress, dueAt }, now }: HowFarProps) {
  if (state !== "agreed" || (dueAt !== null && dueAt > now)) return null;
  const { done, all } = progress === null ? { done: 0, all: 1 } : (JSON.parse(progress) as Progress);
  const words = progress === null ? "It begins in a moment" : `${grouped(done)} of ${grouped(all)} done`;
  return (
    <Flash kind="waiting">
      {words}. You can close this page, or <a href={`/operator/approvals/${id}`}>look again</a>.
      <progress value={done} max={all} aria-label={words} />
    </Flash>
  );
}

/** What it rests on: as it was when it was asked for, and as it is now where that differs. */
export function RestsOn({ change, present }: { readonly change: Change; readonly present: Frozen | null }) {
  const before = change.facts === null ? null : (JSON.parse(change.facts) as Frozen);
  if (before === null) return null;
  const names = [...new Set([...Object.keys(before), ...Object.keys(present ?? {})])];
  const hasChanged = (name: string) => present !== null && (present[name] ?? null) !== (before[name] ?? null);
  const isChanged = names.some(hasChanged);
  const wordsOf = (name: string) =>
    hasChanged(name) ? (
      <>
        {before[name] ?? "none"}, <strong>now {present?.[name] ?? "none"}</strong>
      </>
    ) : (
      (before[name] ?? "none")
    );
  return (
    <Sheet
      title="What it rests on"
      note={isChanged ? <Status kind="bad">changed since</Status> : "As it was when it was asked for"}
    >
      <Facts facts={Object.fromEntries(names.map((name) => [name, wordsOf(name)]))} />
    </Sheet>
  );
}

/** What tells a person nothing: hashes, what a form compared, and the person who asked, who stands above. */
const unshown: readonly string[] = [
  ...["hash", "prices_hash", "digest", "seen", "shown", "from"],
  ...["by", "made_by", "invitedBy", "publicUrl"],
  // Named by what it rests on.
  "person",
];

/** Where the thing is found that a field names. */
const pathOf: Readonly<Record<string, (name: string) => string>> = {
  merchant: (id) => `/operator/merchants/${id}`,
  transaction: (id) => `/operator/sales/${id}`,
  supplier: (name) => `/operator/suppliers/${name}`,
  preview: (path) => path,
};

/** What exactly is carried out. */
export function fieldFacts(fields: Fields): Record<string, ComponentChildren> {
  const entries = Object.entries(fields).filter(([name, value]) => value !== null && !unshown.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [labelOf(name), valueText(name, value)]));
}

function valueText(name: string, value: Json): ComponentChildren {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return grouped(value);
  if (Array.isArray(value)) return value.map((each) => String(each)).join(", ");
  if (typeof value !== "string") return JSON.stringify(value);
  const path = pathOf[name];
  if (path !== undefined) return <a href={path(value)}>{name === "preview" ? "See all of it" : value}</a>;
  const settings = parseObject(value);
  return settings === null ? value : settingsText(settings);
}

/** `base_url: https://x.example, timeout: 20`. */
function settingsText(settings: JsonObject): string {
  return Object.entries(settings)
    .map(([name, value]) => `${spoken(name)}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** `below_cost` as people read it: Below cost. */
function labelOf(name: string): string {
  const words = name.replace(/_|(?=[A-Z])/g, " ").toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
