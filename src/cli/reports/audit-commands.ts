import { findEntryHash, listAuditEntries, listBrokenEntries } from "../../domain/audit/audit-queries.ts";
import { countValue, orComplain } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

const listMax = 1_000;

interface CheckOptions extends JsonOption {
  readonly expect?: { readonly number: bigint; readonly hash: string };
}

/** Commands about what operators did. */
export function addAuditCommands(program: OperatorCommand): void {
  const audit = program.command("audit").description("what operators changed by commands");
  audit
    .command("list")
    .description(`who changed what, in order, ${listMax} at a time`)
    .option("--after <number>", "start after this entry", countValue(999_999_999), 0)
    .does(list);
  audit
    .command("check")
    .description("prove that no entry was changed, taken out or put in; ends with code 1 when one was")
    .option("--expect <number:hash>", "an entry that an earlier check told: it must be there as it was", expectedValue)
    .does(check);
}

function expectedValue(text: string): NonNullable<CheckOptions["expect"]> {
  const match = /^([1-9][0-9]{0,17}):([0-9a-f]{64})$/.exec(text);
  const [, number = "", hash = ""] = orComplain(match, "It must be what audit check told, such as 17:9f86d0….");
  return { number: BigInt(number), hash };
}

async function list({ database, wallTime }: Session, options: JsonOption & { after: number }): Promise<void> {
  const entries = await listAuditEntries(database, BigInt(options.after), listMax);
  const rows = entries.map(({ number, at, ...said }) => ({ number: Number(number), at: wallTime.format(at), ...said }));
  if (options.json) for (const { details, ...row } of rows) printJson({ ...row, details: JSON.parse(details) });
  else {
    printRows(rows, { columns: ["number", "at", "who", "command", "details"] }, {});
    if (rows.length === listMax) printLine(`More: audit list --after ${rows.at(-1)?.number}`);
  }
}

async function check({ database }: Session, { expect, json }: CheckOptions): Promise<number> {
  const broken = await listBrokenEntries(database);
  const kept = expect === undefined || (await findEntryHash(database, expect.number))?.hash === expect.hash;
  const last = await findEntryHash(database, null);
  const head = last === null ? null : `${last.number}:${last.hash}`;
  if (json) printJson({ broken: broken.map(Number), as_expected: kept, last: head });
  else {
    if (broken.length > 0) printLine(`BROKEN  entries that do not follow from the one before: ${broken.join(", ")}.`);
    if (!kept) printLine(`BROKEN  entry ${expect.number} is not what it was.`);
    if (broken.length === 0 && kept) printLine(`holds   ${last?.number ?? 0} entries in one chain`);
    if (head !== null)
      printLine(`The last is ${head}. Kept elsewhere, it proves all up to it: audit check --expect ${head}`);
  }
  return broken.length === 0 && kept ? 0 : 1;
}
