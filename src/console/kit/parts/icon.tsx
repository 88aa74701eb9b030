/** Sixteen by sixteen, drawn by lines alone, in the colour of the text beside them. */
export const icons = {
  alert: "M8 2.3 14.2 13H1.8zM8 6.5v3M8 11.2h.01",
  book: "M3 3h4a1 1 0 0 1 1 1v9a1.5 1.5 0 0 0-1.5-1H3zM13 3H9a1 1 0 0 0-1 1v9a1.5 1.5 0 0 1 1.5-1H13z",
  box: "M2.5 5 8 2.2 13.5 5v6L8 13.8 2.5 11zM2.5 5 8 7.8 13.5 5M8 7.8v6",
  bulk: "m8 2.5 6 3-6 3-6-3zM2.3 8.6 8 11.5l5.7-2.9M2.3 11.6 8 14.5l5.7-2.9",
  buy: "M8.6 1.8 3.5 9h4l-.6 5.2L12.5 7h-4z",
  chart: "M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6",
  chat: "M8 13.2a5.3 5.3 0 1 0-4.7-2.9L2.5 13.5l3.2-.8a5.2 5.2 0 0 0 2.3.5z",
  check: "m3 8.5 3.2 3.2L13 5",
  clock: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3.2l2 1.3",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  cross: "m4 4 8 8M12 4l-8 8",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  home: "M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z",
  gear: "M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4",
  hook: "M6.5 9.5 8.4 6a2.6 2.6 0 1 1 2.5-.4M6 6.6l1.9 3.4h3.6M4.9 8a2.7 2.7 0 1 0 2.5 3.5h4.1a1.9 1.9 0 1 0 0-1.6",
  key: "M10.3 9a3.3 3.3 0 1 0-3.1-2.2L2.5 11.5v2h2.2v-1.6h1.6v-1.6L7.4 8.8M11.2 4.8h.01",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  log: "M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  plus: "M8 3v10M3 8h10",
  print: "M4.5 6V2.5h7V6M4.5 11h-2V6h11v5h-2M4.5 9.5h7v4h-7z",
  repeat: "M3 7.5V6a2 2 0 0 1 2-2h8M11 2l2 2-2 2M13 8.5V10a2 2 0 0 1-2 2H3M5 14l-2-2 2-2",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4 13.5 13.5",
  shield: "M8 2 13 4v4c0 3-2.2 5-5 6-2.8-1-5-3-5-6V4z",
  shop: "M2.5 6.5 3.5 2.5h9l1 4M2.5 6.5a1.8 1.8 0 0 0 3.6 0 1.9 1.9 0 0 0 3.8 0 1.8 1.8 0 0 0 3.6 0M3.5 8.3v5.2h9V8.3",
  tag: "M8.5 2.5h5v5l-6 6-5-5zM11 5h.01",
  users:
    "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.8 13.5c0-2.3 1.9-3.7 4.2-3.7s4.2 1.4 4.2 3.7M10.8 3.3a2.4 2.4 0 0 1 0 4.5M11.8 10.2c1.5.5 2.4 1.6 2.4 3.3",
  wallet: "M2.5 5h11v8.5h-11zM2.5 5l8-2.5V5M10.5 9.2h.01",
  play: "M5 3.2v9.6L12.5 8z",
  person: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.8 13.8c0-2.6 2.3-4.2 5.2-4.2s5.2 1.6 5.2 4.2",
} as const;

export type IconName = keyof typeof icons;

/** For the eye alone: what it stands for is said beside it, or by the label of what it stands in. */
export function Icon({ name, class: more = "" }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={more === "" ? "icon" : `icon ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}
