import type { AnnouncementState } from "../../domain/funding/statements/announcement-queries.ts";
import { states } from "./states.tsx";

/** What became of a transfer that a merchant announced: its merchant and the company read the same word. */
export const announcementStates = states<AnnouncementState>({
  waiting: ["waiting for the bank", "waiting"],
  credited: ["credited", "good"],
  withdrawn: ["withdrawn", "quiet"],
  closed: ["not found", "bad"],
});
