-- Opens an endpoint's breaker for every process: for p_seconds the first time, twice as long each time after it, up to
-- p_seconds_max. One that is open already stays as it is, unless it was its probe that failed.
-- writes: webhook_failing_endpoints
create or replace function open_webhook_breaker(
  p_merchant_id integer,
  p_endpoint_number integer,
  p_seconds double precision,
  p_seconds_max double precision,
  p_is_probe boolean
)
returns void
language plpgsql
as $$
declare
  v_now constant timestamptz := now();
  -- How long the first, the second … opening lasts.
  v_until constant timestamptz[] := array(
    select v_now + make_interval(secs => least(p_seconds * 2 ^ n, p_seconds_max))
      from generate_series(0, 20) as n
     order by n
  );
begin
  insert into webhook_failing_endpoints as f (merchant_id, endpoint_number, open_until, opened)
  values (p_merchant_id, p_endpoint_number, v_until[1], 1)
      on conflict (merchant_id, endpoint_number)
      do update set open_until = coalesce(v_until[least(f.opened, 20) + 1], f.open_until),
                    opened = f.opened + 1
   where coalesce(f.open_until <= v_now, true) or p_is_probe;
end
$$;
