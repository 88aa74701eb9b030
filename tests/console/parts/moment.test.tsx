import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Moment, type MomentStyle, momentFormat, momentText } from "../../../src/console/kit/parts/text.tsx";

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
  expect(momentText({ at, format: lagos, style })).toBe(text);
  expect(momentText({ at: Date.parse(at), format: lagos, style })).toBe(text);
});

test("a moment carries itself for machines, and its zone as a hint", () => {
  expect(renderToString(<Moment at={at} format={lagos} />)).toBe(
    '<time datetime="2026-11-23T13:05:12.007Z" title="Mon 23 Nov 2026, 14:05:12 WAT">23 Nov, 14:05</time>',
  );
});

test("midnight is hour 00 of the new day", () => {
  expect(momentText({ at: "2026-11-22T23:00:00Z", format: lagos, style: "second" })).toBe("23 Nov, 00:00:00");
});

test("the formatter of a zone is made once and kept", () => {
  expect(momentFormat("Africa/Lagos")).toBe(lagos);
  expect(momentFormat("Europe/Berlin")).not.toBe(lagos);
});

test("a text that is no moment is shown as it is", () => {
  expect(renderToString(<Moment at="soon" format={lagos} />)).toBe("<span>soon</span>");
});
