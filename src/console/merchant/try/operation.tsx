import type { Randomness } from "../../../domain/merchants/key-format.ts";
import type { SentRequest, Tried, TryExample, TryOperation, TryParameter, TypedTry } from "../../../site/try-it.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { formOf, type Form as SentForm, type Typed } from "../../kit/form.ts";
import { CodeBlock } from "../../kit/parts/data.tsx";
import { SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { type ModeVisit, useVisit } from "../access.ts";
import { requestCurl } from "../exports.ts";
import { AnswerSheet } from "./answer-sheet.tsx";

interface OperationShown {
  readonly of: TryOperation;
  readonly typed: Typed;
  /** What would be sent; null where that can't be told. */
  readonly preview?: SentRequest | null;
  readonly tried?: Tried;
}

const pathStart = "/api/v1/merchant";

/** `POST /airtime/purchase`. */
export function callText({ method, path }: TryOperation): string {
  return `${method} ${path.startsWith(pathStart) ? path.slice(pathStart.length) : path}`;
}

/** One operation: the form, what was sent, and what came back. */
export function operationPage(visit: ModeVisit, shown: OperationShown): PageAnswer {
  const { of, typed, preview = null, tried } = shown;
  return page(
    {
      title: of.title,
      note: <code>{callText(of)}</code>,
      crumbs: [["Try the API", "/test/try"]],
    },
    <>
      <SandboxNote />
      <Sheet title="Request" note={<a href="/docs/api">See all fields</a>}>
        <Examples of={of} />
        <Form action={`/test/try/${of.id}#answer`} submit="Send to the sandbox">
          <Fields {...{ of, typed }} />
        </Form>
      </Sheet>
      {preview === null ? null : (
        <Sheet title="From your program">
          <CodeBlock label="curl" code={requestCurl(preview, visit.place.origin)} />
        </Sheet>
      )}
      {tried === undefined ? null : <AnswerSheet of={of} tried={tried} />}
    </>,
  );
}

/** Test keys are refused as well. */
export function SandboxNote() {
  if (useVisit().member.sandboxOn) return null;
  return <Flash kind="waiting">The sandbox is turned off for you. It refuses everything until it’s on again.</Flash>;
}

/** Other bodies to begin with. */
function Examples({ of }: { readonly of: TryOperation }) {
  if (of.examples.length < 2) return null;
  return (
    <p>
      Start with:{" "}
      {of.examples.map(({ name, title }, at) => (
        <span key={name}>
          {at === 0 ? "" : ", "}
          <a href={`/test/try/${of.id}?${new URLSearchParams({ example: name })}`}>{title}</a>
        </span>
      ))}
    </p>
  );
}

function Fields({ of, typed }: Pick<OperationShown, "of" | "typed">) {
  return (
    <>
      {of.parameters.map((parameter) => {
        const { name, isRequired, choices } = parameter;
        const field = { ...typed.field(name), isRequired, label: name };
        return choices.length === 0 ? (
          <TextField key={name} {...field} hint={hintOf(parameter)} isCode />
        ) : (
          <SelectField key={name} {...field} choices={choicesOf(parameter)} />
        );
      })}
      {of.method === "GET" ? null : (
        <TextAreaField
          {...typed.field("body")}
          label="Body, as JSON"
          hint={
            "reference" in (of.examples[0]?.body ?? {})
              ? "The same reference again answers the same sale and charges nothing."
              : undefined
          }
          rows={typed.value("body").split("\n").length + 1}
          isCode
        />
      )}
    </>
  );
}

function choicesOf({ choices, isRequired }: TryParameter) {
  const named = choices.map((choice) => ({ value: choice, label: choice }));
  return isRequired ? named : [{ value: "", label: "Any" }, ...named];
}

function hintOf({ about, example, isRequired }: TryParameter): string {
  return isRequired || example === "" ? about : `${about} For example ${example}.`;
}

/** The document's own example, under a reference that is new each time; what the address names goes before. */
export function prefilled(of: TryOperation, query: ReadonlyMap<string, string>, randomness: Randomness): SentForm {
  const chosen = of.examples.find(({ name }) => name === query.get("example")) ?? of.examples[0];
  const body = chosen === undefined ? "" : JSON.stringify(renamed(chosen, randomness), null, 2);
  const usual = ({ isRequired, example }: TryParameter) => (isRequired ? example : "");
  return formOf([
    ...of.parameters.map((each) => [each.name, query.get(each.name) ?? usual(each)] as const),
    ["body", body],
  ]);
}

const referenceBytes = 4;

function renamed({ body }: TryExample, randomness: Randomness): TryExample["body"] {
  if (!("reference" in body)) return body;
  return { ...body, reference: `try-${Buffer.from(randomness(referenceBytes)).toString("hex")}` };
}

/** The request that a form of the page asks for. */
export function requestIn(of: TryOperation, form: SentForm): TypedTry {
  const parameters = of.parameters.map(({ name }) => [name, form.text(name)]);
  return { operation: of.id, parameters: Object.fromEntries(parameters), body: form.raw("body") };
}
