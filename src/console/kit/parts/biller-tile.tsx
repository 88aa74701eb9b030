interface Tiled {
  readonly name: string;
  readonly network: string | null;
  readonly category: string;
}

const networks: Readonly<Record<string, { readonly look: string; readonly text: string }>> = {
  MTN: { look: "mtn", text: "MTN" },
  GLO: { look: "glo", text: "glo" },
  AIRTEL: { look: "airtel", text: "airtel" },
  "9MOBILE": { look: "n9m", text: "9mob" },
};

const looks: Readonly<Record<string, string>> = { electricity: "power", cable: "tv" };
const lettersMax = 5;

/** A biller's colours and short name, or the first two letters of a long one, for the eye alone: its name stands beside it. */
export function BillerTile({ biller }: { readonly biller: Tiled }) {
  const network = networks[biller.network ?? ""];
  const [word = ""] = biller.name.split(/[^\p{L}\p{N}]/u, 1);
  return (
    <span class={["net", network?.look ?? looks[biller.category] ?? ""].join(" ").trim()} aria-hidden="true">
      {network?.text ?? (word.length > lettersMax ? word.slice(0, 2) : word)}
    </span>
  );
}
