/** What members are to their merchant. The matrix of what each may do is the console's (src/console/merchant/access.ts). */
export const roles = ["owner", "developer", "finance", "cashier", "viewer"] as const;
export type Role = (typeof roles)[number];

const titles: Readonly<Record<Role, string>> = {
  owner: "an owner",
  developer: "a developer",
  finance: "finance",
  cashier: "a cashier",
  viewer: "a viewer",
};

/** A role within a sentence. */
export function roleTitle(role: Role): string {
  return titles[role];
}
