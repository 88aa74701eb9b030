import {
  attemptsOf,
  type Came,
  deliveredOf,
  type SupplierHealth,
} from "../../../domain/history/suppliers/supplier-health.ts";
import { Chart } from "../../kit/parts/chart.tsx";
import { Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import { CategoryTable, categoryName } from "./health-tables.tsx";

/** Delivered, sales and answer times of 24 hours by hour, and by category. */
export function Health({ health }: { readonly health: SupplierHealth }) {
  const labels = health.slots.map((slot) => `${slot}:00`);
  if (health.categories.length === 0) {
    return (
      <Sheet title="Delivered by category and hour" note="24 hours">
        <Empty title="No sales here in this time">Hours and categories appear with the first sale.</Empty>
      </Sheet>
    );
  }
  return (
    <>
      <Sheet title="Delivered by category and hour, %" note="24 hours">
        <Heat health={health} labels={labels} caption="Delivered by category and hour, in percent" />
        <p class="quiet">99 and above is normal; amber below 97, red below 90. A dash: nothing sold.</p>
      </Sheet>
      <Columns kind="equal">
        <Sheet title="Sales by hour">
          <Chart
            title="Sales by hour"
            labels={labels}
            series={[
              { name: "Sent there", look: "area", values: health.bySlot.map((came) => (came ? attemptsOf(came) : 0)) },
              { name: "Declined", look: "bad", values: health.bySlot.map((came) => came?.declined ?? 0) },
              { name: "No answer at first", look: "before", values: health.bySlot.map((came) => came?.unknown ?? 0) },
            ]}
          />
        </Sheet>
        <Sheet title="Answer time by hour, seconds">
          <Chart
            title="Answer time by hour, in seconds"
            labels={labels}
            series={[
              { name: "95 of 100 within", look: "before", values: health.bySlot.map((took) => seconds(took?.p95)) },
              { name: "Half within", look: "area", values: health.bySlot.map((took) => seconds(took?.p50)) },
            ]}
            format={(value) => `${value.toFixed(1)} s`}
          />
        </Sheet>
      </Columns>
      <CategoryTable rows={health.categories} />
    </>
  );
}

function seconds(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1_000;
}

function Heat({ health, labels, caption }: { health: SupplierHealth; labels: readonly string[]; caption: string }) {
  // Twenty-four columns don't fit a phone: the older ones leave first.
  const age = (place: number) => (place > 17 ? "" : place > 11 ? "older" : "old older");
  return (
    <div class="table">
      <table class="heat">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <td />
            {health.slots.map((slot, place) => (
              <th key={slot} scope="col" class={age(place)} title={labels[place]}>
                {slot.slice(-2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {health.categories.map(({ category, slots }) => (
            <tr key={category}>
              <th scope="row">{categoryName(category)}</th>
              {slots.map((came, place) => (
                <td
                  key={health.slots[place]}
                  class={`${toneOf(came)} ${age(place)}`.trim()}
                  title={came === null ? undefined : cameText(came)}
                >
                  {came === null ? "–" : Math.floor(deliveredOf(came) ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The worse, the louder: the number says it too. */
function toneOf(came: Came | null): string {
  const delivered = came === null ? null : deliveredOf(came);
  if (delivered === null) return "";
  return delivered >= 99 ? "b" : delivered >= 97 ? "a" : delivered >= 90 ? "c" : delivered >= 60 ? "d" : "e";
}

function cameText({ vended, declined, unknown }: Came): string {
  return `${grouped(vended)} delivered, ${grouped(declined)} declined, ${grouped(unknown)} without an answer at first`;
}
