import { type Company, type CompanyChanges, readCompany, setCompany } from "../../domain/identity/company/company.ts";
import { wrong } from "../failures.ts";
import { readGivenFile } from "../given-records.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printTable } from "../printing.ts";

interface SetOptions extends JsonOption {
  readonly name?: string;
  readonly logo?: string;
  readonly supportEmail?: string;
  readonly supportPhone?: string;
  readonly bank?: string;
}

/** Commands about the company that runs the deployment. */
export function addCompanyCommands(program: OperatorCommand): void {
  const company = program.command("company").description("how this company shows itself on pages and in letters");
  company.command("show").description("what is set").does(show);
  company
    .command("set")
    .description("set what is given, and leave the rest; none takes it away, but for the name")
    .option("--name <name>", "its name")
    .option("--logo <file>", "a picture: PNG, JPEG or SVG, up to 200 kB; or none")
    .option("--support-email <address>", "where merchants write to, and requests for live access go; or none")
    .option("--support-phone <number>", "where merchants call; or none")
    .option("--bank <file>", "a text file that says where merchants pay in; or none")
    .does(set);
}

async function show({ database }: Session, options: JsonOption): Promise<void> {
  print(await readCompany(database), options);
}

async function set(session: Session, options: SetOptions): Promise<void> {
  const { name, logo, supportEmail, supportPhone, bank } = options;
  const changes: CompanyChanges = {
    ...(name === undefined ? {} : { name }),
    ...(logo === undefined ? {} : { logo: logo === "none" ? null : await readGivenFile(logo) }),
    ...(supportEmail === undefined ? {} : { supportEmail: orNone(supportEmail) }),
    ...(supportPhone === undefined ? {} : { supportPhone: orNone(supportPhone) }),
    ...(bank === undefined
      ? {}
      : { bankDetails: bank === "none" ? null : (await readGivenFile(bank)).toString().trim() }),
  };
  if (Object.keys(changes).length === 0) throw wrong("Say what to set: company set --help tells what there is.");
  print(await setCompany(session, changes), options);
}

function orNone(text: string): string | null {
  return text === "none" ? null : text;
}

function print(company: Company, { json }: JsonOption): void {
  const fields = {
    name: company.name,
    logo: company.logo === null ? null : `${company.logo.type}, ${company.logo.bytes.length} bytes`,
    support_email: company.supportEmail,
    support_phone: company.supportPhone,
    bank: company.bankDetails,
  };
  if (json) printJson(fields);
  else {
    const rows = Object.entries(fields).map(([field, value]) => [field.replace("_", " "), value ?? "not set"]);
    printTable(["", ""], rows);
  }
}
