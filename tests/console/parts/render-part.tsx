import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { SurroundingsContext } from "../../../src/console/kit/parts/surroundings.ts";
import { gallerySurroundings } from "../gallery/gallery-shell.ts";

/** A part as it stands in a page. */
export function renderPart(part: VNode, formFields: Readonly<Record<string, string>> = {}): string {
  const surroundings = { ...gallerySurroundings, formFields };
  return renderToString(<SurroundingsContext.Provider value={surroundings}>{part}</SurroundingsContext.Provider>);
}
