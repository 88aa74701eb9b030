const columns = 120;

/** JSON as a person would write it: what fits into a line is not spread over several. `before`: columns that are used already. */
export function jsonText(value: unknown, indent = "", before = 0): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + before + flat.length < columns) return flat;
  const inner = `${indent} `;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((item) => jsonText(item, inner))]
    : ["{", "}", fieldsOf(value, inner)];
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function fieldsOf(value: object, indent: string): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const key = `${JSON.stringify(name)}: `;
    return field === undefined ? [] : [key + jsonText(field, indent, key.length)];
  });
}
