import { createMerchants } from "../../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import type { RegisteredMerchant } from "../../domain/merchants/registration.ts";
import { needsApproval } from "../../domain/wallet/credits.ts";
import { formatNaira, type Kobo, multiply, zeroKobo } from "../../kernel/money.ts";
import { countValue, nairaValue } from "../arguments.ts";
import {
  adviseWhenUnknown,
  type Interruption,
  interruptible,
  type OperatorCommand,
  type Session,
  wrong,
} from "../operator-command.ts";
import { type JsonOption, printLine, printRows, printWarning, progressBar } from "../printing.ts";

const countMax = 100_000;

interface CreateOptions extends JsonOption {
  readonly name: string;
  readonly email: string;
  readonly approve?: true;
  readonly credit?: Kobo;
  /** False where --no-bank-reference stands. */
  readonly bankReference: boolean;
  readonly testCredit?: Kobo;
  readonly count: number;
}

/** The command that makes merchants, one or many. */
export function addCreateMerchant(program: OperatorCommand): void {
  program
    .command("create-merchant")
    .description("a new merchant with a sandbox key, and with --approve a live key")
    .requiredOption("--name <name>", "the merchant's name; numbered when there are several")
    .requiredOption("--email <address>", "where to reach it")
    .option("--approve", "approve API access at once: live keys work")
    .option("--credit <naira>", "book a top-up of the live wallet, which no transfer stands behind", nairaValue)
    .option("--no-bank-reference", "goes with --credit; a transfer is booked by credit-wallet instead")
    .option("--test-credit <naira>", "book a top-up of the sandbox wallet, on top of its 100000.00", nairaValue)
    .option("--count <number>", "how many", countValue(countMax), 1)
    .hook("preAction", (command) => {
      const { credit, bankReference } = command.opts<CreateOptions>();
      if (credit === undefined || !bankReference) return;
      command.error("error: --credit goes with --no-bank-reference; credit-wallet books a transfer");
    })
    .does((session, options: CreateOptions) => interruptible((interruption) => create(session, options, interruption)));
}

/** Keys can be read this once: a set's are told as soon as it is committed, and no set is begun that could not be. */
async function create(session: Session, options: CreateOptions, interruption: Interruption): Promise<number> {
  const { count, json, credit } = options;
  const credited = credit === undefined ? zeroKobo : multiply(credit, count);
  if (needsApproval(credited, session.creditAloneMax)) {
    throw wrong(
      `One person credits up to ${formatNaira(session.creditAloneMax)} (CREDIT_ALONE_MAX): leave --credit out, and propose it with credit-wallet.`,
    );
  }
  // Where the sets come by on the same screen, they are the progress.
  // Where the keys go to a terminal, they tell themselves how far it is.
  const progress = count > 1 && !process.stdout.isTTY ? progressBar(count) : null;
  const fields = {
    name: options.name,
    email: options.email,
    count,
    approved: options.approve === true,
    credit: credit ?? null,
    testCredit: options.testCredit ?? null,
    createdBy: session.operator,
  };
  let done = 0;
  let last: RegisteredMerchant | undefined;
  let notPrinted: readonly RegisteredMerchant[] = [];
  const onCreated = async (set: readonly RegisteredMerchant[]) => {
    print(set, options);
    done += set.length;
    last = set.at(-1);
    progress?.update(done);
    if (!(await isWritten())) notPrinted = set;
  };
  try {
    await createMerchants(session, fields, onCreated, interruption.signal).catch(adviseWhenUnknown(unseen));
  } catch (error) {
    if (last !== undefined) {
      const after = `merchants --after ${formatMerchantId(last.id)}`;
      printWarning(`${madeOf(done, count)} What may have been made and could not be told: ${after}`);
    }
    throw error;
  } finally {
    progress?.stop();
  }
  if (done < count) {
    printWarning(`Interrupted. ${madeOf(done, count)}${notPrintedOf(notPrinted)}`);
    return interruption.exitCode();
  }
  if (!json) printLine("The keys are shown this once.");
  return 0;
}

const unseen =
  "Merchants may have been made whose keys nobody saw: look with merchants before you repeat it; create-key makes others.";

function madeOf(done: number, count: number): string {
  return `${done} of ${count} merchants exist; their keys were written out, this once. Those not read: create-key makes others.`;
}

/** Whether all that was printed so far went out: nobody may be reading any more. */
function isWritten(): Promise<boolean> {
  return new Promise((resolve) => {
    // A failure is an interruption as well, of which all hear in the same turn: no set is begun after it.
    process.stdout.write("", (error) => setImmediate(resolve, error === null || error === undefined));
  });
}

function notPrintedOf(set: readonly RegisteredMerchant[]): string {
  const [first, last] = [set.at(0), set.at(-1)];
  if (first === undefined || last === undefined) return "";
  return ` Those of ${formatMerchantId(first.id)} to ${formatMerchantId(last.id)} went nowhere: nobody was reading.`;
}

function print(set: readonly RegisteredMerchant[], options: JsonOption): void {
  const rows = set.map(({ id, testKey, liveKey }) => ({
    merchant_id: formatMerchantId(id),
    test_key: testKey,
    live_key: liveKey,
  }));
  printRows(rows, { headings: { test_key: "sandbox key" }, absent: "after approval" }, options);
}
