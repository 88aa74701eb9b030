/** Labels that an expression names, beside the metrics that must have them. */
export interface LabelUse {
  readonly labels: readonly string[];
  readonly metrics: readonly string[];
}

const words = ["by", "on", "ignoring", "without", "group_left", "group_right", "and", "or", "unless", "bool", "offset"];
const labelList = /\b(?:by|on|ignoring|without|group_left|group_right)\s*\(([^)]*)\)/g;
const namesOf = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** The metrics that an expression of Prometheus names. */
export function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(labelList, " ")
    .replaceAll(/\b\d[\w.]*/g, " ");
  const names = [...bare.matchAll(/\b[a-zA-Z_:][\w:]*\b(?!\s*\()/g)].map(([name]) => name);
  return [...new Set(names.filter((name) => !words.includes(name)))];
}

/** What stands in braces: each label has to be the metric's before it. */
export function matchedLabelsIn(expression: string): LabelUse[] {
  return [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(([, metric = "", matchers = ""]) => ({
    metrics: [metric],
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)].map(([, label = ""]) => label),
  }));
}

/** `sum by (…) (operand)`: each label has to be one of every metric of the operand. Of `on (…)`: of the whole. */
export function aggregationsIn(expression: string): LabelUse[] {
  return [...expression.matchAll(/\b(by|on)\s*\(([^)]*)\)/g)].map((match) => {
    const [all, word, list = ""] = match;
    const rest = expression.slice(match.index + all.length).trimStart();
    const operand = word === "by" && rest.startsWith("(") ? parenthesised(rest) : expression;
    return { labels: namesOf(list), metrics: metricsIn(operand) };
  });
}

/** A text's first pair of parentheses, with all that it holds. */
function parenthesised(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(0, at + 1);
  }
  return text;
}
