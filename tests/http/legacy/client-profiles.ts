import type { ClientProfile } from "./client-profile.ts";
import { clientsOfBothParts } from "./clients-of-both-parts.ts";
import { clientsOfBody, clientsOfStatus } from "./clients-of-one-part.ts";

/** The 28, by what they look at. */
export const clientProfiles: readonly ClientProfile[] = [...clientsOfStatus, ...clientsOfBody, ...clientsOfBothParts];
