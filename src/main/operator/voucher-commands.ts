import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { CsvError, parse } from "csv-parse";
import { importVouchers, type RefusedBecause, type VoucherRow } from "../../domain/vouchers/import.ts";
import { listStock } from "../../domain/vouchers/queries.ts";
import { setThreshold, usualThreshold } from "../../domain/vouchers/stock.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import { countWord, productIdWord } from "./arguments.ts";
import { asJson, type JsonOption, printJson, printLine, printTable, progressBar } from "./printing.ts";
import type { Session, WithSession } from "./session.ts";

/** Refused lines that are named one by one; all of them are counted. */
const namedMax = 20;

/** Commands about our own stock of PINs and codes. */
export function addVoucherCommands(program: Command, withSession: WithSession): void {
  const vouchers = program.command("vouchers").description("our own stock of PINs and codes");
  vouchers
    .command("import")
    .description(
      "put a file's vouchers on sale; refused lines are named, the others get in; ends with code 0 when every line is in the product's stock, from now or from before, else with 1",
    )
    .argument(
      "<file>",
      "CSV with a first line of names: pin or code, and serial, expires_on (YYYY-MM-DD) where there are",
    )
    .requiredOption("--product <id>", "which product they are", productIdWord)
    .option(...asJson)
    .action((file: string, options: ImportOptions) => withSession((session) => importFile(session, file, options)));
  vouchers
    .command("threshold")
    .description(`say when a product's stock is low; ${usualThreshold} where nobody said`)
    .argument("<product>", "the product's id", productIdWord)
    .argument("<left>", "at or below so many left, operators are told; 1 is as late as can be", countWord(1_000_000))
    .option(...asJson)
    .action((productId: ProductId, lowAt: number, { json }: JsonOption) =>
      withSession(async ({ database }) => {
        await setThreshold(database, productId, lowAt);
        if (json) printJson({ product_id: productId, low_at: lowAt });
        else printLine(`Product ${productId} is low when ${lowAt} or fewer are left.`);
        return 0;
      }),
    );
  vouchers
    .command("stock")
    .description("how many of each product are left")
    .option(...asJson)
    .action((options: JsonOption) => withSession((session) => printStock(session, options)));
}

interface ImportOptions extends JsonOption {
  readonly product: ProductId;
}

async function importFile(session: Session, file: string, { product, json }: ImportOptions): Promise<number> {
  const { size } = await stat(file).catch(() => {
    throw refuse("VALIDATION_ERROR", { message: `The file ${file} can't be read.` });
  });
  const named: { readonly line: number; readonly because: RefusedBecause }[] = [];
  const progress = progressBar(size);
  const services = { ...session, secretBox: await session.secretBox() };
  const rows = rowsOf(file, progress.update);
  try {
    const told = await importVouchers(
      services,
      { productId: product, batch: path.basename(file).slice(0, 200), rows },
      (line, because) => {
        if (named.length < namedMax) named.push({ line, because });
      },
    );
    progress.stop();
    const refused = Object.fromEntries(told.refused);
    if (json) printJson({ product_id: product, imported: told.imported, refused, lines: named });
    else tell(product, told.imported, told.refused, named);
    return [...told.refused.keys()].every((because) => because === "duplicate") ? 0 : 1;
  } finally {
    progress.stop();
  }
}

/** Streams a file of any size. @throws Refusal where it is no CSV, or names no column of codes */
async function* rowsOf(file: string, read: (bytes: number) => void): AsyncGenerator<VoucherRow> {
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    columns: (names: string[]) => columnsOf(names),
    info: true,
    max_record_size: 10_000,
    skip_empty_lines: true,
    trim: true,
  });
  source.on("data", () => read(source.bytesRead));
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      const { code = "", serial = "", expires_on: expiresOn = "" } = record;
      yield { line: info.lines, code, serial, expiresOn };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Its own message may quote the line, and with it a code.
    throw refuse("VALIDATION_ERROR", {
      message: `Line ${String(error.lines ?? "?")} of ${file} is no CSV (${error.code}).`,
    });
  } finally {
    source.destroy();
  }
}

/** @throws Refusal when there is no column of codes */
function columnsOf(names: readonly string[]): string[] {
  const known = names.map((name) => {
    const plain = name.trim().toLowerCase().replace(/[ -]/g, "_");
    return plain === "pin" ? "code" : plain;
  });
  if (known.filter((name) => name === "code").length === 1) return known;
  throw refuse("VALIDATION_ERROR", { message: "The file's first line must name one column pin or code." });
}

function tell(
  product: ProductId,
  imported: number,
  refused: ReadonlyMap<RefusedBecause, number>,
  named: readonly { readonly line: number; readonly because: RefusedBecause }[],
): void {
  printLine(`${imported} vouchers of product ${product} are on sale now.`);
  if (refused.size === 0) return;
  printLine(`Refused: ${[...refused].map(([because, count]) => `${count} ${because}`).join(", ")}.`);
  for (const { line, because } of named) printLine(`  line ${line}: ${because}`);
  const more = [...refused.values()].reduce((sum, count) => sum + count, 0) - named.length;
  if (more > 0) printLine(`  and ${more} more`);
}

async function printStock({ database, clock, wallTime }: Session, { json }: JsonOption): Promise<number> {
  const rows = await listStock(database, wallTime.dayOf(clock.now()).date, usualThreshold);
  if (json) {
    for (const { productId, code, unsold, expired, sold, lowAt } of rows) {
      const counts = { unsold: Number(unsold), expired: Number(expired), sold: Number(sold) };
      printJson({ product_id: productId, code, ...counts, low_at: lowAt, low: unsold <= lowAt });
    }
    return 0;
  }
  printTable(
    ["product", "name", "left", "expired", "sold", "low at", ""],
    rows.map((row) => [
      String(row.productId),
      row.name,
      String(row.unsold),
      String(row.expired),
      String(row.sold),
      String(row.lowAt),
      row.unsold <= row.lowAt ? "low" : "",
    ]),
  );
  return 0;
}
