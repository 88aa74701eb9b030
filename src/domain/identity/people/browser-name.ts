const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** `Chrome on Windows`: a browser's own name among those that all of them claim to be. What it says of itself may be made up. */
export function browserName(agent: string): string {
  const find = (names: readonly (readonly [string, string])[]) => names.find(([sign]) => agent.includes(sign))?.[1];
  const browser = find(browsers) ?? "an unknown browser";
  const system = find(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
