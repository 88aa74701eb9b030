import type { ComponentChildren } from "preact";
import type { Change, ChangeState } from "../../../domain/staff/change-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { Status } from "../../kit/parts/text.tsx";

const states: Readonly<Record<ChangeState, ComponentChildren>> = {
  waiting: <Status kind="waiting">waiting</Status>,
  agreed: <Status kind="waiting">being carried out</Status>,
  done: <Status kind="good">done</Status>,
  refused: <Status kind="bad">refused</Status>,
  withdrawn: <Status>withdrawn</Status>,
  expired: <Status>expired</Status>,
  stale: <Status kind="waiting">not done: facts changed</Status>,
};

interface StateProps {
  readonly change: Pick<Change, "state" | "endsAt" | "dueAt" | "isAlone">;
  readonly now: Instant;
}

/** How far a change is. */
export function StateOf({ change: { state, endsAt, dueAt, isAlone }, now }: StateProps) {
  if (state === "waiting" && endsAt <= now) return states.expired;
  if (state === "agreed" && dueAt !== null && dueAt > now) return <Status kind="waiting">scheduled</Status>;
  return state === "done" && isAlone ? <Status kind="waiting">done alone</Status> : states[state];
}
