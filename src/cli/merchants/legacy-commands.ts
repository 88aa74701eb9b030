import { Argument, Option } from "commander";
import { setLegacyNetworks, setLegacyPrefixCheck } from "../../domain/merchants/administration.ts";
import {
  formatNetworkNumbers,
  type NetworkNumbers,
  type NumberedCategory,
  numberedCategories,
  parseNetworkNumbers,
} from "../../domain/merchants/legacy-settings.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findLegacySettings } from "../../domain/merchants/setting-queries.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import { merchantIdValue, orComplain } from "../arguments.ts";
import { wrong } from "../failures.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";

interface NetworksOptions extends JsonOption {
  readonly for?: NumberedCategory;
  readonly usual?: true;
}

/** Commands about merchants whose clients were written for an older service. */
export function addLegacyCommands(program: OperatorCommand): void {
  program
    .command("legacy-networks")
    .description("how a merchant's older clients number networks; without numbers, tell it")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("[numbers]", "each network's number, such as 1=mtn,2=airtel,3=glo,4=9mobile", numbersValue)
    .addOption(new Option("--for <what>", "for these purchases alone").choices([...numberedCategories]))
    .option("--usual", "back to 1=mtn,2=glo,3=9mobile,4=airtel")
    .does(networks);
  program
    .command("legacy-prefix-check")
    .description("refuse a merchant's older clients airtime to a number of another network's prefix, or sell it")
    .argument("<id>", "the merchant", merchantIdValue)
    .addArgument(new Argument("<switch>", "on or off").choices(["on", "off"]))
    .does(async (session, id: MerchantId, position: "on" | "off", options: JsonOption) => {
      const changed = await setLegacyPrefixCheck(session, id, position === "on");
      if (options.json) printJson({ merchant_id: formatMerchantId(id), legacy_prefix_check: position, changed });
      else printLine(`${formatMerchantId(id)}: the check of prefixes ${changed ? "is" : "was already"} ${position}.`);
    });
}

function numbersValue(text: string): NetworkNumbers {
  return orComplain(parseNetworkNumbers(text), "It must number all four networks: 1=mtn,2=airtel,3=glo,4=9mobile.");
}

async function networks(
  session: Session,
  id: MerchantId,
  numbers: NetworkNumbers | undefined,
  options: NetworksOptions,
): Promise<void> {
  if (options.usual && numbers !== undefined) {
    throw wrong("Give numbers or --usual, not both.");
  }
  if (numbers !== undefined || options.usual) {
    const categories = options.for === undefined ? numberedCategories : [options.for];
    await setLegacyNetworks(session, id, { categories, numbers: numbers ?? null });
  }
  const settings = await findLegacySettings(session.database, id);
  if (settings === null) throw refuse("NOT_FOUND", { message: `There is no merchant ${formatMerchantId(id)}.` });
  const shown = {
    data: formatNetworkNumbers(settings.networks.data),
    airtime: formatNetworkNumbers(settings.networks.airtime),
  };
  if (options.json) printJson({ merchant_id: formatMerchantId(id), legacy_networks: shown });
  else printLine(`${formatMerchantId(id)} numbers networks ${shown.data} for data, ${shown.airtime} for airtime.`);
}
