import { stat } from "node:fs/promises";
import path from "node:path";
import { type PinFormatChange, setPinFormat } from "../../domain/catalogue/changes/present-product.ts";
import { type Imported, importVouchers, type RefusedBecause } from "../../domain/suppliers/vouchers/import.ts";
import { listStock } from "../../domain/suppliers/vouchers/queries.ts";
import { setThreshold, usualThreshold } from "../../domain/suppliers/vouchers/stock.ts";
import { formatOf, pinWords, serialWords, type VoucherRow } from "../../domain/suppliers/vouchers/voucher-format.ts";
import { voucherColumns, voucherRow } from "../../domain/suppliers/vouchers/voucher-text.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { Refusal } from "../../kernel/problems.ts";
import { exportAsText } from "../../platform/csv.ts";
import { countValue, orComplain, productIdValue } from "../arguments.ts";
import { readGivenRecords, unreadableFile } from "../given-records.ts";
import { type Interruption, interruptible, type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows, printWarning, progressBar } from "../printing.ts";

/** Refused lines that are named one by one; all of them are counted. */
const namedMax = 100;

/** Commands about our own stock of PINs and codes. */
export function addVoucherCommands(program: OperatorCommand): void {
  const vouchers = program.command("vouchers").description("our own stock of PINs and codes");
  vouchers
    .command("import")
    .description(
      "put a file's vouchers on sale; refused lines are named (vouchers format says what a PIN looks like), the others get in; ends with code 0 when every line is in the product's stock, from now or from before, else with 1",
    )
    .argument(
      "<file>",
      "CSV with a first line of names: pin or code, or both for cards that are redeemed with both, and serial, expires_on (YYYY-MM-DD) where there are",
    )
    .requiredOption("--product <id>", "which product they are", productIdValue)
    .option("--not-rounded", "no spreadsheet rounded them: codes that end in zeros are right as they are")
    .does((session, file: string, options: ImportOptions) =>
      interruptible((interruption) => importFile(session, file, { ...options, interruption })),
    );
  addPinFormatCommand(vouchers);
  vouchers
    .command("threshold")
    .description(`say when a product's stock is low; ${usualThreshold} where nobody said`)
    .argument("<product>", "the product's id", productIdValue)
    .argument("<left>", "at or below so many left, operators are told; 1 is as late as can be", countValue(1_000_000))
    .does(async ({ database }, productId: ProductId, lowAt: number, { json }: JsonOption) => {
      await setThreshold(database, productId, lowAt);
      if (json) printJson({ product_id: productId, low_at: lowAt });
      else printLine(`Product ${productId} is low when ${lowAt} or fewer are left.`);
    });
  vouchers.command("stock").description("how many of each product are left").does(printStock);
}

interface ImportOptions extends JsonOption {
  readonly product: ProductId;
  readonly notRounded?: boolean;
}

async function importFile(
  session: Session,
  file: string,
  { product, notRounded = false, json, interruption }: ImportOptions & { readonly interruption: Interruption },
): Promise<number> {
  const { size } = await stat(file).catch((error) => {
    throw unreadableFile(file, error);
  });
  const named: { readonly line: number; readonly because: RefusedBecause }[] = [];
  const faults: string[] = [];
  const progress = progressBar(size);
  const services = { ...session, secretBox: await session.secretBox() };
  const rows = rowsOf(file, progress.update, faults);
  const { signal } = interruption;
  try {
    const shown = await importVouchers(
      services,
      { productId: product, batch: path.basename(file).slice(0, 200), rows, isNotRounded: notRounded, signal },
      (line, because) => {
        // What is there already is counted: a file that is sent again has no fault by it.
        if (because !== "duplicate" && named.length < namedMax) named.push({ line, because });
      },
    );
    progress.stop();
    const refused = Object.fromEntries(shown.refused);
    if (json) printJson({ product_id: product, imported: shown.imported, refused, lines: named });
    else print(shown, named, await countOnSale(session, product), product);
    const spoilt = named.find(({ because }) => because === "spoilt by a spreadsheet");
    if (spoilt !== undefined) printWarning(`Line ${spoilt.line} of ${file} is spoilt. ${exportAsText}`);
    for (const fault of faults) {
      printWarning(
        `${fault} ${shown.imported} vouchers before it were put on sale. ` +
          "Correct the file and import all of it again: what is there already is not added twice.",
      );
    }
    if (signal.aborted) {
      printWarning(
        `Interrupted: ${shown.imported} vouchers were put on sale. ` +
          "Import all of the file again: what is there already is not added twice.",
      );
      return interruption.exitCode();
    }
    const isWhole = faults.length === 0 && [...shown.refused.keys()].every((because) => because === "duplicate");
    return isWhole ? 0 : 1;
  } finally {
    progress.stop();
  }
}

/**
 * Streams a file of any size. What breaks it part-way is a sentence among the faults: what came before is in order.
 * @throws Refusal where it names no column of codes, or gives no row before it breaks
 */
async function* rowsOf(file: string, onRead: (bytes: number) => void, faults: string[]): AsyncGenerator<VoucherRow> {
  let given = 0;
  try {
    for await (const { record, line } of readGivenRecords(file, { columns: columnsOf, onRead })) {
      given += 1;
      yield voucherRow(record, line);
    }
  } catch (error) {
    if (!(error instanceof Refusal) || given === 0) throw error;
    faults.push(error.message);
  }
}

/** @throws Refusal when there is no column of codes */
function columnsOf(names: readonly string[]): readonly string[] {
  const columns = voucherColumns(names);
  if (columns === null)
    throw wrong("The file's first line must name one column pin or code, or one of each for cards with both.");
  return columns;
}

function print(
  { imported, refused }: Imported,
  named: readonly { readonly line: number; readonly because: RefusedBecause }[],
  onSale: bigint,
  product: ProductId,
): void {
  const known = refused.get("duplicate") ?? 0;
  printLine(
    `Vouchers of product ${product}: ${imported} were added, ${known} were there already; ${onSale} are on sale.`,
  );
  const faults = [...refused].filter(([because]) => because !== "duplicate");
  if (faults.length === 0) return;
  printLine(`Refused: ${faults.map(([because, count]) => `${count} ${because}`).join(", ")}.`);
  for (const { line, because } of named) printLine(`  line ${line}: ${because}`);
  const more = faults.reduce((sum, [, count]) => sum + count, 0) - named.length;
  if (more > 0) printLine(`  and ${more} more`);
}

async function countOnSale({ database, clock, wallTime }: Session, product: ProductId): Promise<bigint> {
  const rows = await listStock(database, wallTime.dayOf(clock.now()).date, usualThreshold);
  return rows.find(({ productId }) => productId === product)?.unsold ?? 0n;
}

async function printStock({ database, clock, wallTime }: Session, options: JsonOption): Promise<void> {
  const stocks = await listStock(database, wallTime.dayOf(clock.now()).date, usualThreshold);
  const rows = stocks.map(({ productId, code, name, unsold, expired, sold, lowAt }) => ({
    ...{ product_id: productId, code, name, unsold: Number(unsold), expired: Number(expired), sold: Number(sold) },
    ...{ low_at: lowAt, low: unsold <= lowAt },
  }));
  printRows(rows, { headings: { unsold: "left", low_at: "low at" } }, options);
}

/** As the categories bound them. */
const digits = { min: 4, max: 30 };
const prefixMax = 10;

/** The value that removes a rule. */
const any = "any";

interface FormatOptions extends JsonOption {
  readonly pinDigits?: number | typeof any;
  readonly serialPrefix?: string;
  readonly serialDigits?: number | typeof any;
}

/** The command that says what a product's PINs look like. */
function addPinFormatCommand(vouchers: OperatorCommand): void {
  const rule = `${digits.min} to ${digits.max}, or any`;
  vouchers
    .command("format")
    .description("say what a product's PINs and serials look like: imports are held to it, and the sandbox's are so")
    .argument("<product>", "the product's id", productIdValue)
    .option("--pin-digits <number>", `how many digits a PIN has: ${rule}`, digitsValue)
    .option(
      "--serial-prefix <text>",
      `what each serial begins with, in up to ${prefixMax} characters, or any`,
      prefixValue,
    )
    .option("--serial-digits <number>", `how many digits follow it: ${rule}`, digitsValue)
    .does(async ({ database }, id: ProductId, options: FormatOptions) => {
      const format = formatOf(await setPinFormat(database, id, changeOf(options)));
      const { pinDigits, serialPrefix, serialDigits } = format;
      if (options.json) {
        const shown = { pin_digits: pinDigits, serial_prefix: serialPrefix, serial_digits: serialDigits };
        printJson({ product_id: id, ...shown });
      } else printLine(`Product ${id}: a PIN is ${pinWords(format)}; a serial is ${serialWords(format)}.`);
    });
}

function changeOf({ pinDigits, serialPrefix, serialDigits }: FormatOptions): PinFormatChange {
  return {
    ...(pinDigits === undefined ? {} : { pin_digits: pinDigits === any ? null : pinDigits }),
    ...(serialPrefix === undefined ? {} : { serial_prefix: serialPrefix === any ? null : serialPrefix }),
    ...(serialDigits === undefined ? {} : { serial_digits: serialDigits === any ? null : serialDigits }),
  };
}

function digitsValue(text: string): number | typeof any {
  if (text === any) return any;
  const count = countValue(digits.max)(text);
  return orComplain(count >= digits.min ? count : null, `It must be ${digits.min} to ${digits.max}, or any.`);
}

function prefixValue(text: string): string {
  return orComplain(/^[A-Za-z0-9-]{1,10}$/.test(text) ? text : null, "It must be 1 to 10 letters, digits and dashes.");
}
