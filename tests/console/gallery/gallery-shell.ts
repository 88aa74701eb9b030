import { readAssets } from "../../../src/console/kit/assets.ts";
import type { Surroundings } from "../../../src/console/kit/parts/surroundings.ts";
import { momentFormat } from "../../../src/console/kit/parts/text.tsx";
import type { Shell } from "../../../src/console/kit/shell.ts";

const link = (label: string, badge: number | null = null, keys?: string) => ({
  href: `/live/${label.toLowerCase().replaceAll(" ", "-")}`,
  label,
  icon: "list" as const,
  isCurrent: label === "Overview",
  badge,
  ...(keys === undefined ? {} : { keys }),
});

export const galleryAssets = readAssets();

/** What stands around the parts of the gallery. */
export const gallerySurroundings: Surroundings = {
  format: momentFormat("Africa/Lagos"),
  assetUrl: galleryAssets.url,
  now: Date.parse("2026-11-23T13:06:00Z"),
  formFields: {},
};

/** A merchant's shell, as the look has it. */
export const galleryShell: Shell = {
  company: { name: "Dispense", logoUrl: null },
  merchantName: "Kano Corner Shop",
  homeHref: "/live/overview",
  mode: "live",
  liveHref: "/live/overview",
  testHref: "/test/overview",
  navigation: [
    {
      title: null,
      links: [
        link("Overview", null, "g o"),
        link("Transactions", null, "g t"),
        link("Wallet", null, "g w"),
        link("Sell", null, "g b"),
        link("Bulk orders"),
        link("Prices"),
        link("Customers"),
      ],
    },
    { title: "Developers", links: [link("API keys"), link("Webhooks", 1), link("Request log"), link("Errors")] },
    { title: "Account", links: [link("Team"), link("Security")] },
  ],
  person: { name: "Amina Bello", email: "amina@kanocorner.example", role: "Owner" },
  theme: null,
  searchHref: "/live/search",
  memberships: [
    { id: "mer_1", name: "Kano Corner Shop", isCurrent: true },
    { id: "mer_2", name: "Kaduna Wholesale", isCurrent: false },
  ],
};
