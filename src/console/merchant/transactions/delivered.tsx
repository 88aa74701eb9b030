import type { Json, JsonObject } from "../../../kernel/json.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { spoken } from "../../kit/parts/text.tsx";
import { codesIn, LargeCode, withoutCodes } from "./codes.tsx";
import { Copied } from "./purchase.tsx";

interface DeliveredProps {
  readonly fulfilment: JsonObject;
  readonly secrets: readonly string[];
}

/** What a purchase handed over, whatever its category: its codes large, in the order in which they are typed, then facts. */
export function Delivered({ fulfilment, secrets }: DeliveredProps) {
  const codes = codesIn(fulfilment, secrets);
  const facts = Object.entries(withoutCodes(fulfilment, secrets)).filter(
    ([name, value]) => name !== "kind" && value !== null,
  );
  if (codes.length === 0 && facts.length === 0) return null;
  return (
    <Sheet title="What was delivered">
      {codes.length === 0 ? null : (
        <div class="token-box">
          {codes.map((code) => (
            <LargeCode key={code.value} code={code} isCopied />
          ))}
        </div>
      )}
      {facts.length === 0 ? null : (
        <Facts facts={facts.map(([name, value]) => [spoken(name), shown(name, value, secrets)] as const)} />
      )}
    </Sheet>
  );
}

const copied = /pin|token|code|lpa|serial|iccid|value|matching/;

function shown(name: string, value: Json | undefined, secrets: readonly string[]) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string" && value.startsWith("data:image/png;base64,"))
    return <img src={value} alt={spoken(name)} />;
  const text = textOf(value);
  if (!secrets.includes(name) || !copied.test(name)) return text;
  return <Copied text={text} subject={spoken(name).toLowerCase()} />;
}

function textOf(value: Json): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((one) => textOf(one as Json)).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => `${spoken(name)} ${textOf(inner as Json)}`)
      .join(", ");
  }
  return String(value);
}
