import { CopyButton } from "./copy-button.tsx";
import { ScrollArea } from "./scroll-area.tsx";

interface CodeBlockProps {
  readonly code: string;
  /** What it is: `The request as curl`. */
  readonly label: string;
}

/** Several lines to be read or copied; wide ones scroll by themselves, by keyboard too. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} subject={label} />
      </figcaption>
      <ScrollArea label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </ScrollArea>
    </figure>
  );
}
