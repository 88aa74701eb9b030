import type { VNode } from "preact";
import { describe, expect, test } from "vitest";
import { Chart } from "../../../src/console/kit/parts/chart.tsx";
import {
  Alerts,
  CodeBlock,
  CopyButton,
  Facts,
  Figures,
  Secret,
  Timeline,
} from "../../../src/console/kit/parts/data.tsx";
import {
  CheckField,
  PasswordField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from "../../../src/console/kit/parts/fields.tsx";
import { Filters } from "../../../src/console/kit/parts/filters.tsx";
import { Flash, Form, Live } from "../../../src/console/kit/parts/form.tsx";
import {
  Button,
  ButtonLink,
  Buttons,
  CloseLink,
  Columns,
  Detail,
  Empty,
  PageHead,
  ScrollArea,
  Sheet,
  Split,
} from "../../../src/console/kit/parts/layout.tsx";
import { Pager, Table } from "../../../src/console/kit/parts/list.tsx";
import { Moment, Money, Status } from "../../../src/console/kit/parts/text.tsx";
import { renderPart } from "./render-part.tsx";

/** Ends an attribute and a tag, if anybody lets it. */
const bad = '"><img src=x onerror=alert(1)>';

const field = { name: bad, label: bad, hint: bad, error: bad, value: bad, autocomplete: bad };
const choices = [{ value: bad, label: bad, hint: bad }];

const parts: Readonly<Record<string, VNode>> = {
  alerts: <Alerts alerts={[{ title: bad, text: bad, href: bad, action: bad }]} />,
  buttons: (
    <Buttons>
      <Button name={bad} value={bad} action={bad}>
        {bad}
      </Button>
      <ButtonLink href={bad}>{bad}</ButtonLink>
    </Buttons>
  ),
  chart: <Chart title={bad} labels={[bad, "b"]} series={[{ name: bad, values: [1, null], look: "area" }]} />,
  "two lines": (
    <Chart
      title={bad}
      labels={[bad]}
      series={[
        { name: bad, values: [1], look: "area" },
        { name: "b", values: [2], look: "bad" },
      ]}
      format={() => bad}
      formatTick={() => bad}
    />
  ),
  check: <CheckField {...field} />,
  radio: <RadioField {...field} choices={choices} />,
  select: <SelectField {...field} choices={choices} placeholder={bad} />,
  code: <CodeBlock code={bad} label={bad} />,
  copy: <CopyButton text={bad} subject={bad} label={bad} />,
  empty: (
    <Empty title={bad} action={bad}>
      {bad}
    </Empty>
  ),
  facts: <Facts facts={{ [bad]: bad }} />,
  text: <TextField {...field} unit={bad} pattern={bad} placeholder={bad} accept={bad} least={bad} most={bad} />,
  password: <PasswordField {...field} />,
  "text area": <TextAreaField {...field} value={`</textarea>${bad}`} />,
  figures: (
    <Figures
      figures={[
        { label: bad, value: bad, note: bad, href: bad, trend: { direction: "up", isGood: true, text: bad } },
        { label: "b", value: "" },
      ]}
    />
  ),
  filters: (
    <Filters
      action={bad}
      kept={{ [bad]: bad }}
      filters={[
        { kind: "choice", name: bad, label: bad, value: bad, options: choices },
        { kind: "date", name: "from", label: bad, value: bad },
        { kind: "text", name: "q", label: bad, value: bad, hint: bad },
      ]}
    />
  ),
  flash: <Flash kind="bad">{bad}</Flash>,
  form: (
    <Form action={bad} submit={bad} error={bad} cancelHref={bad} hidden={{ [bad]: bad }}>
      {bad}
    </Form>
  ),
  live: <Live tableId={bad}>{bad}</Live>,
  moment: <Moment at={bad} />,
  money: <Money amount={bad} isSigned />,
  "page head": (
    <PageHead title={bad} actions={bad}>
      {bad}
    </PageHead>
  ),
  pager: <Pager previousHref={bad} nextHref={bad} from={1} to={2} total={3} />,
  "scroll area": <ScrollArea label={bad}>{bad}</ScrollArea>,
  secret: <Secret label={bad} value={bad} note={bad} />,
  sheets: (
    <Columns>
      <Sheet title={bad} note={bad} id={bad}>
        {bad}
      </Sheet>
    </Columns>
  ),
  split: (
    <Split
      detail={
        <Detail label={bad} closeHref={bad} listName={bad}>
          <CloseLink href={bad} label={bad} />
        </Detail>
      }
    >
      {bad}
    </Split>
  ),
  status: <Status>{bad}</Status>,
  table: (
    <Table
      id={bad}
      caption={bad}
      rows={[bad]}
      columns={[
        { title: bad, cell: (row) => row },
        { title: bad, cell: (row) => row, isTitleHidden: true },
      ]}
      href={(row) => row}
      empty=""
    />
  ),
  "empty table": <Table id={bad} caption={bad} rows={[]} columns={[]} empty={bad} />,
  timeline: <Timeline label={bad} steps={[{ state: "failed", title: bad, at: bad, children: bad }]} />,
};

describe("stored markup stays text", () => {
  test.each(Object.entries(parts))("in a part: %s", (_name, part) => {
    const html = renderPart(part, { [bad]: bad });
    expect(html).toContain("&lt;img src=x onerror=alert(1)>");
    expect(html).not.toContain("<img");
    expect(html).not.toContain('"><img');
    // Every quote of the text itself is written as a reference, so no attribute ends where the text wants it to.
    expect(html.split("&lt;img").every((piece, at, all) => at === all.length - 1 || piece.endsWith("&quot;>"))).toBe(
      true,
    );
  });
});
