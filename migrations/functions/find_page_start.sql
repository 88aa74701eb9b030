-- The first id of the youngest days that hold at least p_needed counted purchases of a status and of some products: a
-- page of the youngest so many lies above it, so that rare matches are not sought through all that there is. Zero when
-- there are fewer. Walks the days backwards and stops as soon as it can.
-- writes: none
create or replace function find_page_start(
  p_bucket smallint,
  p_merchant_id integer,
  p_mode text,
  p_status text,
  p_product_ids integer[],
  p_last_day integer,
  p_needed bigint
)
returns bigint
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set jit = off
as $$
declare
  v_found bigint := 0;
  v_row record;
begin
  for v_row in
    select c.day, c.purchases
      from purchase_counts c
     where c.bucket = p_bucket
       and c.merchant_id = p_merchant_id
       and c.mode = p_mode
       and c.day between 0 and p_last_day
       and (p_status is null or c.status = p_status)
       and (p_product_ids is null or c.product_id = any (p_product_ids))
     order by c.day desc, c.product_id desc, c.status desc
  loop
    v_found := v_found + v_row.purchases;
    if v_found >= p_needed then
      -- The day's first millisecond, above 22 other bits.
      return greatest(0, v_row.day * 86400000::bigint - 3600000) << 22;
    end if;
  end loop;
  return 0;
end
$$;
