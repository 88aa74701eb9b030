import { whose } from "../../../domain/suppliers/price-lists/difference-row.ts";
import type { RouteRow } from "../../../domain/suppliers/queries.ts";
import type { ExplainedRoute } from "../../../domain/suppliers/routing/explain-routes.ts";
import type { Loss } from "../../../domain/suppliers/routing/limits.ts";
import { type RouteOrder, routeOrders } from "../../../domain/suppliers/routing/route.ts";
import { subtract } from "../../../kernel/money.ts";
import { columnsOf } from "../../kit/columns.tsx";
import type { Typed } from "../../kit/form.ts";
import { Notes, SelectField } from "../../kit/parts/fields.tsx";
import { Flash, HiddenFields } from "../../kit/parts/form.tsx";
import { Button, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Arrangeable, type Column, DragHandle, Table, TableSheet } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { moneyText, Status } from "../../kit/parts/text.tsx";
import { CostText } from "../prices/price-words.tsx";
import { LeftOut, orderNames, reasonText } from "./words.tsx";

const column = columnsOf<ArrangedRoute>();

/** A route of the product, and whether it can sell now. */
export interface ArrangedRoute {
  readonly row: RouteRow;
  readonly explained: ExplainedRoute;
}

interface RouteSheetProps {
  /** In the order of the form. */
  readonly rows: readonly ArrangedRoute[];
  readonly by: RouteOrder;
  readonly storedBy: RouteOrder;
  readonly form: {
    readonly action: string;
    readonly seen: string;
    /** The suppliers in the order that is stored. */
    readonly drawn: readonly string[];
  };
  readonly typed: Typed;
  /** Somebody changed the routes since the form was drawn: it says what is stored beside what was typed. */
  readonly isStale: boolean;
  readonly mayChange: boolean;
}

/** The product's routes as a table, which whoever may change them reorders and edits in place. */
export function RouteSheet(props: RouteSheetProps) {
  const { rows, by, storedBy, form, typed, isStale, mayChange } = props;
  const { formFields } = useSurroundings();
  if (rows.length === 0) {
    return (
      <Sheet>
        <Empty title="No supplier sells this product">
          Add a route to the first one. Until then sales are refused.
        </Empty>
      </Sheet>
    );
  }
  if (!mayChange) {
    return (
      <TableSheet
        title="Suppliers"
        note={orderNames[by]}
        caption="Suppliers, the first first"
        rows={rows}
        columns={[...shownColumns(props), ...plainColumns]}
      />
    );
  }
  return (
    <form method="post" action={form.action} data-island="once">
      <HiddenFields fields={{ ...formFields, seen: form.seen, drawn: form.drawn.join(" ") }} />
      {/* What Enter presses in a box: the first button of the form. */}
      <button class="unseen" type="submit" tabIndex={-1} aria-hidden="true">
        Save routes
      </button>
      <Sheet title="Suppliers" isPadded={false} actions={<Button kind="main">Save routes</Button>}>
        <div class="inside">
          <div class="form">
            <SelectField
              {...typed.field("by", by)}
              label="How a supplier is chosen"
              hint={`${hints[by]}${isStale && storedBy !== by ? ` Stored now: ${orderNames[storedBy]}.` : ""}`}
              choices={routeOrders.map((value) => ({ value, label: orderNames[value] }))}
            />
          </div>
        </div>
        <Arrangeable>
          <Table
            caption="Suppliers, the first first"
            rows={rows}
            columns={[...shownColumns(props), ...editedColumns(props)]}
          />
        </Arrangeable>
      </Sheet>
    </form>
  );
}

const hints: Readonly<Record<RouteOrder, string>> = {
  priority: "The first that can sell gets the sale; after a decline the next one.",
  cost: "The cheapest that can sell gets the sale. The order decides between equal costs.",
  weight: "Each gets its share of sales. Weight 0 stands in where no other can sell.",
};

function shownColumns({ rows, mayChange, form, isStale }: RouteSheetProps): readonly Column<ArrangedRoute>[] {
  const placeOf = (one: ArrangedRoute) => rows.indexOf(one) + 1;
  return [
    {
      title: "Place",
      cell: (one) => {
        const stored = form.drawn.indexOf(one.row.supplier) + 1;
        return (
          <span class="with-net">
            {mayChange ? <DragHandle /> : null}
            <span data-place>{placeOf(one)}</span>
            {isStale && stored !== placeOf(one) ? <small>{`now ${stored}`}</small> : null}
          </span>
        );
      },
      place: "pick",
    },
    column.lead("Supplier", ({ row }) => (
      <>
        {mayChange ? <a href={`${form.action}/suppliers/${row.supplier}`}>{row.supplier}</a> : row.supplier}
        <small>{row.supplierCode}</small>
      </>
    )),
    { title: "Cost", cell: ({ explained }) => <CostText cost={explained.route.cost} />, place: "amount" },
    column.status("Now", ({ explained }) => <NowCell {...explained} />),
  ];
}

const plainColumns: readonly Column<ArrangedRoute>[] = [
  column.end("Weight", ({ row }) => String(row.weight)),
  column.sub("On", ({ row }) => (row.enabled ? "on" : "stopped")),
];

function editedColumns({ rows, form, typed, isStale }: RouteSheetProps): readonly Column<ArrangedRoute>[] {
  const isOn = ({ supplier, enabled }: RouteRow) =>
    typed.form.all("supplier").includes(supplier) ? typed.form.has(`on-${supplier}`) : enabled;
  return [
    column.more("Weight", ({ row }) => <WeightBox row={row} typed={typed} isStale={isStale} />),
    column.more("On", ({ row }) => (
      <label class="choice">
        <input type="checkbox" name={`on-${row.supplier}`} checked={isOn(row)} />
        <span>
          <span class="unseen">{`${row.supplier} `}</span>on
          {isStale && isOn(row) !== row.enabled ? <small>{`now ${row.enabled ? "on" : "off"}`}</small> : null}
        </span>
      </label>
    )),
    column.act("Move", (one) => {
      const at = rows.indexOf(one);
      const { supplier } = one.row;
      return (
        <span class="buttons">
          <input type="hidden" name="supplier" value={supplier} />
          <MoveButton {...{ supplier, form }} direction="up" isDisabled={at === 0} />
          <MoveButton {...{ supplier, form }} direction="down" isDisabled={at === rows.length - 1} />
        </span>
      );
    }),
  ];
}

interface MoveButtonProps {
  readonly supplier: string;
  readonly form: RouteSheetProps["form"];
  readonly direction: "up" | "down";
  readonly isDisabled: boolean;
}

function MoveButton({ supplier, form, direction, isDisabled }: MoveButtonProps) {
  return (
    <button
      class="button small square"
      type="submit"
      {...{ name: "move", value: `${direction} ${supplier}`, disabled: isDisabled }}
      formAction={`${form.action}/arrange`}
      formNoValidate
      aria-label={`Move ${supplier} ${direction}`}
      data-move={direction}
    >
      {direction === "up" ? "↑" : "↓"}
    </button>
  );
}

function WeightBox({
  row,
  typed,
  isStale,
}: {
  readonly row: RouteRow;
  readonly typed: Typed;
  readonly isStale: boolean;
}) {
  const { name, value, error } = typed.field(`weight-${row.supplier}`, String(row.weight));
  const isOther = isStale && value !== String(row.weight);
  return (
    <div class="field short">
      <label class="unseen" for={name}>{`Weight of ${row.supplier}`}</label>
      <input
        {...{ id: name, name, value, type: "text", inputMode: "numeric", maxLength: 3, autocomplete: "off" }}
        aria-invalid={error === null ? undefined : "true"}
        aria-describedby={error === null ? undefined : `${name}-error`}
      />
      <Notes {...{ name, error }} label={`Weight of ${row.supplier}`} />
      {isOther ? <small>{`now ${row.weight}`}</small> : null}
    </div>
  );
}

function NowCell({ isLeftOut, place, why, weights, route }: ExplainedRoute) {
  if (isLeftOut) {
    return (
      <>
        <LeftOut why={why} />
        {why.endsWith("the route is off") ? null : <small>{reasonText(why)}</small>}
      </>
    );
  }
  if (weights !== null)
    return <Status kind="good">{route.weight === 0 ? "Stands in" : `${route.weight} of ${weights}`}</Status>;
  return place === 1 ? <Status kind="good">First</Status> : <Status kind="quiet">{`Next, place ${place}`}</Status>;
}

/** Routes by which a sale costs more than it brings. */
export function Losses({ losses }: { readonly losses: readonly Loss[] }) {
  return losses.map(({ supplier, cost, price, scope }) => (
    <Flash key={supplier} kind="waiting">
      {`${supplier} takes ${moneyText(cost)} and a sale brings ${moneyText(price)}, ${whose(scope)}: a loss of ${moneyText(subtract(cost, price))} each time.`}
    </Flash>
  ));
}
