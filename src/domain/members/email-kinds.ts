import { type Role, roles } from "./roles.ts";

/** Emails that people choose: who may have them, and whether they are on until somebody turns them off. */
export const emailKinds = {
  low_balance: { roles: ["owner", "finance"], isUsual: true },
  /** A bank transfer that was credited to the live wallet. */
  money_added: { roles: ["owner", "finance"], isUsual: true },
  money_taken_back: { roles: ["owner", "finance"], isUsual: true },
  webhook_failing: { roles: ["owner", "developer"], isUsual: true },
  /** Keys that end while they are in use, and keys that nobody uses. */
  key_ending: { roles: ["owner", "developer"], isUsual: true },
  monthly_statement: { roles: ["owner", "finance"], isUsual: false },
  /** About the person's own account: a login with a device that was not seen before. */
  new_place: { roles, isUsual: true },
} as const satisfies Readonly<Record<string, { readonly roles: readonly Role[]; readonly isUsual: boolean }>>;

export type EmailKind = keyof typeof emailKinds;
