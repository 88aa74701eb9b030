import { draftPriceChange } from "../../../domain/catalogue/price-changes/price-change.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import type { LineFault } from "../../../domain/suppliers/route-lists/line-faults.ts";
import { readPriceFile } from "../../../domain/suppliers/selling-prices/price-file.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { changesPath, pricesPath } from "./price-words.tsx";
import type { ReadTable } from "./table.ts";

const here = `${pricesPath}/upload`;
const bytesMax = 8 * 1_048_576;
const faultsShown = 100;

/** New prices as a file: the one that was downloaded, changed in a spreadsheet. */
export function priceUploadPages(routes: StaffRoutes, services: OperatorServices, read: ReadTable): void {
  routes.both(here, {
    capability: "change_prices",
    bytesMax,
    doneAt: () => here,
    show: (_visit, typed) => uploadPage({ typed, faults: [] }),
    send: async (visit, form) => upload(services, visit, { form, read }),
  });
}

async function upload(
  { database }: OperatorServices,
  visit: StaffVisit,
  { form, read }: { readonly form: SentForm; readonly read: ReadTable },
): Promise<Answer> {
  const { lines, faults } = await readPriceFile(form.raw("file"), (await read()).catalogue);
  if (faults.length > 0) return uploadPage({ typed: null, faults });
  const madeBy = auditName(visit.session.person);
  return goTo(`${changesPath}/${await draftPriceChange(database, { madeBy, lines })}`);
}

interface Shown {
  /** Null where lines of the file are wrong. */
  readonly typed: Typed | null;
  readonly faults: readonly LineFault[];
}

function uploadPage({ typed, faults }: Shown): PageAnswer {
  const found = countText(faults.length, "thing in the file is wrong", "things in the file are wrong");
  return page(
    {
      title: "Upload prices",
      crumbs: [["Prices", pricesPath]],
      note: "A preview comes first. Nothing changes until you confirm it.",
      actions: (
        <ButtonLink href={`${pricesPath}/prices.csv`} icon="download" isDownload>
          Download today’s prices
        </ButtonLink>
      ),
      problem: faults.length > 0 ? `${found}. No price was changed.` : null,
      status: faults.length > 0 ? 400 : 200,
    },
    <>
      {faults.length === 0 ? null : (
        <TableSheet
          title="Fix these lines"
          note={`Line numbers of the file`}
          caption="Wrong lines"
          rows={faults.slice(0, faultsShown)}
          columns={[
            { title: "Line", cell: ({ line }) => line, place: "lead" },
            { title: "What is wrong", cell: ({ sentence }) => sentence, place: "sub" },
          ]}
        />
      )}
      <Sheet title="File">
        <Form action={here} submit="Preview prices" isUpload>
          <TextField
            name="file"
            type="file"
            label="Price list"
            accept=".csv,.txt,text/csv,text/plain"
            error={typed?.error("file")}
            hint="CSV with product_id and base_price or tier_1_price to tier_9_price: 985.00, or 97.5% of the face value. An empty cell changes nothing; “none” removes a tier’s own price."
          />
        </Form>
      </Sheet>
    </>,
  );
}
