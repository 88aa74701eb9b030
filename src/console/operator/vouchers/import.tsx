import { readUpload, startImport } from "../../../domain/suppliers/vouchers/uploaded-import.ts";
import { formatOf, pinWords, serialWords } from "../../../domain/suppliers/vouchers/voucher-format.ts";
import { voucherFileField } from "../../../domain/suppliers/vouchers/voucher-text.ts";
import { type Answer, goTo, page } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { productIn, shelfOf } from "./product.tsx";
import { importPath, vouchersPath } from "./vouchers.tsx";

const here = `${vouchersPath}/import`;
/** Over 100,000 lines with serial and date. */
const bytesMax = 8 * 1_048_576;
/** Each holds its file in memory. */
const readingMax = 2;

/** The upload of a file of vouchers. It is read and sealed beside the pages; nothing of it is for sale yet. */
export function voucherImportPages(routes: StaffRoutes, services: OperatorServices): void {
  let reading = 0;
  const show = (visit: StaffVisit, typed: Typed) => importPage(services, visit, typed);
  routes.page(here, { capability: "upload_vouchers", show });
  routes.form(here, { capability: "upload_vouchers", bytesMax, doneAt: () => vouchersPath, show, send });

  async function send(visit: StaffVisit, form: SentForm): Promise<Answer> {
    const { people, log } = services;
    const productId = productIn(form.text("product"));
    if (productId === null) throw wrong("product", "Enter a product’s number, such as 1203.");
    const text = form.raw(voucherFileField);
    if (text.trim() === "") throw wrong(voucherFileField, "Choose the file.");
    if (reading >= readingMax) throw refused("Two files are being read. Upload this one in a minute.");
    const batch = (form.text(`${voucherFileField}-name`) || "upload").slice(0, 200);
    const { database, secretBox, wallTime } = services;
    const its = { database, secretBox, wallTime, clock: people.clock, randomness: people.randomness };
    const madeBy = visit.session.person.name || visit.session.person.email;
    const file = { productId, batch, madeBy, text, isNotRounded: form.has("not_rounded") };
    const changed = changing(services, visit, "console vouchers upload", { product: productId, batch });
    const id = await startImport({ ...its, database: changed }, file);
    reading += 1;
    readUpload(its, id, file)
      .catch((error: unknown) => log.error({ event: "voucher_import.failed", import: id, error }))
      .finally(() => {
        reading -= 1;
      });
    return goTo(importPath(id));
  }
}

async function importPage({ reads, catalogue }: OperatorServices, visit: StaffVisit, typed: Typed) {
  const wished = typed.value("product", visit.query.get("product"));
  const id = productIn(wished.trim());
  const product = id === null ? null : (await catalogue.current()).findProduct(id);
  const shelf = product === null ? null : await shelfOf(reads, product.id);
  return page(
    {
      title: "Import vouchers",
      crumbs: [["Vouchers", vouchersPath]],
      note: "You see what is wrong before anything is for sale",
    },
    <Sheet title={product === null ? "File" : product.name}>
      <Form action={here} submit="Check file" isUpload>
        <TextField
          {...typed.aimed({ PRODUCT_NOT_FOUND: ["product"] }).field("product", wished)}
          label="Product number"
          keys="numeric"
          {...(shelf === null ? {} : { hint: formatWords(shelf.attributes) })}
        />
        <TextField
          name={voucherFileField}
          type="file"
          label="File"
          accept=".csv,.txt,text/csv,text/plain"
          error={typed.error(voucherFileField)}
          hint="A PIN in each line, or CSV whose first line names its columns: pin or code, and serial and expires_on where there are. Up to 8 MB."
        />
        <CheckField
          {...typed.box("not_rounded")}
          label="No spreadsheet rounded the numbers: codes that end in zeros are right"
        />
      </Form>
    </Sheet>,
  );
}

function formatWords(attributes: Parameters<typeof formatOf>[0]): string {
  const format = formatOf(attributes);
  return `A PIN is ${pinWords(format)}; a serial is ${serialWords(format)}.`;
}
