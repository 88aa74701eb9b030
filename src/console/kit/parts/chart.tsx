import { ScrollArea } from "./layout.tsx";

export interface Series {
  readonly name: string;
  /** As many as there are labels; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** `area` for what the chart is about, `bad` for what goes wrong, dotted `before` for what it is compared with. */
  readonly look: "area" | "bad" | "before";
}

const lineClasses = { area: "line", bad: "fail", before: "before" } as const;

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
    <>
      <figure class="chart">
        <ol class="ticks" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <li key={tick}>{formatTick(tick)}</li>
          ))}
        </ol>
        <div class="plot">
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
        </div>
        <ol class="labels" aria-hidden="true">
          {spreadPlaces(labels.length, axisLabelsMax).map((place) => (
            <li key={place}>{labels[place]}</li>
          ))}
        </ol>
        <Legend series={series} />
      </figure>
      <Numbers {...props} />
    </>
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
      <path class={lineClasses[series.look]} d={line + lone.join("")} />
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
        {[label, ...series.map(({ name, values }) => `${name}: ${shown(values[place], format)}`)].join("\n")}
      </title>
    </rect>
  ));
}

function Legend({ series }: { series: readonly Series[] }) {
  if (series.length < 2) return null;
  return (
    <ul class="legend">
      {series.map(({ name, look }) => (
        <li key={name} class={lineClasses[look]}>
          {name}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ title, labels, series, format = String }: ChartProps) {
  return (
    <details class="numbers">
      <summary>Show the numbers</summary>
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
                    {shown(values[place], format)}
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

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/**
 * Evenly spaced ticks from zero (or below, where a value is below) to at least the greatest value, at steps of 1, 2, 2.5
 * or 5 times a power of ten, and at least 1 where every value is whole. Always two ticks at least, so that nothing divides by
 * nothing; `stepsMax` steps at most.
 */
export function niceTicks(values: readonly number[], stepsMax = 4): number[] {
  const finite = values.filter(Number.isFinite);
  const most = Math.max(0, ...finite);
  const least = Math.min(0, ...finite);
  const nice = niceStep((most - least) / stepsMax);
  const step = finite.every(Number.isInteger) ? Math.max(1, nice) : nice;
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  // A scale with something below zero may need a step more than asked for: both ends are rounded outwards.
  return Array.from({ length: last - first + 1 }, (_, at) => clean((first + at) * step));
}

function niceStep(least: number): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Without the last digits of a double: 0.30000000000000004 is 0.3. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** `600k`, `1.2m`, `0`: short enough for an axis. */
export function shortNumber(value: number): string {
  const magnitude = Math.abs(value);
  const [divisor, unit] = magnitude >= 1e9 ? [1e9, "bn"] : magnitude >= 1e6 ? [1e6, "m"] : [1e3, "k"];
  if (magnitude < 1_000) return String(clean(value));
  return `${clean(Number((value / divisor).toPrecision(3)))}${unit}`;
}

/** A place may be off its exact one by half a step: unseen among so many. */
const manyPlaces = 13;

/**
 * At most `most` of the places 0 … count − 1, the first and the last among them, evenly spaced: exactly where there are
 * few, to the next place where there are many.
 */
export function spreadPlaces(count: number, most: number): number[] {
  if (count <= 0) return [];
  const last = count - 1;
  const requested = Array.from({ length: most - 1 }, (_, at) => most - 1 - at);
  const steps = count >= manyPlaces ? most - 1 : (requested.find((each) => last % each === 0) ?? 1);
  if (last === 0) return [0];
  return Array.from({ length: steps + 1 }, (_, at) => Math.round((at * last) / steps));
}

export interface SparkPoint {
  readonly label: string;
  readonly value: number;
}

const height = 20;
const width = 4;

/** A bar for each place, drawn small for the eye; its numbers are its text for those who hear, and under the pointer. */
export function Sparkline({ title, points }: { readonly title: string; readonly points: readonly SparkPoint[] }) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const shown = points.filter(({ value }) => value > 0).map(({ label, value }) => `${label}: ${value}`);
  const words = `${title}. ${shown.join(", ")}`;
  return (
    <svg
      class="sparkline"
      {...{ width: points.length * width, height, viewBox: `0 0 ${points.length * width} ${height}` }}
      role="img"
      aria-label={words}
    >
      <title>{shown.join("\n")}</title>
      <path class="grid" d={`M0 ${height - 0.5}H${points.length * width}`} />
      {points.map(({ label, value }, at) => {
        const tall = value === 0 ? 0 : Math.max(2, Math.round((value / most) * (height - 1)));
        return <rect key={label} x={at * width} y={height - tall} width={width - 1} height={tall} />;
      })}
    </svg>
  );
}
