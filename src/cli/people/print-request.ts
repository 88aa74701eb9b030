import type { RequestResult } from "../../domain/staff/ask-change.ts";
import type { ChangeId } from "../../domain/staff/change-queries.ts";
import { wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";

/** Says what became of a change that a command asked for. @throws the complaint where another one is open */
export function printRequested(result: RequestResult, options: JsonOption): void {
  if (result.kind === "taken") {
    const { id, requesterName, summary } = result.by;
    throw wrong(`Nothing was asked for: ${requesterName} asked for this already, as approval ${id} (${summary}).`);
  }
  if (options.json) printJson({ approval: result.id, done: result.kind === "done" });
  else if (result.kind === "done") printLine(result.outcome);
  else printLine(waitingText(result.id));
}

export function waitingText(id: ChangeId): string {
  return `Nothing has changed yet: approval ${id} waits for a second person, in the console or by: changes agree ${id} --by WHO`;
}
