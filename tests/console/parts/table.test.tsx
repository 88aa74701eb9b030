import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { type Column, Table } from "../../../src/console/kit/parts/list.tsx";

interface Row {
  readonly id: string;
  readonly amount: string;
}

const columns: readonly Column<Row>[] = [
  { title: "Amount", cell: ({ amount }) => amount, align: "end", place: "amount" },
  { title: "Id", cell: ({ id }) => id, place: "lead" },
  { title: "Both", cell: ({ id, amount }) => `${id} ${amount}` },
];
const rows = [
  { id: "a", amount: "1" },
  { id: "b", amount: "2" },
];

test("a row's link is the leading cell's, once, and the open row is marked", () => {
  const html = renderToString(
    <Table
      caption="Things"
      columns={columns}
      rows={rows}
      href={({ id }) => (id === "a" ? "/things/a" : null)}
      isCurrent={({ id }) => id === "b"}
      empty="none"
    />,
  );
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toContain('<td class="lead" role="cell"><a class="row-link" href="/things/a">a</a></td>');
  expect(html).toContain('<tr aria-current="true" role="row">');
});

test("a cell that gets a line of its own on a narrow screen carries its title", () => {
  const html = renderToString(<Table caption="Things" columns={columns} rows={rows} empty="none" />);
  expect(html).toContain('<td class="more" data-title="Both" role="cell">a 1</td>');
  expect(html).toContain('<td class="amount end" role="cell">1</td>');
});

test("without rows there is what the page says, under the same name, and no table", () => {
  const html = renderToString(
    <Table id="things" caption="Things" columns={columns} rows={[]} empty={<p>No things</p>} />,
  );
  expect(html).toBe('<div id="things"><p>No things</p></div>');
});
