import type { Clock } from "../../../kernel/clock.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type Database, forReaders, type Queryable, type Tx } from "../../../platform/database/database.ts";
import { bumpRevision, type RevisionWatch, remember } from "../../../platform/revisions.ts";
import { type CompanyRow, findCompany, insertCompany, type LogoType } from "./queries.ts";

/** The company that runs this deployment, as pages, emails and receipts show it. */
export interface Company {
  readonly name: string;
  readonly logo: { readonly bytes: Buffer; readonly type: LogoType } | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  /** Where merchants pay in; lines of text. */
  readonly bankDetails: string | null;
}

const unnamed: Company = { name: "Dispense", logo: null, supportEmail: null, supportPhone: null, bankDetails: null };

export async function readCompany(db: Queryable): Promise<Company> {
  const row = await findCompany(db);
  if (row === null) return unnamed;
  const { logo, logoType, ...company } = row;
  return { ...company, logo: logo === null || logoType === null ? null : { bytes: logo, type: logoType } };
}

/**
 * Gives the company from memory. A caller within a transaction names it: what is not remembered is then read by it, as
 * waiting for a second connection while holding one can stop a whole pool.
 */
export type KnownCompany = (tx?: Tx) => Promise<Company>;

export function openCompany(database: Queryable, watch: RevisionWatch): KnownCompany {
  const reads = forReaders(database);
  const { peek, current } = remember(watch, "company", () => readCompany(reads));
  return async (tx) => (tx === undefined ? current() : (peek() ?? readCompany(tx)));
}

/** What of the company is set; what is left out stays as it was, and null takes it away. */
export interface CompanyChanges {
  readonly name?: string;
  readonly logo?: Buffer | null;
  readonly supportEmail?: string | null;
  readonly supportPhone?: string | null;
  readonly bankDetails?: string | null;
}

/** Sets the company's name and the like. @throws Refusal VALIDATION_ERROR */
export async function setCompany(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  changes: CompanyChanges,
): Promise<Company> {
  const checked = readChanges(changes);
  return database.transaction(async (tx) => {
    const { logo, ...present } = await readCompany(tx);
    const before: CompanyRow = { ...present, logo: logo?.bytes ?? null, logoType: logo?.type ?? null };
    await insertCompany(tx, { ...before, ...checked }, clock.now());
    await bumpRevision(tx, "company");
    return readCompany(tx);
  });
}

const lengths = { name: 100, supportEmail: 254, supportPhone: 30, bankDetails: 1_000 } as const;
const logoBytesMax = 200_000;

/** What of the company is to be set, as it is stored. @throws Refusal VALIDATION_ERROR */
export function readChanges({ logo, ...texts }: CompanyChanges): Partial<CompanyRow> {
  const { name, supportEmail, supportPhone, bankDetails } = texts;
  if (name !== undefined) refuseUnless(isLine(name, lengths.name), "name", "Must be a name of 1 to 100 characters.");
  if (supportEmail != null) {
    const isAddress = /^[^@\s<>,;:"]{1,64}@[^@\s<>,;:"]{1,189}$/.test(supportEmail);
    refuseUnless(isAddress, "support-email", "Must be an e-mail address.");
  }
  if (supportPhone != null) {
    refuseUnless(/^\+?[0-9 ()-]{5,29}$/.test(supportPhone), "support-phone", "Must be a phone number.");
  }
  if (bankDetails != null) {
    const isText = bankDetails.length >= 1 && bankDetails.length <= lengths.bankDetails;
    refuseUnless(isText, "bank", `Must have 1 to ${lengths.bankDetails} characters.`);
  }
  if (logo === undefined) return texts;
  return { ...texts, logo, logoType: logo === null ? null : readLogoType(logo) };
}

function isLine(text: string, lengthMax: number): boolean {
  return text.trim() === text && text.length <= lengthMax && /^\P{C}+$/u.test(text);
}

function readLogoType(logo: Buffer): LogoType {
  refuseUnless(logo.length <= logoBytesMax, "logo", `Must have at most ${logoBytesMax} bytes.`);
  if (logo.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "image/png";
  if (logo.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))) return "image/jpeg";
  const isDrawing = /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg[\s>]/.test(logo.subarray(0, 2_000).toString());
  refuseUnless(isDrawing, "logo", "Must be a picture: PNG, JPEG or SVG.");
  return "image/svg+xml";
}

function refuseUnless(isFine: boolean, field: string, sentence: string): void {
  if (!isFine) throw refuseField("VALIDATION_ERROR", field, sentence);
}
