import { niceTicks, shortNumber, spreadPlaces } from "./chart-scale.ts";
import { ScrollArea } from "./scroll-area.tsx";

export interface Series {
  readonly name: string;
  /** As many as there are labels; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** `area` for what the chart is about, dashed `bad` for what goes wrong, `plain` for what it is compared with. */
  readonly look: "area" | "bad" | "plain";
}

interface ChartProps {
  /** What is drawn, as a sentence: `Sales a day over 30 days`. */
  readonly title: string;
  /** One for each place: a day, an hour. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** A value in the table and under the pointer; `String` unless told. */
  readonly format?: (value: number) => string;
  /** A value at the axis; `600k` unless told. */
  readonly formatTick?: (value: number) => string;
}

/** Drawn in hundredths of its width and height and stretched to its place, so lines keep their width and letters stay outside. */
const size = 100;
const axisLabelsMax = 4;

/** Lines over time, drawn by the server in the page's own colours, with the numbers as a table under it. */
export function Chart(props: ChartProps) {
  const { title, labels, series, formatTick = shortNumber } = props;
  const ticks = niceTicks(series.flatMap(({ values }) => values.filter((value) => value !== null)));
  const scale = scaleOf(ticks, labels.length);
  return (
    <figure class="chart">
      <ol class="ticks" aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <li key={tick}>{formatTick(tick)}</li>
        ))}
      </ol>
      <svg viewBox={`0 0 ${size} ${size}`} preserveAspectRatio="none" role="img" aria-label={title}>
        <title>{title}</title>
        {ticks.map((tick) => (
          <path key={tick} class="grid" d={`M0 ${scale.y(tick)}H${size}`} />
        ))}
        {series.map((each) => (
          <Line key={each.name} series={each} scale={scale} />
        ))}
        <Hints {...props} scale={scale} />
      </svg>
      <ol class="labels" aria-hidden="true">
        {spreadPlaces(labels.length, axisLabelsMax).map((place) => (
          <li key={place}>{labels[place]}</li>
        ))}
      </ol>
      <Legend series={series} />
      <Numbers {...props} />
    </figure>
  );
}

interface Scale {
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
  readonly count: number;
}

function scaleOf(ticks: readonly number[], count: number): Scale {
  const [least = 0] = ticks;
  const most = ticks.at(-1) ?? 1;
  const inHundredths = (value: number) => Math.round(value * 100) / 100;
  return {
    count,
    x: (place) => (count < 2 ? size / 2 : inHundredths((place * size) / (count - 1))),
    y: (value) => inHundredths(size - ((value - least) / (most - least)) * size),
  };
}

function Line({ series, scale }: { series: Series; scale: Scale }) {
  const runs = runsOf(series.values);
  const line = runs.map((run) => `M${pathOf(run, scale)}`).join("");
  // A lone point has no length: a short dash stands for it.
  const lone = runs.filter((run) => run.length === 1).map(([point]) => loneDash(point, scale));
  const floor = scale.y(0);
  const area = runs.map(
    (run) => `M${pathOf(run, scale)}L${scale.x(run.at(-1)?.place ?? 0)} ${floor}H${scale.x(run[0]?.place ?? 0)}Z`,
  );
  return (
    <>
      {series.look === "area" ? <path class="under" d={area.join("")} /> : null}
      <path class={`line ${series.look}`} d={line + lone.join("")} />
    </>
  );
}

interface Point {
  readonly place: number;
  readonly value: number;
}

/** Points without a gap between them. */
function runsOf(values: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (const [place, value] of values.entries()) {
    if (value === null) run = [];
    else if (run.push({ place, value }) === 1) runs.push(run);
  }
  return runs;
}

function pathOf(run: readonly Point[], { x, y }: Scale): string {
  return run.map(({ place, value }) => `${x(place)} ${y(value)}`).join("L");
}

function loneDash(point: Point | undefined, { x, y }: Scale): string {
  return point === undefined ? "" : `M${x(point.place) - 1} ${y(point.value)}h2`;
}

/** What the pointer is told at each place: the label and every series' number. */
function Hints({ labels, series, scale, format = String }: ChartProps & { scale: Scale }) {
  const width = size / Math.max(1, scale.count - 1);
  return labels.map((label, place) => (
    <rect key={label} class="hint" x={scale.x(place) - width / 2} y="0" width={width} height={size}>
      <title>
        {[label, ...series.map(({ name, values }) => `${name}: ${told(values[place], format)}`)].join("\n")}
      </title>
    </rect>
  ));
}

function Legend({ series }: { series: readonly Series[] }) {
  if (series.length < 2) return null;
  return (
    <ul class="legend">
      {series.map(({ name, look }) => (
        <li key={name} class={look}>
          {name}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ title, labels, series, format = String }: ChartProps) {
  return (
    <details class="numbers">
      <summary>Numbers</summary>
      <ScrollArea label={`${title}: numbers`}>
        <table class="plain">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <td />
              {series.map(({ name }) => (
                <th key={name} scope="col" class="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, place) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => (
                  <td key={name} class="end">
                    {told(values[place], format)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  );
}

function told(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}
