import { type MomentFormat, useSurroundings, type WallMoment } from "./surroundings.ts";

/** How much is shown; `list` as little as tells it from others, which is less of today and more of another year. Whatever it is, the whole moment with its zone is the hint. */
export type MomentStyle = "millisecond" | "time" | "minute" | "second" | "day" | "full" | "list";

const show: Readonly<Record<MomentStyle, (wall: WallMoment, now?: WallMoment) => string>> = {
  millisecond: ({ second, millisecond }) => `${second}.${millisecond}`,
  time: ({ second }) => second,
  minute: ({ day, month, minute }) => `${day} ${month}, ${minute}`,
  second: ({ day, month, second }) => `${day} ${month}, ${second}`,
  day: ({ day, month, year }) => `${day} ${month} ${year}`,
  list: (wall, now) => show[now?.year !== wall.year ? "day" : isSameDay(wall, now) ? "time" : "minute"](wall),
  full: ({ weekday, day, month, year, second, zone }) => `${weekday} ${day} ${month} ${year}, ${second} ${zone}`,
};

function isSameDay(one: WallMoment, other: WallMoment): boolean {
  return one.day === other.day && one.month === other.month;
}

/** ISO 8601, milliseconds since 1970, or a date. */
type At = string | number | Date;

/** A moment for people and machines; a text that is no moment is shown as it is. */
export function Moment({ at, style = "minute" }: { readonly at: At; readonly style?: MomentStyle }) {
  const { format, now } = useSurroundings();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={momentText(format, date, "full")}>
      {show[style](format(date), format(new Date(now)))}
    </time>
  );
}

export function MomentOrNever({ at }: { readonly at: At | null }) {
  return at === null ? <>never</> : <Moment at={at} />;
}

/** The same as text, for titles and sentences. */
export function momentText(format: MomentFormat, at: At, style: MomentStyle = "minute"): string {
  return show[style](format(new Date(at)));
}

/** A date of a chart, `23 Nov`: which year, the order says. */
export function dayText(format: MomentFormat, date: string): string {
  // Noon is the same day in every zone that a deployment has.
  return momentText(format, `${date}T12:00:00Z`, "day").replace(/ \d{4}$/, "");
}

/** How long after the first of several moments another one is: `+22 ms`, `+1.7 s`, `+3 min 12 s`, `+2 h 5 min`, `+3 days`. */
export function sinceText(first: number | null, at: number | null): string | null {
  if (first === null || at === null) return null;
  const ms = Math.abs(at - first);
  const sign = at < first ? "−" : "+";
  if (ms < 1_000) return `${sign}${ms} ms`;
  if (ms < 59_950) return `${sign}${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 2_880) return `${sign}${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${sign}${Math.floor(minutes / 1_440)} days`;
}

const momentsMax = 2_000;

/** The formatter of a zone. Nigerian English names the zone, `WAT`, where others say `GMT+1`. */
export function momentFormat(timeZone: string): MomentFormat {
  const formatter = new Intl.DateTimeFormat("en-NG", {
    timeZone,
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" },
  });
  // A year's days stand twice on a page, and each costs as much as the rest of its row.
  const known = new Map<number, ReturnType<MomentFormat>>();
  const write: MomentFormat = (at) => {
    const part = Object.fromEntries(formatter.formatToParts(at).map(({ type, value }) => [type, value]));
    const { weekday = "", day = "", month = "", year = "", hour, minute, second, timeZoneName = "" } = part;
    const toMinute = `${hour}:${minute}`;
    // Zones differ by whole seconds, if not by whole quarters of an hour.
    const millisecond = String(at.getUTCMilliseconds()).padStart(3, "0");
    const time = { minute: toMinute, second: `${toMinute}:${second}`, millisecond };
    return { weekday, day, month, year, ...time, zone: timeZoneName };
  };
  return (at) => {
    const moment = known.get(at.getTime()) ?? write(at);
    if (known.size >= momentsMax) known.clear();
    known.set(at.getTime(), moment);
    return moment;
  };
}

/** A field's name as people say it: `profile_code` is a profile code. */
export function spoken(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1,934`: thousands told apart, without a formatter. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 line`, `1,204 lines`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A span as people say it: `40 s`, `28 min`, `3.2 h`, `2 days`. */
export function spanText(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.floor(ms / 360_000) / 10} h`;
  return `${Math.floor(ms / 86_400_000)} days`;
}

interface MoneyProps {
  /** Kobo, or naira as the wire's decimal string: `"1284310.50"`. */
  readonly amount: bigint | string;
  /** With a plus or a minus: what came in and went out. */
  readonly isSigned?: boolean;
}

/** An amount of naira, `₦1,284,310.50`, that never breaks over two lines; its kobo are quieter. */
export function Money({ amount, isSigned = false }: MoneyProps) {
  const text = isSigned ? signedMoney(amount) : moneyText(amount);
  const isIncoming = isSigned && text.startsWith("+");
  const { naira = text, kobo = "" } = /^(?<naira>.*)(?<kobo>\.\d\d)$/.exec(text)?.groups ?? {};
  return (
    <span class={isIncoming ? "money ink-good" : "money"}>
      {naira}
      {kobo === "" ? null : <span class="kobo">{kobo}</span>}
    </span>
  );
}

/** The same as text, for labels and titles. A negative amount begins with a true minus: `−₦500.00`. */
export function moneyText(amount: bigint | string): string {
  const text = typeof amount === "bigint" ? nairaOf(amount) : amount;
  const {
    sign = "",
    whole,
    cents = "",
  } = /^(?<sign>-)?(?<whole>\d+)(?:\.(?<cents>\d{1,2}))?$/.exec(text)?.groups ?? {};
  // A text that is no amount is shown as it is: a page is no place to fail for it.
  if (whole === undefined) return text;
  return `${sign === "" ? "" : "−"}₦${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents.padEnd(2, "0")}`;
}

/** The same of any currency: `₦612.00`, `4.50 USD`. */
export function currencyText(amount: bigint, currency: string): string {
  return currency === "NGN" ? moneyText(amount) : `${nairaOf(amount)} ${currency}`;
}

/** The same with a plus before what came in. */
export function signedMoney(amount: bigint | string): string {
  const text = moneyText(amount);
  const isNothing = /^₦0\.00$/.test(text);
  return text.startsWith("₦") && !isNothing ? `+${text}` : text;
}

function nairaOf(kobo: bigint): string {
  const magnitude = kobo < 0n ? -kobo : kobo;
  return `${kobo < 0n ? "-" : ""}${magnitude / 100n}.${String(magnitude % 100n).padStart(2, "0")}`;
}

/**
 * How a state is meant: `good` is well and quiet, `waiting` moves by itself, `review` waits for a person, `bad` went wrong,
 * `stop` stands still until somebody acts, `quiet` is over and needs nobody.
 */
export type StatusKind = "good" | "waiting" | "review" | "bad" | "stop" | "quiet";

interface StatusProps {
  /** The word itself, `Delivered`; a text of its own is fine too, `Failed, refunded`. */
  readonly children: string;
  /** Only where the first word is not one of the known ones. */
  readonly kind?: StatusKind;
}

/** The state of a thing by word, shape and colour, so that no one of the three is needed to read it. */
export function Status({ children, kind = statusKind(children) }: StatusProps) {
  const text = children.charAt(0).toUpperCase() + children.slice(1);
  return <span class={`status ${classes[kind]}`.trim()}>{text}</span>;
}

const classes = { good: "ok", waiting: "wait", review: "review", bad: "bad", stop: "stop", quiet: "" } as const;

const words: Readonly<Record<StatusKind, string>> = {
  good: "done delivered successful succeeded completed active approved healthy open enabled accepted matched vended paid on up",
  waiting: "pending processing queued waiting paused proposed invited retrying scheduled draft slow ends",
  review: "review",
  bad: "failed failing declined revoked expired refused rejected down mismatched overdue",
  stop: "suspended disabled blocked",
  quiet: "refunded reversed cancelled closed ended off unused archived none",
};

const kinds = new Map(
  (Object.keys(words) as StatusKind[]).flatMap((kind) => words[kind].split(" ").map((word) => [word, kind] as const)),
);

/** What a state's first word means, whatever its case; `quiet` for one that nobody has entered here. `in review` is review. */
export function statusKind(text: string): StatusKind {
  const [first = ""] = text
    .toLowerCase()
    .replace(/^in /, "")
    .split(/[^a-z]/, 1);
  return kinds.get(first) ?? "quiet";
}
