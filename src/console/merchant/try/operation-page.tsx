import type { Randomness } from "../../../domain/merchants/key-format.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import type { Form } from "../../kit/form.ts";
import { CodeBlock } from "../../kit/parts/data.tsx";
import { SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import type { ModeVisit } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { requestCurl } from "../request-curl.ts";
import { AnswerSheet } from "./answer-sheet.tsx";
import type { SentRequest, Tried, TryExample, TryOperation, TryParameter, TypedTry } from "./try-services.ts";

export type Typed = Omit<TypedTry, "operation">;

interface OperationShown {
  readonly of: TryOperation;
  /** What the form holds. */
  readonly typed: Typed;
  readonly refusal?: Refusal;
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
export function operationPage(
  visit: ModeVisit,
  { of, typed, refusal, preview = null, tried }: OperationShown,
): PageAnswer {
  return page(
    of.title,
    <>
      <PageHead title={of.title} actions={<ButtonLink href="/test/try">All requests to try</ButtonLink>}>
        <code>{callText(of)}</code>
      </PageHead>
      <SandboxNote visit={visit} />
      <Sheet title="Request" note={<a href="/docs/api">All fields are in the reference</a>}>
        <Examples of={of} />
        <VisitForm visit={visit} action={`/test/try/${of.id}#answer`} submit="Send to the sandbox">
          <Fields of={of} typed={typed} refusal={refusal} />
        </VisitForm>
      </Sheet>
      {preview === null ? null : (
        <Sheet title="From a program" note="As it was filled in">
          <CodeBlock label="As curl" code={requestCurl(preview, visit.place.origin)} />
        </Sheet>
      )}
      {tried === undefined ? null : <AnswerSheet visit={visit} of={of} tried={tried} />}
    </>,
    { status: refusal === undefined ? 200 : problems[refusal.code].status },
  );
}

/** Test keys are refused as well. */
export function SandboxNote({ visit }: { readonly visit: ModeVisit }) {
  if (visit.member.sandboxOn) return null;
  return <Flash kind="waiting">The operator has the sandbox off: it refuses everything until it is on again.</Flash>;
}

/** Other bodies to begin with. */
function Examples({ of }: { readonly of: TryOperation }) {
  if (of.examples.length < 2) return null;
  return (
    <p>
      Begin with:{" "}
      {of.examples.map(({ name, title }, at) => (
        <span key={name}>
          {at === 0 ? "" : ", "}
          <a href={`/test/try/${of.id}?${new URLSearchParams({ example: name })}`}>{title}</a>
        </span>
      ))}
    </p>
  );
}

interface FieldsProps extends Pick<OperationShown, "of" | "typed"> {
  readonly refusal: Refusal | undefined;
}

function Fields({ of, typed, refusal }: FieldsProps) {
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  return (
    <>
      {of.parameters.map((parameter) => {
        const { name, isRequired, choices } = parameter;
        const field = { name, isRequired, label: name, value: typed.parameters[name], error: error(name) };
        return choices.length === 0 ? (
          <TextField key={name} {...field} hint={hintOf(parameter)} isCode />
        ) : (
          <SelectField key={name} {...field} choices={choicesOf(parameter)} />
        );
      })}
      {of.method === "GET" ? null : (
        <TextAreaField
          name="body"
          label="Body, as JSON"
          hint={
            "reference" in (of.examples[0]?.body ?? {})
              ? "A reference names one purchase: sent again as it is, it answers that purchase and charges nothing."
              : undefined
          }
          rows={typed.body.split("\n").length + 1}
          value={typed.body}
          error={error("body")}
          isCode
        />
      )}
    </>
  );
}

function choicesOf({ choices, isRequired }: TryParameter) {
  const named = choices.map((choice) => ({ value: choice, label: choice }));
  return isRequired ? named : [{ value: "", label: "any" }, ...named];
}

function hintOf({ about, example, isRequired }: TryParameter): string {
  return isRequired || example === "" ? about : `${about} Such as ${example}.`;
}

/** The document's own example, under a reference that is new each time; what the address names goes before. */
export function prefilled(of: TryOperation, query: ReadonlyMap<string, string>, randomness: Randomness): Typed {
  const parameters = of.parameters.map(({ name, isRequired, example }) => [
    name,
    query.get(name) ?? (isRequired ? example : ""),
  ]);
  const chosen = of.examples.find(({ name }) => name === query.get("example")) ?? of.examples[0];
  const body = chosen === undefined ? "" : JSON.stringify(renamed(chosen, randomness), null, 2);
  return { parameters: Object.fromEntries(parameters), body };
}

const referenceBytes = 4;

function renamed({ body }: TryExample, randomness: Randomness): TryExample["body"] {
  if (!("reference" in body)) return body;
  return { ...body, reference: `try-${Buffer.from(randomness(referenceBytes)).toString("hex")}` };
}

/** What a form of the page held. */
export function typedIn(of: TryOperation, form: Form): Typed {
  const parameters = of.parameters.map(({ name }) => [name, form.text(name)]);
  return { parameters: Object.fromEntries(parameters), body: form.raw("body") };
}
