import type { Change } from "../../../domain/staff/change-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { states } from "../../kit/states.tsx";

const changeState = states({
  waiting: ["waiting", "waiting"],
  scheduled: ["scheduled", "waiting"],
  agreed: ["being carried out", "waiting"],
  done: ["done", "good"],
  doneAlone: ["done alone", "waiting"],
  refused: ["refused", "bad"],
  withdrawn: ["withdrawn", "quiet"],
  expired: ["expired", "quiet"],
  stale: ["not done: facts changed", "waiting"],
});

interface StateProps {
  readonly change: Pick<Change, "state" | "endsAt" | "dueAt" | "isAlone">;
  readonly now: Instant;
}

/** How far a change is. */
export function StateOf({ change: { state, endsAt, dueAt, isAlone }, now }: StateProps) {
  if (state === "waiting" && endsAt <= now) return changeState.status("expired");
  if (state === "agreed" && dueAt !== null && dueAt > now) return changeState.status("scheduled");
  return changeState.status(state === "done" && isAlone ? "doneAlone" : state);
}
