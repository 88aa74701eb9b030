import { addressOf, checkStored, findComplaint } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import type { Check, CheckVerdict } from "../../../providers/check-supplier.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Timeline, type TimelineStep } from "../../kit/parts/data.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import type { OperatorServices } from "../services.ts";
import { askingOf, supplierPath, suppliersPath } from "./found-supplier.ts";

/** Asks a supplier whether it can be reached, and shows what came of it step by step. Buys nothing and changes nothing. */
export async function checkNow(services: OperatorServices, supplier: Supplier): Promise<PageAnswer> {
  const asking = askingOf(services);
  const complaint = await findComplaint(asking, supplier);
  return checkPage(supplier, complaint, complaint === null ? await checkStored(asking, supplier) : []);
}

function checkPage(
  { name, connector, settings }: Supplier,
  complaint: string | null,
  checks: readonly Check[],
): PageAnswer {
  const failed = checks.filter(({ verdict }) => verdict === "failed").length;
  const isFine = complaint === null && failed === 0;
  const at = supplierPath(name);
  return page(
    {
      title: `Check of ${name}`,
      crumbs: [
        ["Suppliers", suppliersPath],
        [name, at],
      ],
      note: "Nothing was bought, and nothing was changed",
      actions: <ButtonLink href={at}>Back to {name}</ButtonLink>,
    },
    <>
      {complaint === null ? null : (
        <Flash kind="bad">
          Nothing is sent to {name}, because {complaint}. Correct it, then check again.
        </Flash>
      )}
      {complaint === null && addressOf(settings) === null ? (
        <Flash kind="note">{`${name} is spoken to by ${connector}. It has no address to check.`}</Flash>
      ) : null}
      {checks.length === 0 ? null : (
        <Sheet title={isFine ? `${name} answers` : `${failed} of ${checks.length} steps failed`}>
          <Timeline label={`Steps of the check of ${name}`} steps={checks.map(stepOf)} />
          <Form action={`${at}/check`} submit="Check again" kind="plain" />
        </Sheet>
      )}
    </>,
  );
}

const states: Readonly<Record<CheckVerdict, TimelineStep["state"]>> = {
  ok: "done",
  warning: "waiting",
  failed: "failed",
  "not checked": "noted",
};
const titles: Readonly<Record<Check["subject"], string>> = {
  address: "Address",
  tls: "Encryption (TLS)",
  credentials: "Keys and balance",
  clock: "Clock",
  "answer time": "Answer time",
};

function stepOf({ subject, verdict, found, advice }: Check): TimelineStep {
  return {
    state: states[verdict],
    title: verdict === "not checked" ? `${titles[subject]}: not checked` : titles[subject],
    children: (
      <>
        <p>{found}</p>
        {advice === null ? null : <p>{advice}</p>}
      </>
    ),
  };
}
