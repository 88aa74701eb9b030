import { clientLeft } from "../../../domain/request-log/logged-request.ts";
import { failureCodes } from "../../../kernel/failure-codes.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";

/** What a code of the log means, and what its client does next. */
export interface CodeWords {
  readonly meaning: string;
  readonly next: string;
  /** Where the documents tell of it; null where they don't. */
  readonly href: string | null;
}

export function wordsOf(code: string): CodeWords {
  const href = `/docs/errors#${code}`;
  if (Object.hasOwn(problems, code)) {
    const { title, next } = problems[code as keyof typeof problems];
    return { meaning: title, next: plain(next), href };
  }
  if (Object.hasOwn(failureCodes, code)) {
    const next = "The purchase failed and was refunded. Try again with a new reference, or tell your customer.";
    return { meaning: failureCodes[code as keyof typeof failureCodes], next, href };
  }
  if (code === clientLeft) {
    return {
      meaning: "Your program closed the connection before its answer was out.",
      next: "Give requests more time: 75 s for a purchase. Look the purchase up by its reference before you try again.",
      href: null,
    };
  }
  return { meaning: "A code of an earlier version.", next: "Open its requests below.", href: null };
}

/** The catalogue marks code as documents do. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

/** Meaning, what to do, and the way to the documents. */
export function CodeMeaning({ code }: { readonly code: string }) {
  const { meaning, next, href } = wordsOf(code);
  return (
    <>
      {meaning} {next}
      {href === null ? null : (
        <>
          {" "}
          <a href={href}>
            More<span class="unseen"> about {code}</span>
          </a>
        </>
      )}
    </>
  );
}
