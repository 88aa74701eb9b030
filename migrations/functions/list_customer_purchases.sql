-- Ids of a wallet's purchases for a customer, or with a phone, or both, newest first: p_limit of them, or fewer. Walks
-- the spans backwards and stops as soon as it can: each half is put in order and cut by itself, as over both the
-- planner reads a span to its end and sorts it (87,000 purchases for a page of 50). Filters as
-- count_customer_purchases.
-- Equal numbers have equal hashes, so a row of the same hash # wallet is of the same wallet: it is not compared by
-- itself, and ids are compared as sums, as the planner would walk the wallet by its key while it knows nothing of it
-- (test: list-reads).
-- writes: none
create or replace function list_customer_purchases(
  p_wallet_id integer,
  p_customer_ref text,
  p_phone text,
  p_status text,
  p_product_ids integer[],
  p_channel text,
  p_from_id bigint,
  p_before_id bigint,
  p_limit bigint
)
returns setof bigint
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_customer text := coalesce(p_customer_ref, p_phone);
  v_spans int4range := purchase_spans(p_wallet_id, p_from_id, p_before_id);
  v_found bigint := 0;
  v_rows bigint;
begin
  if isempty(v_spans) then
    return;
  end if;
  for v_span in reverse upper(v_spans) - 1 .. lower(v_spans) loop
    return query
    select found.id
      from (
             (
               select p.id
                 from purchases p
                where (p.id >> 54)::integer = v_span
                  and hashtext(p.customer_ref) # p.wallet_id = hashtext(v_customer) # p_wallet_id
                  and p.customer_ref is not null
                  and p.customer_ref = v_customer
                  and p.id + 0 >= p_from_id
                  and p.id + 0 < p_before_id
                  and (p_phone is null or p.phone = p_phone)
                  and (p_status is null or p.status = p_status)
                  and (p_product_ids is null or p.product_id = any (p_product_ids))
                  and (p_channel is null or p.channel = p_channel)
                order by p.id desc
                limit p_limit - v_found
             )
              union all
             (
               select p.id
                 from purchases p
                where (p.id >> 54)::integer = v_span
                  and hashtext(p.phone) # p.wallet_id = hashtext(p_phone) # p_wallet_id
                  and p.phone is distinct from p.customer_ref
                  and p.phone is not null
                  and p_customer_ref is null
                  and p.phone = p_phone
                  and p.id + 0 >= p_from_id
                  and p.id + 0 < p_before_id
                  and (p_status is null or p.status = p_status)
                  and (p_product_ids is null or p.product_id = any (p_product_ids))
                  and (p_channel is null or p.channel = p_channel)
                order by p.id desc
                limit p_limit - v_found
             )
           ) found
     order by found.id desc
     limit p_limit - v_found;
    get diagnostics v_rows = row_count;
    v_found := v_found + v_rows;
    exit when v_found >= p_limit;
  end loop;
end
$$;
