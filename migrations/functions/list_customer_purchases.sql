-- Ids of a wallet's purchases for a customer, or with a phone, or both, newest first: p_limit of them, or fewer; null
-- stands for all. Null leaves a filter out, but not both of the first two. Walks the spans of fifty days, as
-- purchases_by_customer counts them, backwards and stops as soon as it can: each half is put in order and cut by
-- itself, as over both the planner reads a span to its end and sorts it (87,000 purchases for a page of 50).
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
as $$
declare
  v_customer text := coalesce(p_customer_ref, p_phone);
  v_first_id bigint;
  v_last_id bigint;
  v_found bigint := 0;
  v_rows bigint;
begin
  -- Two probes of the index: the wallet's first and last purchase in the range.
  select p.id into v_first_id
    from purchases p
   where p.wallet_id = p_wallet_id
     and p.id >= p_from_id
     and p.id < p_before_id
   order by p.id
   limit 1;
  select p.id into v_last_id
    from purchases p
   where p.wallet_id = p_wallet_id
     and p.id >= p_from_id
     and p.id < p_before_id
   order by p.id desc
   limit 1;
  if v_first_id is null then
    return;
  end if;
  for v_span in reverse (v_last_id >> 54)::integer .. (v_first_id >> 54)::integer loop
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
