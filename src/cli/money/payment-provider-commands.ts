import { Option } from "commander";
import {
  changingProvider,
  checkProvider,
  findProviderComplaint,
  keptCredentials,
  providerRequest,
} from "../../domain/funding/change-provider.ts";
import type { FeeBearer } from "../../domain/funding/payment.ts";
import { listProviderStandings } from "../../domain/funding/payment-risk-queries.ts";
import { listPaymentProviders, type PaymentProvider } from "../../domain/funding/provider-queries.ts";
import { putPaymentProvider, refuseUnusableProvider, setPaymentProviderState } from "../../domain/funding/providers.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { jsonValue } from "../arguments.ts";
import { readGivenObject } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type AskingOptions, byOption, requestChange } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows, printWarning } from "../printing.ts";

/** Commands about who receives merchants' transfers for us. */
export function addPaymentProviderCommands(program: OperatorCommand): void {
  const provider = program.command("payment-provider").description("who receives merchants' transfers for us");
  provider
    .command("add")
    .description("a new payment provider, or new settings of one. With staff, another person approves")
    .argument("<name>", "what payments and reports call it")
    .requiredOption("--connector <name>", "the code that speaks its dialect")
    .option("--settings <json>", "what its connector may need", jsonValue, {})
    .option("--credentials <file>", "a JSON file with its keys; they are stored sealed. Left out, those it has stay")
    .addOption(
      new Option("--fee-bearer <who>", "who bears what it keeps of a transfer; a new one: company").choices([
        "company",
        "merchant",
      ]),
    )
    .option("--no-check", "without asking it first for its transfers")
    .option(...byOption)
    .does(add);
  provider.command("list").description("every payment provider").does(listAll);
  stateCommand(provider, "enable", "it opens receiving accounts for merchants");
  stateCommand(provider, "disable", "it opens no new accounts; what is sent to those it has is credited as before");
}

function stateCommand(provider: OperatorCommand, verb: "enable" | "disable", effect: string): void {
  provider
    .command(verb)
    .description(effect)
    .argument("<name>", "the provider")
    .does(async ({ database }, name: string, options: JsonOption) => {
      const state = `${verb}d` as const;
      await setPaymentProviderState(database, name, state);
      if (options.json) printJson({ provider: name, state });
      else printLine(`${name} is ${state}: ${effect}.`);
    });
}

interface AddOptions extends AskingOptions {
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials?: string;
  readonly feeBearer?: FeeBearer;
  readonly check: boolean;
}

async function add(session: Session, name: string, options: AddOptions): Promise<void> {
  const { database, supplierOrigins } = session;
  const { connector, settings } = options;
  const secretBox = await session.secretBox();
  const credentials = options.credentials === undefined ? null : await readGivenObject(options.credentials);
  const { present, credentials: kept } = await keptCredentials(database, secretBox, name);
  const feeBearer = options.feeBearer ?? present?.feeBearer ?? "company";
  const entered = { name, connector, settings, credentials, feeBearer };
  refuseUnusableProvider(secretBox, entered, present);
  const requested = { name, connector, settings, credentials: credentials ?? kept };
  const fault = options.check ? await checkProvider(session, requested) : null;
  if (fault !== null) throw wrong(`The provider was not stored. ${fault} --no-check stores it as it is.`);
  const change = changingProvider({ secretBox });
  if (await requestChange(session, change, providerRequest(entered, present), options)) return;
  const stored = await putPaymentProvider({ database, secretBox }, entered);
  if (options.json) printJson(shown(session, stored));
  else printLine(`${name} is there, spoken to by ${connector}, ${stored.state}. ${whereTo(session, name)}`);
  const complaint = findProviderComplaint({ secretBox, supplierOrigins }, stored);
  if (complaint !== null) {
    printWarning(`payment_provider.unusable: the service asks nothing of ${name}, as ${complaint}. Mend it.`);
  }
}

function whereTo(session: Session, name: string): string {
  return `Enter ${callbackAddress(session, name)} for webhooks in its dashboard.`;
}

/** Where the provider reaches us; without the host where nobody knows it. */
function callbackAddress({ publicUrl }: Session, name: string): string {
  return `${publicUrl ?? ""}/funding/callbacks/${name}`;
}

async function listAll(session: Session, options: JsonOption): Promise<void> {
  const { database, wallTime } = session;
  const standings = new Map((await listProviderStandings(database)).map((each) => [each.provider, each]));
  const rows = (await listPaymentProviders(database)).map((provider) => {
    const { accounts = 0, lastEventAt = null } = standings.get(provider.name) ?? {};
    const last_event = lastEventAt === null ? null : wallTime.format(lastEventAt);
    return { ...shown(session, provider), accounts, last_event };
  });
  const columns = ["provider", "connector", "state", "fee_bearer", "credentials", "accounts", "last_event"] as const;
  printRows(rows, { columns, absent: "-" }, options);
}

/** A provider as it is printed: whether it has credentials, never the credentials themselves. */
function shown(session: Session, { name, connector, state, settings, credentials, feeBearer }: PaymentProvider) {
  return {
    ...{ provider: name, connector, state, fee_bearer: feeBearer, settings },
    credentials: credentials === null ? "none" : "sealed",
    webhook: callbackAddress(session, name),
  };
}
