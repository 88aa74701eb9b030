import { expect, test } from "vitest";
import { sharedConsole } from "../support/shared-console.ts";

const attempts = 10_130;

/** A log of failed attempts and nothing else. */
const service = await sharedConsole();
const { id } = service.app.merchant;
const developer = await service.member("developer");
const { pool } = service.app.fresh;
const key = [-id];
await pool.query(
  `insert into webhook_attempts (
     wallet_id, id, delivery_id, attempt, event, successful, http_status, duration_ms, response_body,
     url, url_version, created_at
   )
   select $1, n, gen_random_uuid(), 1, 'transaction.failed', false, 500, 40, 'attempt ' || n,
          'https://shop.example/hooks', 1, now()
     from generate_series(1, $2::integer) as n`,
  [...key, attempts],
);
await pool.query(
  `update webhook_attempts
      set http_status = null, error = 'tls_error', error_detail = 'the certificate has expired', response_body = ''
    where abs(wallet_id) = $1 and id = $2`,
  [id, attempts],
);
await pool.query("insert into webhook_logs (wallet_id, last_id) values ($1, $2)", [...key, attempts]);
await pool.query(
  `insert into webhook_attempt_counts (wallet_id, event, successful, attempts)
   values ($1, 'transaction.failed', false, $2)`,
  [...key, attempts],
);

function nextOf(text: string): string {
  return /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
}

test("ten thousand attempts down, a filtered log begins anew below them, and leaves none out", async () => {
  const last = await developer.get("/test/webhooks/deliveries?status=failed&page=200");
  expect(last.text).toContain("9,951–10,000 of 10,130");
  const next = nextOf(last.text);
  expect(next).toBe("/test/webhooks/deliveries?status=failed&page=1&upto=130");
  const below = await developer.get(next);
  expect(below.text).toContain("1–50 of 130");
  const deeper = await developer.get("/test/webhooks/deliveries?status=failed&page=5000");
  expect(nextOf(deeper.text)).toBe(next);
});

test("the log says why an attempt got no answer", async () => {
  const { text } = await developer.get("/test/webhooks/deliveries");
  expect(text).toContain("the certificate has expired");
});

test("the whole log is paged to its end", async () => {
  const { text } = await developer.get("/test/webhooks/deliveries?page=203");
  expect(text).toContain("10,101–10,130 of 10,130");
  expect(nextOf(text)).toBe("");
});
