export interface SparkPoint {
  readonly label: string;
  readonly value: number;
}

const height = 20;
const width = 4;

/** A bar for each place, drawn small for the eye; its numbers are its text for those who hear, and under the pointer. */
export function Sparkline({ title, points }: { readonly title: string; readonly points: readonly SparkPoint[] }) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const told = points.filter(({ value }) => value > 0).map(({ label, value }) => `${label}: ${value}`);
  const words = `${title}. ${told.join(", ")}`;
  return (
    <svg
      class="sparkline"
      {...{ width: points.length * width, height, viewBox: `0 0 ${points.length * width} ${height}` }}
      role="img"
      aria-label={words}
    >
      <title>{told.join("\n")}</title>
      <path class="grid" d={`M0 ${height - 0.5}H${points.length * width}`} />
      {points.map(({ label, value }, at) => {
        const tall = value === 0 ? 0 : Math.max(2, Math.round((value / most) * (height - 1)));
        return <rect key={label} x={at * width} y={height - tall} width={width - 1} height={tall} />;
      })}
    </svg>
  );
}
