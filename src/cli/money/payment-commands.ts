import { Argument } from "commander";
import { endContradiction } from "../../domain/funding/end-contradiction.ts";
import { findPaymentCalled, listPayments, numberMax } from "../../domain/funding/listed-payment-queries.ts";
import { contradictionEnds, formatPaymentNumber } from "../../domain/funding/payment.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { formatNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { findAuthor } from "../people/change-commands.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

const listMax = 1_000;
const ends = contradictionEnds.map((end) => end.replace("_", "-"));

/** Commands about transfers that payment providers tell of. */
export function addPaymentCommands(program: OperatorCommand): void {
  const payment = program.command("payment").description("transfers that payment providers tell of");
  payment
    .command("contradicted")
    .description("list those that were booked, and their providers say something else now")
    .does(listContradicted);
  payment
    .command("end")
    .description("say how that ended, once: we were wrong, the provider was, or it is written off. Moves no money")
    .argument("<payment>", "pay_17, or the provider's own id of it")
    .addArgument(new Argument("<how>", "who was wrong").choices(ends))
    .requiredOption("--note <text>", "what you found, who said it and when")
    .does(end);
}

async function listContradicted({ database, wallTime }: Session, options: JsonOption): Promise<void> {
  const all = { provider: null, merchantId: null, state: null, wasTakenBack: null, isOwed: false, numbers: null };
  const filter = { ...all, isContradicted: true, from: null, before: null };
  const payments = await listPayments(database, filter, { below: numberMax, limit: listMax });
  const rows = payments.map(({ number, provider, merchantId, amount, paidAt, contradiction }) => ({
    ...{ payment: formatPaymentNumber(number), provider, contradiction },
    merchant_id: merchantId === null ? null : formatMerchantId(merchantId),
    amount: amount === null ? null : formatNaira(amount),
    paid_at: paidAt === null ? null : wallTime.format(paidAt),
  }));
  printRows(rows, { absent: "-", none: "No payment is contradicted." }, options);
}

async function end(
  session: Session,
  called: string,
  how: string,
  { note, json }: JsonOption & { readonly note: string },
): Promise<void> {
  const ended = contradictionEnds.find((each) => each.replace("_", "-") === how);
  const number = await findPaymentCalled(session.database, called);
  if (ended === undefined || number === null) throw refuse("NOT_FOUND", { message: "There is no such payment." });
  const by = await findAuthor(session, undefined, ["admin", "finance"]);
  await endContradiction(session.database, by, { number, end: ended, note: note.trim() });
  if (json) printJson({ payment: formatPaymentNumber(number), contradiction_end: ended });
  else printLine(`The contradiction of ${formatPaymentNumber(number)} is ended. No money moved.`);
}
