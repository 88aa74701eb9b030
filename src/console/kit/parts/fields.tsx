import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useContext } from "preact/hooks";
import { SurroundingsContext } from "./surroundings.ts";

export interface FieldProps {
  /** The name it is sent under; its id in the page too, so that a form has each name once. */
  readonly name: string;
  readonly label: string;
  /** One sentence under the control: what is meant, in which form. */
  readonly hint?: ComponentChildren;
  /** What is wrong with what was sent, and what would be right. */
  readonly error?: string | null | undefined;
  /** What was sent or is stored. */
  readonly value?: string | undefined;
  readonly isRequired?: boolean;
  /** Whether its label says so; what is not required is, unless another field may stand for it. */
  readonly isOptional?: boolean;
  /** The one that the page begins with. */
  readonly isFocused?: boolean;
  /** What the browser or a password manager may fill in: `email`, `current-password`, `one-time-code`, … */
  readonly autocomplete?: string;
}

interface TextFieldProps extends FieldProps {
  readonly type?: "text" | "email" | "number" | "date" | "datetime-local" | "tel" | "url" | "search" | "file";
  /** Which keys a phone shows, where the type doesn't say it. */
  readonly keys?: "numeric" | "decimal" | "tel" | "email";
  readonly lengthMax?: number;
  readonly least?: string | number;
  readonly most?: string | number;
  readonly step?: string | number;
  readonly pattern?: string;
  readonly placeholder?: string;
  /** Of a file: endings and media types. */
  readonly accept?: string;
  /** Written before the control, such as `₦`. */
  readonly unit?: string;
  /** A token, a key, an id: equal widths. */
  readonly isCode?: boolean;
}

/** A line of text, a number, a date, an e-mail address, a file. */
export function TextField(props: TextFieldProps) {
  const { type = "text", keys, least, most, unit, isCode } = props;
  const { lengthMax, step, pattern, placeholder, accept } = props;
  const attributes = {
    ...controlAttributes(props),
    ...{ type, inputMode: keys, maxLength: lengthMax, min: least, max: most, step, pattern, placeholder, accept },
    class: isCode ? "code" : undefined,
    value: type === "file" ? undefined : props.value,
  };
  // Preact has a type for each kind of input; this one is any of them.
  const control = <input {...(attributes as InputHTMLAttributes<HTMLInputElement>)} />;
  return (
    <Field {...props}>
      {unit === undefined ? (
        control
      ) : (
        <span class="row">
          <span class="unit" aria-hidden="true">
            {unit}
          </span>
          {control}
        </span>
      )}
    </Field>
  );
}

/** A password that can be shown; it is never kept. `autocomplete` is `current-password` or `new-password`. */
export function PasswordField(props: FieldProps & { readonly lengthLeast?: number }) {
  return (
    <Field {...props}>
      <span class="row">
        <input {...controlAttributes(props)} type="password" minLength={props.lengthLeast} />
        <button class="button" type="button" data-island="reveal" data-control={props.name} hidden>
          Show
        </button>
      </span>
    </Field>
  );
}

interface NewPasswordProps extends Pick<FieldProps, "error" | "isFocused"> {
  readonly label?: string;
  /** What else happens. */
  readonly effect?: string;
}

export function NewPasswordField({ label = "Password", effect = "", ...more }: NewPasswordProps) {
  const hint = `At least 12 characters. ${effect}`.trim();
  return <PasswordField {...{ label, hint, ...more }} name="password" lengthLeast={12} autocomplete="new-password" />;
}

export function TextAreaField(props: FieldProps & { readonly rows?: number; readonly isCode?: boolean }) {
  return (
    <Field {...props}>
      <textarea {...controlAttributes(props)} rows={props.rows ?? 4} class={props.isCode ? "code" : undefined}>
        {props.value ?? ""}
      </textarea>
    </Field>
  );
}

/** Label, hint and error around a control that has `controlAttributes`. */
export function Field(props: FieldProps & { readonly children: ComponentChildren }) {
  const { isOptional = props.isRequired === false } = props;
  return (
    <div class="field">
      <label for={props.name}>
        {props.label}
        {isOptional ? <small class="quiet"> optional</small> : null}
      </label>
      {props.children}
      <Notes {...props} />
    </div>
  );
}

/** Hint and error, under the ids that `controlAttributes` point to. */
export function Notes({ name, label, hint, error }: Pick<FieldProps, "name" | "label" | "hint" | "error">) {
  const faults = useContext(SurroundingsContext)?.faults;
  if (error) faults?.push({ text: error, field: { id: name, label } });
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error ? (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </>
  );
}

/** What ties a control to its label, hint and error. */
export function controlAttributes(props: FieldProps) {
  const { name, isRequired = true, isFocused, autocomplete } = props;
  return {
    id: name,
    name,
    required: isRequired,
    autofocus: isFocused ?? false,
    autocomplete: autocomplete ?? "off",
    "aria-describedby": notesOf(props),
    "aria-invalid": props.error ? ("true" as const) : undefined,
  };
}

/** The ids of hint and error, for `aria-describedby`. */
export function notesOf({ name, hint, error }: Pick<FieldProps, "name" | "hint" | "error">): string | undefined {
  const notes = [hint === undefined ? [] : `${name}-hint`, error ? `${name}-error` : []].flat();
  return notes.length === 0 ? undefined : notes.join(" ");
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** One line under a radio button's label. */
  readonly hint?: ComponentChildren;
  readonly isDisabled?: boolean;
}

interface ChoiceFieldProps extends FieldProps {
  readonly choices: readonly Choice[];
}

/** One of many. `placeholder` is the line that chooses nothing. */
export function SelectField(props: ChoiceFieldProps & { readonly placeholder?: string }) {
  const { choices, value, placeholder } = props;
  return (
    <Field {...props}>
      <select {...controlAttributes(props)}>
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {choices.map((choice) => (
          <option key={choice.value} {...choiceAttributes(choice)} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** One of a few, all of them seen. */
export function RadioField(props: ChoiceFieldProps) {
  const { name, label, choices, value, isRequired = true, error } = props;
  return (
    <fieldset
      class="field"
      {...{ role: "radiogroup", "aria-invalid": error ? "true" : undefined, "aria-describedby": notesOf(props) }}
    >
      <legend>{label}</legend>
      {choices.map((choice, at) => (
        <label key={choice.value} class="choice">
          <input
            {...{ type: "radio", name, required: isRequired, id: at === 0 ? name : `${name}-${at}` }}
            {...choiceAttributes(choice)}
            checked={choice.value === value}
          />
          <span>
            {choice.label}
            {choice.hint === undefined ? null : <small>{choice.hint}</small>}
          </span>
        </label>
      ))}
      <Notes {...props} />
    </fieldset>
  );
}

/** Yes or no: sent as `on`, or not at all. Not required unless said. */
export function CheckField(props: Omit<FieldProps, "value"> & { readonly isChecked?: boolean }) {
  const { label, isChecked = false, isRequired = false } = props;
  return (
    <div class="field">
      <label class="choice" for={props.name}>
        <input {...controlAttributes({ ...props, isRequired })} type="checkbox" checked={isChecked} />
        <span>{label}</span>
      </label>
      <Notes {...props} />
    </div>
  );
}

function choiceAttributes({ value, isDisabled = false }: Choice) {
  return { value, disabled: isDisabled };
}
