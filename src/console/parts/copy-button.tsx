interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for those who don't see where it stands: `the key`. */
  readonly subject: string;
  readonly label?: string;
}

/** Copies a text. Unseen without JavaScript, as the text can be selected. */
export function CopyButton({ text, subject, label = "Copy" }: CopyButtonProps) {
  return (
    <button class="button small" type="button" data-island="copy" data-text={text} hidden>
      <span aria-live="polite">{label}</span>
      <span class="unseen"> {subject}</span>
    </button>
  );
}
