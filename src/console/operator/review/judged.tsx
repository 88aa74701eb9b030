import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { soldProductOf } from "../../../domain/purchases/purchase.ts";
import { type JudgedLine, plannedEnds } from "../../../domain/resolution/review/judge-statement.ts";
import { totalsOf } from "../../../domain/resolution/review/resolve-together.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { type Form as SentForm, sentAgain } from "../../kit/form.ts";
import { Figures } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Money } from "../../kit/parts/text.tsx";
import { type MerchantNames, merchantNames, salePath } from "../sales/words.ts";

import type { OperatorServices } from "../services.ts";
import { EndStatus } from "./together.tsx";

const column = columnsOf<JudgedLine>();

const here = "/operator/review/statement";
const shownMax = 100;

/** A statement that was read, and what each of its lines would do now. */
export interface Judged {
  readonly form: SentForm;
  readonly text: string;
  readonly supplier: string;
  readonly lines: readonly JudgedLine[];
  /** Exactly these ends. */
  readonly name: string;
}

type Verdict = JudgedLine["verdict"];

const sections: readonly (readonly [title: string, note: string, verdicts: readonly Verdict[]])[] = [
  ["Wrong lines", "Nothing happens to these. Correct them for the next statement.", ["wrong"]],
  ["Doubtful", "Nothing happens to these. Open each and decide it by itself.", ["doubtful"]],
  [
    "Sales that end",
    "The first 200 together, or none. Of the others, what ends meanwhile stays as it is.",
    ["fulfil", "refund"],
  ],
  ["No match", "We have no such sale, or it isn’t pending under this ID. Nothing happens.", ["unmatched"]],
  ["Nothing to do", "They ended the same way, or the supplier doesn’t know.", ["no_action"]],
];

/** What each line of a statement would do, before anybody is asked. */
export async function judgedPage(
  services: OperatorServices,
  { form, text, supplier, lines, name }: Judged,
  problem: string | null,
): Promise<PageAnswer> {
  const ends = plannedEnds(lines);
  const { fulfilled, refunded, refundedTotal } = totalsOf(ends);
  const count = (verdict: Verdict) => lines.filter((line) => line.verdict === verdict).length;
  const products = await services.catalogue.current();
  const shown = sections.map(([title, note, verdicts]) => {
    const all = lines.filter(({ verdict }) => verdicts.includes(verdict));
    return { title, note, isEnding: verdicts.includes("fulfil"), count: all.length, rows: all.slice(0, shownMax) };
  });
  const sales = shown.flatMap(({ rows }) => rows.flatMap(({ purchase }) => purchase ?? []));
  const names = await merchantNames(services.reads, sales);
  return page(
    {
      ...{ title: "Check statement", problem, status: problem === null ? 200 : 409 },
      note: `${countText(lines.length, "line")} of ${supplier}. Nothing has changed yet`,
      crumbs: [
        ["Review queue", "/operator/review"],
        ["Decide by statement", here],
      ],
    },
    <>
      <Figures
        figures={[
          { label: "Delivered", value: grouped(fulfilled), note: "The merchant stays charged" },
          { label: "Refunded", value: grouped(refunded), note: <Money amount={refundedTotal} /> },
          {
            ...{ label: "Doubtful", value: grouped(count("doubtful")), isAlarm: count("doubtful") > 0 },
            note: "Left as they are",
          },
          {
            label: "Nothing to do",
            value: grouped(count("no_action") + count("unmatched")),
            note: `${grouped(count("unmatched"))} without a match, ${grouped(count("wrong"))} wrong`,
          },
        ]}
      />
      <Sheet title="Ask for approval">
        {ends.length === 0 ? (
          <Empty title="No sale would end by this statement">
            Check the supplier, whose reference it is, and the columns. Doubtful lines are decided one by one.
          </Empty>
        ) : (
          <Form
            action={`${here}/ask`}
            submit={`Ask a second person to end ${countText(ends.length, "sale")}`}
            hidden={{ ...sentAgain(form), statement: text, seen: name }}
          >
            <p>
              If one of the first 200 sales ends by itself before the second person approves, nothing happens: you check
              the statement again.
            </p>
          </Form>
        )}
      </Sheet>
      {shown
        .filter((section) => section.count > 0)
        .map((section) => (
          <Lines key={section.title} {...{ services, section, products, names }} />
        ))}
    </>,
  );
}

interface LinesProps {
  readonly services: OperatorServices;
  readonly section: {
    readonly title: string;
    readonly note: string;
    readonly isEnding: boolean;
    readonly count: number;
    readonly rows: readonly JudgedLine[];
  };
  readonly products: CatalogueSnapshot;
  readonly names: MerchantNames;
}

function Lines({ services, section, products, names }: LinesProps) {
  return (
    <TableSheet
      title={section.title}
      note={section.note}
      rows={section.rows}
      href={({ purchase }) => (purchase === null ? null : salePath(services.transactionIds, purchase))}
      columns={[
        column.lead("Reference", ({ reference }) => <code>{reference}</code>),
        { title: "Line", cell: ({ line }) => line, isExtra: true },
        ...(section.rows.every(({ purchase }) => purchase === null)
          ? section.rows.some(({ why }) => why !== "")
            ? [whyColumn]
            : []
          : aboutSales(section.isEnding, products, names)),
      ]}
    >
      {section.count > section.rows.length ? (
        <p class="hint">{`The first ${shownMax} of ${grouped(section.count)} are shown.`}</p>
      ) : null}
    </TableSheet>
  );
}

const whyColumn: Column<JudgedLine> = column.sub("Why", ({ why }) => why);

function aboutSales(
  isEnding: boolean,
  products: CatalogueSnapshot,
  names: MerchantNames,
): readonly Column<JudgedLine>[] {
  return [
    column.sub("Sale", ({ purchase }) => (purchase === null ? null : soldProductOf(products, purchase).product.name)),
    column.extra("Merchant", ({ purchase }) => (purchase === null ? null : names.get(purchase.wallet.merchantId))),
    {
      title: "Charged",
      cell: ({ purchase }) => (purchase === null ? null : <Money amount={purchase.total} />),
      place: "amount",
    },
    isEnding ? column.status("End", ({ verdict }) => <EndStatus isFulfilled={verdict === "fulfil"} />) : whyColumn,
  ];
}
