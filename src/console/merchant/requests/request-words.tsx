import type { LoggedRequest } from "../../../domain/request-log/logged-request.ts";
import { grouped } from "../../kit/parts/list.tsx";
import { Status } from "../../kit/parts/text.tsx";

/** Status and code by word, shape and colour. */
export function RequestStatus({ of: { status, code } }: { readonly of: LoggedRequest }) {
  const words = [status === null ? [] : String(status), code ?? []].flat().join(" ");
  if (code === null) return <Status kind="good">{words}</Status>;
  return <Status kind={status !== null && status < 400 ? "waiting" : "bad"}>{words}</Status>;
}

export function durationText(ms: number): string {
  return ms < 10_000 ? `${grouped(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
