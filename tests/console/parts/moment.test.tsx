import { expect, test } from "vitest";
import { Moment, type MomentStyle, momentFormat, momentText } from "../../../src/console/kit/parts/text.tsx";
import { renderPart } from "./render-part.tsx";

const at = "2026-11-23T13:05:12.007Z";
const lagos = momentFormat("Africa/Lagos");

test.each<[MomentStyle, string]>([
  ["millisecond", "14:05:12.007"],
  ["time", "14:05:12"],
  ["minute", "23 Nov, 14:05"],
  ["second", "23 Nov, 14:05:12"],
  ["day", "23 Nov 2026"],
  ["full", "Mon 23 Nov 2026, 14:05:12 WAT"],
])("a moment is told in the zone's own time, as %s: %s", (style, text) => {
  expect(momentText(lagos, at, style)).toBe(text);
  expect(momentText(lagos, Date.parse(at), style)).toBe(text);
});

test("a moment carries itself for machines, and its zone as a hint", () => {
  expect(renderPart(<Moment at={at} />)).toBe(
    '<time datetime="2026-11-23T13:05:12.007Z" title="Mon 23 Nov 2026, 14:05:12 WAT">23 Nov, 14:05</time>',
  );
});

test.each([
  ["2026-11-23T13:05:12Z", "14:05:12"],
  ["2026-11-22T13:05:12Z", "22 Nov, 14:05"],
  ["2025-11-23T13:05:12Z", "23 Nov 2025"],
])("in a list a moment is told as shortly as it can be on 23 November 2026: %s is %s", (then, text) => {
  expect(renderPart(<Moment at={then} style="list" />)).toContain(`>${text}</time>`);
});

test("midnight is hour 00 of the new day", () => {
  expect(momentText(lagos, "2026-11-22T23:00:00Z", "second")).toBe("23 Nov, 00:00:00");
});

test("a text that is no moment is shown as it is", () => {
  expect(renderPart(<Moment at="soon" />)).toBe("<span>soon</span>");
});
