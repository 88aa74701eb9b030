import type { ComponentChildren } from "preact";
import { controlAttributes, Field, type FieldProps, Notes, notesOf } from "./field.tsx";

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
    <fieldset class={error ? "field wrong" : "field"} aria-describedby={notesOf(props)}>
      <legend>{label}</legend>
      <Notes {...props} />
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
    </fieldset>
  );
}

/** Yes or no: sent as `on`, or not at all. Not required unless said. */
export function CheckField(props: Omit<FieldProps, "value"> & { readonly isChecked?: boolean }) {
  const { label, error, isChecked = false, isRequired = false } = props;
  return (
    <div class={error ? "field wrong" : "field"}>
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
