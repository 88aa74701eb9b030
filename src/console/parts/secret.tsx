import { CopyButton } from "./copy-button.tsx";

interface SecretProps {
  /** `The live key`. */
  readonly label: string;
  readonly value: string;
  /** What to do now, as it isn't shown again. */
  readonly note?: string;
}

/** Worth money or access, and shown this once: the page that holds it is not stored and not compressed. */
export function Secret({
  label,
  value,
  note = "It is shown this once. Keep it where nobody else reads.",
}: SecretProps) {
  return (
    <div class="secret">
      <p class="label">{label}</p>
      <p class="value">
        <code>{value}</code>
        <CopyButton text={value} subject={label} />
      </p>
      <p>{note}</p>
    </div>
  );
}
