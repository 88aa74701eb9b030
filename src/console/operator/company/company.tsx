import {
  type Company,
  type CompanyChanges,
  readChanges,
  readCompany,
  setCompany,
} from "../../../domain/identity/company/company.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { askForTwo, type Payload, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/company";
/** A picture of 200 kB, and what a form has besides. */
const logoFormBytesMax = 210_000;

/** The texts, by the names that refusals give their fields. */
const texts = {
  name: { key: "name", word: "name" },
  "support-email": { key: "supportEmail", word: "support email" },
  "support-phone": { key: "supportPhone", word: "support phone" },
  bank: { key: "bankDetails", word: "bank details" },
} as const;
type TextName = keyof typeof texts;
const textNames = Object.keys(texts) as TextName[];

/** Merchants pay into the account that stands here: a second person looks at it. */
export const companyChange: TwoPeople = {
  kind: "change company",
  subjects: () => ["company"],
  async readFacts(_services, db, fields) {
    const present = await readCompany(db);
    const changed = textNames.filter((name) => name in fields);
    return Object.fromEntries(changed.map((name) => [`Present ${texts[name].word}`, present[texts[name].key]]));
  },
  ask: matrix.change_settings.roles,
  approve: ["admin"],
  async carryOut({ people }, database, payload) {
    await setCompany({ ...people, database }, changesOf(payload));
    return `Saved: ${wordsOf(payload)}.`;
  },
};

function changesOf(payload: Payload): CompanyChanges {
  const given = textNames.filter((name) => name in payload);
  return Object.fromEntries(given.map((name) => [texts[name].key, payload[name]]));
}

function wordsOf(payload: Payload): string {
  return textNames
    .filter((name) => name in payload)
    .map((name) => texts[name].word)
    .join(", ");
}

/** How the company shows itself on pages, in emails and on receipts. */
export function companyPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (_visit: StaffVisit, typed: Typed) => companyPage(services, typed);
  const change = { capability: "change_settings", doneAt: () => here, show } as const;
  routes.both(here, { ...change, send: (visit, form) => changeTexts(services, visit, form) });

  routes.form(`${here}/logo`, {
    ...change,
    bytesMax: logoFormBytesMax,
    async send(visit, form) {
      const logo = form.text("do") === "remove" ? null : logoIn(form);
      const database = changing(services, visit, "console company logo", { bytes: logo?.length ?? 0 });
      await setCompany({ ...services.people, database }, { logo });
      return goTo(here, logo === null ? "Logo removed." : "Saved. Pages and receipts show the new logo.");
    },
  });
}

function shownOf(company: Company): string {
  return JSON.stringify(textNames.map((name) => company[texts[name].key]));
}

async function changeTexts(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const present = await readCompany(services.reads);
  const words = textNames.map((name) => present[texts[name].key] ?? `no ${texts[name].word}`).join("; ");
  refuseStale(form, shownOf(present), words);
  const payload: Payload = Object.fromEntries(
    textNames.flatMap((name) => {
      const typed = form.text(name).replace(/\r\n?/g, "\n");
      const value = typed === "" && name !== "name" ? null : typed;
      return value === present[texts[name].key] ? [] : [[name, value] as const];
    }),
  );
  if (Object.keys(payload).length === 0) return goBack(here, "Nothing was changed.");
  // Before anybody is asked to approve it.
  readChanges(changesOf(payload));
  const summary = `Change the company’s ${wordsOf(payload)}`;
  return askForTwo(services, visit, companyChange, { summary, payload, doneAt: here });
}

/** The picture that was uploaded. @throws Refusal VALIDATION_ERROR */
function logoIn(form: SentForm): Buffer {
  const [, encoded] = /^data:image\/(?:png|jpeg|svg\+xml);base64,(.+)$/.exec(form.raw("logo")) ?? [];
  if (encoded !== undefined) return Buffer.from(encoded, "base64");
  throw wrong("logo", "Choose a PNG, JPEG or SVG picture of up to 200 kB.");
}

async function companyPage({ reads }: OperatorServices, typed: Typed): Promise<PageAnswer> {
  const company = await readCompany(reads);
  return page(
    {
      title: "Company",
      note: "What merchants see on pages, emails and receipts",
    },
    <>
      <Sheet title="Name, contacts, bank details" note="A second person approves">
        <Form action={here} submit="Save changes" hidden={seen(shownOf(company))}>
          <TextField {...typed.field("name", company.name)} label="Name" lengthMax={100} autocomplete="organization" />
          <TextField
            {...typed.field("support-email", company.supportEmail)}
            label="Support email"
            type="email"
            hint="Merchants write here, and requests for live access come here."
            isRequired={false}
          />
          <TextField
            {...typed.field("support-phone", company.supportPhone)}
            label="Support phone"
            type="tel"
            isRequired={false}
          />
          <TextAreaField
            {...typed.field("bank", company.bankDetails)}
            label="Bank details"
            hint="Where merchants pay in: bank, account name, account number."
            isRequired={false}
          />
        </Form>
      </Sheet>
      <LogoSheet {...{ company, typed }} />
    </>,
  );
}

function LogoSheet({ company: { logo }, typed }: { readonly company: Company; readonly typed: Typed }) {
  return (
    <Sheet title="Logo" note={logo === null ? "None" : `${logo.type}, ${logo.bytes.length} bytes`}>
      <Form action={`${here}/logo`} submit="Save logo" isUpload>
        <TextField
          name="logo"
          type="file"
          label="New logo"
          accept="image/png,image/jpeg,image/svg+xml"
          hint="A PNG, JPEG or SVG picture of up to 200 kB."
          error={typed.error("logo")}
        />
      </Form>
      {logo === null ? null : (
        <Form action={`${here}/logo`} submit="Remove logo" kind="danger" hidden={{ do: "remove" }} isInline />
      )}
    </Sheet>
  );
}
