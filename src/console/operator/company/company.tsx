import {
  type Company,
  type CompanyChanges,
  readChanges,
  readCompany,
  setCompany,
} from "../../../domain/identity/company/company.ts";
import type { Request } from "../../../domain/staff/change-kinds.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { optional, typed as typedField } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/company";
/** A picture of 200 kB, and what a form has besides. */
const logoFormBytesMax = 210_000;

/** The texts, by the names that refusals give their fields. */
const keys = {
  name: "name",
  "support-email": "supportEmail",
  "support-phone": "supportPhone",
  bank: "bankDetails",
} as const;
type Texts = Readonly<Record<keyof typeof keys, string | null>>;
const names = Object.keys(keys) as (keyof typeof keys)[];

/** Read as the company's own function does. */
function line(name: keyof typeof keys, label: string, options: Parameters<typeof typedField>[2]) {
  const read = (typed: string) => {
    const text = typed.replace(/\r\n?/g, "\n");
    readChanges({ [keys[name]]: text });
    return text;
  };
  return typedField<string | null>(label, { read, show: (text) => text ?? "" }, options);
}

const form = fields<Texts>({
  name: line("name", "Name", { lengthMax: 100, autocomplete: "organization" }),
  "support-email": optional(
    line("support-email", "Support email", {
      type: "email",
      hint: "Merchants write here, and requests for live access come here.",
    }),
  ),
  "support-phone": optional(line("support-phone", "Support phone", { type: "tel" })),
  bank: optional(
    line("bank", "Bank details", { rows: 4, hint: "Where merchants pay in: bank, account name, account number." }),
  ),
});

/** Merchants pay into the account that stands here: a second person looks at it. What wasn't changed isn't asked for. */
export const companyTexts = changeOfTwo({
  at: here,
  may: "change_settings",
  doneAt: () => here,
  find: ({ reads }) => readCompany(reads),
  fields: form,
  stored: textsOf,
  looks: () => ({ submit: "Save changes" }),
  kind: "change company",
  approve: ["admin"],
  subjects: () => ["company"],
  async facts(_services, db, frozen) {
    const present = textsOf(await readCompany(db));
    const requested = names.filter((name) => name in frozen);
    return Object.fromEntries(requested.map((name) => [`Present ${form.labelsIn({ [name]: "" })}`, present[name]]));
  },
  summary: ({ values, found }) => `Change the company’s ${form.labelsIn(form.changed(values, textsOf(found)))}`,
  freeze: ({ values, found }) => form.freeze(form.changed(values, textsOf(found))),
  async run({ people }, values, frozen) {
    await setCompany(
      people,
      Object.fromEntries(names.flatMap((name) => (name in frozen ? [[keys[name], values[name]]] : []))),
    );
    return `Saved: ${form.labelsIn(frozen)}.`;
  },
});

/** The same as a command asks for: what isn't given stays as it is. */
export function textsRequest(changes: Omit<CompanyChanges, "logo">): Request {
  const values = Object.fromEntries(
    names.flatMap((name) => (keys[name] in changes ? [[name, changes[keys[name]] ?? null]] : [])),
  );
  return { summary: `Change the company’s ${form.labelsIn(values)}`, fields: form.freeze(values) };
}

function textsOf(company: Company): Texts {
  return Object.fromEntries(names.map((name) => [name, company[keys[name]]])) as Texts;
}

/** How the company shows itself on pages, in emails and on receipts. */
export function companyPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => companyPage(services, visit, typed);
  routes.page(here, { capability: "change_settings", show });
  companyTexts.addTo(routes, services, show);

  routes.form(`${here}/logo`, {
    ...{ capability: "change_settings", doneAt: () => here, show },
    bytesMax: logoFormBytesMax,
    async send(visit, form) {
      const logo = form.text("do") === "remove" ? null : logoIn(form);
      const database = changing(services, visit, "console company logo", { bytes: logo?.length ?? 0 });
      await setCompany({ ...services.people, database }, { logo });
      return goTo(here, logo === null ? "Logo removed." : "Saved. Pages and receipts show the new logo.");
    },
  });
}

/** The picture that was uploaded. @throws Refusal VALIDATION_ERROR */
function logoIn(form: SentForm): Buffer {
  const [, encoded] = /^data:image\/(?:png|jpeg|svg\+xml);base64,(.+)$/.exec(form.raw("logo")) ?? [];
  if (encoded !== undefined) return Buffer.from(encoded, "base64");
  throw wrong("logo", "Choose a PNG, JPEG or SVG picture of up to 200 kB.");
}

async function companyPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const company = await readCompany(services.reads);
  return page(
    {
      title: "Company",
      note: "What merchants see on pages, emails and receipts",
    },
    <>
      <Sheet title="Name, contacts, bank details" note="A second person approves">
        {companyTexts.draw(visit, typed, company)}
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
