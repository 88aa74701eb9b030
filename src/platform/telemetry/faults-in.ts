import type { TObject } from "typebox";
import { Compile } from "typebox/compile";
import type { JsonObject } from "../../kernel/json.ts";

/** Something that an operator entered: its name, the shape that it must have, and its value. */
export interface Entered {
  readonly part: string;
  /** Each field's description completes "must be …". */
  readonly shape: TObject;
  readonly value: JsonObject;
}

/** The missing and malformed fields: by name and rule, never by value. */
export function faultsIn({ part, shape, value }: Entered): readonly string[] {
  const faults = Compile(shape)
    .Errors(value)
    .flatMap((error) => {
      if (error.keyword === "required") {
        return error.params.requiredProperties.map((name) => `${part}.${name} is missing`);
      }
      const name = error.instancePath.split("/")[1] ?? "";
      const field = shape.properties[name] as { readonly description?: string } | undefined;
      return `${part}.${name} must be ${field?.description ?? "something else"}`;
    });
  return [...new Set(faults)];
}

/** Names that nobody reads: slips of the pen. */
export function unknownIn({ part, shape, value }: Entered, whose: string): readonly string[] {
  const known = Object.keys(shape.properties);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  const there = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`;
  return unknown.map((name) => `${part}.${name} is unknown to ${whose}; ${there}`);
}
