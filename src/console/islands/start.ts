// The entry of console.js: what every page has. Islands that few pages have lie in on-demand and are loaded where they stand.
import { copy } from "./copy.ts";
import { closeDrops } from "./drops.ts";
import { keep } from "./keep.ts";
import { listenForKeys } from "./keys.ts";
import { mountIslands } from "./mount.ts";
import { navigateSoftly } from "./navigate.ts";
import { once } from "./once.ts";
import { print } from "./print.ts";
import { reveal } from "./reveal.ts";
import { theme } from "./theme.ts";

const islands = { copy, keep, once, print, reveal, theme };

mountIslands(islands, document);
navigateSoftly(() => mountIslands(islands, document));
listenForKeys();
closeDrops();
