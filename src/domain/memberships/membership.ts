import type { Bucket, MerchantId } from "../../kernel/ids.ts";
import type { MerchantStatus } from "../merchants/merchant.ts";

/** What a member may do for a merchant; the console's matrix (console/access.ts) says what that is. */
export type Role = "owner" | "developer" | "finance" | "viewer";

export const roles: readonly Role[] = ["owner", "developer", "finance", "viewer"];

/** A person's place at a merchant, as of one moment. */
export interface Membership {
  readonly merchantId: MerchantId;
  readonly bucket: Bucket;
  readonly merchantName: string;
  readonly role: Role;
  readonly status: MerchantStatus;
  /** Whether live keys work, and live purchases are carried out. */
  readonly apiApproved: boolean;
}
