import type { Instant, WallTime } from "../../../kernel/clock.ts";
import { formatNaira, type Kobo } from "../../../kernel/money.ts";

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** A moment in an email, by the deployment's clock: `Thu 26 Nov 2026, 14:05`. */
export function momentWords(wallTime: WallTime, at: Instant): string {
  const [date = "", time = ""] = wallTime.format(at).split("T");
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()];
  const [year, month, day] = date.split("-").map(Number);
  return `${weekday} ${day} ${months[Number(month) - 1]?.slice(0, 3)} ${year}, ${time.slice(0, 5)}`;
}

/** The month of a date `YYYY-MM-DD`: `October 2026`. */
export function monthWords(date: string): string {
  return `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** An amount in an email: `₦1,284,310.50`. */
export function moneyWords(amount: Kobo): string {
  const text = formatNaira(amount);
  const [whole = "", part = ""] = text.replace("-", "").split(".");
  return `${text.startsWith("-") ? "−" : ""}₦${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${part}`;
}

/** The last line of an email that people choose. `publicUrl` is null where nobody knows the console's address. */
export function choicesLine(publicUrl: string | null): string {
  const where = publicUrl === null ? "under Notifications in the console." : `${publicUrl}/account/notifications`;
  return `Choose which emails you get: ${where}`;
}

/** A link into the console, or where to look there. */
export function consoleLink(publicUrl: string | null, path: string, place: string): string {
  return publicUrl === null ? `In the console, under ${place}.` : `${publicUrl}${path}`;
}
