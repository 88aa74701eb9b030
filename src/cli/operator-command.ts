import { Command } from "commander";
import { asJson } from "./printing.ts";
import type { Session, WithSession, Work } from "./session.ts";

/** A command of the operator's program; those below it are of the same kind. */
export class OperatorCommand extends Command {
  readonly withSession: WithSession;

  constructor(name: string | undefined, withSession: WithSession) {
    super(name);
    this.withSession = withSession;
  }

  override createCommand(name?: string): OperatorCommand {
    return new OperatorCommand(name, this.withSession);
  }

  /** Says what the command does, with a session, its arguments and its options. Programs may read its results (`--json`). */
  does<Words extends readonly unknown[]>(work: (session: Session, ...words: Words) => ReturnType<Work<Session>>): this {
    return this.option(...asJson).action((...words) =>
      this.withSession((session) => work(session, ...(words as unknown as Words))),
    );
  }
}
