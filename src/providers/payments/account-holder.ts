import type { AccountRequest } from "./contract.ts";

/** A business as payment providers want to hear of it: as of a person. */
export interface AccountHolder {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** One account for each customer, and one customer for each e-mail address: so an address is made of our reference. */
export function holderOf({ businessName, email, reference }: AccountRequest): AccountHolder {
  const [first = "", ...rest] = businessName.trim().split(/\s+/);
  return {
    email: addressFor(email, reference),
    firstName: first === "" ? reference : first,
    lastName: rest.join(" ") || reference,
  };
}

/** Two merchants may have one owner, whose address is one customer there. */
function addressFor(email: string, reference: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, at)}+${reference.replaceAll("_", "-")}${email.slice(at)}`;
}
