import { type PinFormatChange, setPinFormat } from "../../domain/catalogue/changes/pin-format.ts";
import { formatOf, pinWords, serialWords } from "../../domain/suppliers/vouchers/voucher-format.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { countWord, orComplain, productIdWord } from "../arguments.ts";
import type { OperatorCommand } from "../operator-command.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";

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
export function addPinFormatCommand(vouchers: OperatorCommand): void {
  const rule = `${digits.min} to ${digits.max}, or any`;
  vouchers
    .command("format")
    .description("say what a product's PINs and serials look like: imports are held to it, and the sandbox's are so")
    .argument("<product>", "the product's id", productIdWord)
    .option("--pin-digits <number>", `how many digits a PIN has: ${rule}`, digitsWord)
    .option(
      "--serial-prefix <text>",
      `what each serial begins with, in up to ${prefixMax} characters, or any`,
      prefixWord,
    )
    .option("--serial-digits <number>", `how many digits follow it: ${rule}`, digitsWord)
    .does(async ({ database }, id: ProductId, options: FormatOptions) => {
      const format = formatOf(await setPinFormat(database, id, changeOf(options)));
      const { pinDigits, serialPrefix, serialDigits } = format;
      if (options.json) {
        const told = { pin_digits: pinDigits, serial_prefix: serialPrefix, serial_digits: serialDigits };
        printJson({ product_id: id, ...told });
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

function digitsWord(text: string): number | typeof any {
  if (text === any) return any;
  const count = countWord(digits.max)(text);
  return orComplain(count >= digits.min ? count : null, `It must be ${digits.min} to ${digits.max}, or any.`);
}

function prefixWord(text: string): string {
  return orComplain(/^[A-Za-z0-9-]{1,10}$/.test(text) ? text : null, "It must be 1 to 10 letters, digits and dashes.");
}
