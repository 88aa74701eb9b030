/** What people of the company are here. The matrix of what each may do is the console's (src/console/operator/access.ts). */
export const staffRoles = ["admin", "finance", "catalogue", "support"] as const;
export type StaffRole = (typeof staffRoles)[number];

export function parseStaffRole(text: string): StaffRole | null {
  return staffRoles.find((role) => role === text) ?? null;
}
