import { existsSync } from "node:fs";
import path from "node:path";

/** The folder of package.json: above `src/platform` when run from source, above `dist` when bundled. */
export function projectRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`there is no package.json above ${import.meta.dirname}`);
  }
}
