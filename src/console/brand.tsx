import type { Company } from "./shell.ts";

/** The company's logo, or its first letter in a square, with a name beside it. */
export function Brand({ company, name }: { readonly company: Company; readonly name: string }) {
  return (
    <span class="brand">
      {company.logoUrl === null ? (
        <span class="mark" aria-hidden="true">
          {[...company.name][0]?.toUpperCase() ?? ""}
        </span>
      ) : (
        <img class="mark" src={company.logoUrl} alt={company.name} width="22" height="22" />
      )}
      <span class="name">{name}</span>
    </span>
  );
}
