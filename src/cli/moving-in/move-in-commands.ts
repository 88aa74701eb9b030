import type { OperatorCommand } from "../operator-command.ts";
import { addShadowCommand } from "./shadow-command.ts";

/** Commands that move the merchants of an older script in, and what compares the two before the switch. */
export function addMoveInCommands(program: OperatorCommand): void {
  const moveIn = program
    .command("move-in")
    .description("move the merchants of an older script in: plan it, apply it, take it back");
  addShadowCommand(moveIn);
}
