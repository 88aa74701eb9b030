-- How many of a wallet's purchases were for a customer, or with a phone, or both: exactly, by reading them. That is as
-- many rows as the customer has, however many the wallet has, or p_count_max where that is not null: who gets that many
-- knows that there are so many at least. Null leaves a filter out, but not both of the first two.
-- Equal numbers have equal hashes, so a row of the same hash # wallet is of the same wallet: it is not compared by
-- itself, and ids are compared as sums, as the planner would walk the wallet by its key while it knows nothing of it
-- (test: list-reads).
-- writes: none
drop function if exists count_customer_purchases(
  smallint, integer, text, text, text, text, integer[], text, bigint, bigint
);
create or replace function count_customer_purchases(
  p_wallet_id integer,
  p_customer_ref text,
  p_phone text,
  p_status text,
  p_product_ids integer[],
  p_channel text,
  p_from_id bigint,
  p_before_id bigint,
  p_count_max bigint
)
returns bigint
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_customer text := coalesce(p_customer_ref, p_phone);
  v_spans int4range := purchase_spans(p_wallet_id, p_from_id, p_before_id);
  v_total bigint;
  v_more bigint;
begin
  select count(*) into v_total
    from (
           select 1
             from generate_series(lower(v_spans), upper(v_spans) - 1) as span
             join purchases p
               on (p.id >> 54)::integer = span
              and hashtext(p.customer_ref) # p.wallet_id = hashtext(v_customer) # p_wallet_id
            where p.customer_ref is not null
              and p.customer_ref = v_customer
              and p.id + 0 >= p_from_id
              and p.id + 0 < p_before_id
              and (p_phone is null or p.phone = p_phone)
              and (p_status is null or p.status = p_status)
              and (p_product_ids is null or p.product_id = any (p_product_ids))
              and (p_channel is null or p.channel = p_channel)
            limit p_count_max
         ) counted;
  if p_customer_ref is not null then
    return v_total;
  end if;

  select count(*) into v_more
    from (
           select 1
             from generate_series(lower(v_spans), upper(v_spans) - 1) as span
             join purchases p
               on (p.id >> 54)::integer = span
              and hashtext(p.phone) # p.wallet_id = hashtext(p_phone) # p_wallet_id
            where p.phone is distinct from p.customer_ref
              and p.phone is not null
              and p.phone = p_phone
              and p.id + 0 >= p_from_id
              and p.id + 0 < p_before_id
              and (p_status is null or p.status = p_status)
              and (p_product_ids is null or p.product_id = any (p_product_ids))
              and (p_channel is null or p.channel = p_channel)
            limit p_count_max - v_total
         ) counted;
  return v_total + v_more;
end
$$;
