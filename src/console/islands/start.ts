// The entry of console.js: what every page has. Islands that few pages have lie in on-demand and are loaded where they stand.
import { copy } from "./copy.ts";
import { closeDrops } from "./drops.ts";
import { keep } from "./keep.ts";
import { listenForKeys } from "./keys.ts";
import { type Island, mountIslands } from "./mount.ts";
import { navigateSoftly } from "./navigate.ts";
import { once } from "./once.ts";
import { print } from "./print.ts";
import { reveal } from "./reveal.ts";
import { theme } from "./theme.ts";

const mount = () => mountIslands(islands, document);
const islands: Readonly<Record<string, Island>> = { copy, keep, once: once(mount), print, reveal, theme };

mount();
navigateSoftly(mount);
listenForKeys();
closeDrops();
