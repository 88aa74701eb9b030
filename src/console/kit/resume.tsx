import type { FrameAnswer } from "./answer.tsx";
import { type Form, isSecretField, onceField } from "./form.ts";

/**
 * A form that was sent after its session had ended: it waits in the log-in's own form, twice and for strangers as well, so
 * only what is short waits.
 */
export interface Resume {
  readonly path: string;
  readonly fields: readonly (readonly [string, string])[];
}

const resumeField = "resume";
/** Letters of what waits, as JSON. */
const lengthMax = 8_192;

export function resumeOf(path: string, form: Form): Resume | "too_long" {
  const all = [...form.fields].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  const resume = { path, fields: all.filter(([name]) => name !== onceField && !isSecretField(name)) };
  return JSON.stringify(resume).length > lengthMax ? "too_long" : resume;
}

/** The form that waits in another one; null where none does. */
export function readResume(form: Form): Resume | null {
  const text = form.raw(resumeField);
  if (text.length > lengthMax) return null;
  try {
    const { path, fields } = JSON.parse(text) as Partial<Resume>;
    if (typeof path !== "string" || !isOwnPath(path) || !Array.isArray(fields)) return null;
    return { path, fields: fields.map(([name, value]) => [String(name), String(value)] as const) };
  } catch {
    return null;
  }
}

export function ResumeField({ resume }: { readonly resume: Resume | "too_long" | null }) {
  return resume === null || resume === "too_long" ? null : (
    <input type="hidden" name={resumeField} value={JSON.stringify(resume)} />
  );
}

/** After the log-in: what had been typed, to be sent now. */
export function resumePage({ path, fields }: Resume, onceToken: string, home: string): FrameAnswer {
  return {
    title: "You’re logged in",
    body: (
      <form class="form" method="post" action={path} data-island="once">
        <p>We kept what you typed, except passwords and codes.</p>
        {[...fields, [onceField, onceToken] as const].map(([name, value], at) => (
          <input key={`${name} ${at}`} type="hidden" name={name} value={value} />
        ))}
        <div class="buttons">
          <button class="button main" type="submit">
            Send it
          </button>
          <a href={home}>Don’t send it</a>
        </div>
      </form>
    ),
  };
}

/** A path of this service to go on to after the log-in: not another site's address. */
export function isOwnPath(text: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(text);
}
