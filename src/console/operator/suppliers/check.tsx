import { addressOf, checkStored, findComplaint } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import type { Check, CheckVerdict } from "../../../providers/check-supplier.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { states } from "../../kit/states.tsx";
import type { OperatorServices } from "../services.ts";
import { askingOf, supplierPath, suppliersPath } from "./found-supplier.ts";

/** Asks a supplier whether it can be reached, and shows what came of it step by step. Buys nothing and changes nothing. */
export async function checkNow(services: OperatorServices, supplier: Supplier): Promise<PageAnswer> {
  const asking = askingOf(services);
  const complaint = await findComplaint(asking, supplier);
  return checkPage(supplier, complaint, complaint === null ? await checkStored(asking, supplier) : []);
}

function checkPage({ name, connector, settings }: Supplier, complaint: string | null, checks: readonly Check[]) {
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
        <Flash kind="note">{`Connector: ${connector}. It has no address to check.`}</Flash>
      ) : null}
      {checks.length === 0 ? null : (
        <Sheet
          title={isFine ? `${name} answers` : `${failed} of ${checks.length} steps failed`}
          isPadded={false}
          actions={<Form action={`${at}/check`} submit="Check again" kind="plain" isInline />}
        >
          <Steps checks={checks} />
        </Sheet>
      )}
    </>,
  );
}

const verdicts = states<CheckVerdict>({
  ok: ["OK", "good"],
  warning: ["Warning", "waiting"],
  failed: ["Failed", "bad"],
  "not checked": ["Not checked", "quiet"],
});
const titles: Readonly<Record<Check["subject"], string>> = {
  address: "Address",
  tls: "Encryption (TLS)",
  credentials: "Keys and balance",
  clock: "Clock",
  "answer time": "Answer time",
};

function Steps({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <Table
      caption="Steps of the check, in their order"
      rows={checks}
      columns={[
        { title: "Step", cell: ({ subject }) => titles[subject], place: "lead" },
        { title: "Result", cell: ({ verdict }) => verdicts.status(verdict), place: "state" },
        {
          title: "What we found",
          cell: ({ found, advice }) => (
            <>
              {found}
              {advice === null ? null : <small>{advice}</small>}
            </>
          ),
          place: "sub",
        },
      ]}
    />
  );
}
