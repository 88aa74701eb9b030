import type { VendRequest } from "../../categories/supplier-request.ts";
import type { Json } from "../../kernel/json.ts";
import type { Reading } from "../dialect.ts";
import { type Esim, esims, vendedWith } from "../fulfilments.ts";
import { at, givenReference, listAt, textAt } from "../reply.ts";
import { differenceIn } from "../same-purchase.ts";

/** An order, as the answer to it holds it, and with its status where one is asked for. */
export function readOrder(order: Json | undefined, request: VendRequest): Reading {
  const id = textAt(order, "id");
  if (id === null) return { kind: "unknown" };
  const what = differenceIn({
    reference: { theirs: textAt(order, "description"), ours: request.supplierReference },
    products: [{ theirs: textAt(order, "package_id"), ours: request.supplierCode }],
    number: { theirs: null, ours: [] },
    amount: { theirs: [], ours: null },
  });
  if (what !== null) return { kind: "another", what };
  const sims = listAt(order, "sims");
  switch (textAt(order, "status", "slug") ?? "completed") {
    case "completed": {
      // A confirmation code, for which a fulfilment has no room.
      if (sims.some((sim) => (at(sim, "confirmation_code") ?? null) !== null)) return vendedWith("unclear", id);
      const profiles = sims.map((sim) => profileOf(sim, order));
      return vendedWith(esims(request, profiles), id);
    }
    case "failed":
      // One that failed and has profiles is neither.
      if (sims.length > 0) return { kind: "unknown", ...givenReference(id) };
      return { kind: "declined", errorCode: "PROVIDER_DECLINED", ...givenReference(id) };
    case "refunded":
      // They refund profile by profile: of several, nobody knows how many this says.
      if (request.quantity > 1) return { kind: "unknown", ...givenReference(id) };
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", reversed: true, ...givenReference(id) };
    default:
      return { kind: "unknown", ...givenReference(id) };
  }
}

function profileOf(sim: Json, order: Json | undefined): Esim {
  return {
    iccid: textAt(sim, "iccid"),
    lpa: activationCodeOf(sim),
    apn: textAt(sim, "apn_value"),
    dataMb: megabytesOf(textAt(order, "data")),
    validityDays: wholeOf(textAt(order, "validity")),
    coverage: [],
    expiresAt: null,
  };
}

/** `qrcode` is the text of the QR code, and `lpa` the server's address. */
function activationCodeOf(sim: Json): string | null {
  const received = textAt(sim, "qrcode");
  if (received !== null) return received;
  const [server, code] = [textAt(sim, "lpa"), textAt(sim, "matching_id")];
  return server === null || code === null ? null : `LPA:1$${server}$${code}`;
}

/** `1 GB`, `500 MB`; null for `Unlimited` and whatever else. */
function megabytesOf(received: string | null): number | null {
  const [, amount = "", unit] = /^([1-9][0-9]{0,3}) ?(GB|MB)$/.exec(received ?? "") ?? [];
  return unit === undefined ? null : Number(amount) * (unit === "GB" ? 1_024 : 1);
}

function wholeOf(received: string | null): number | null {
  return /^[1-9][0-9]{0,2}$/.test(received ?? "") ? Number(received) : null;
}
