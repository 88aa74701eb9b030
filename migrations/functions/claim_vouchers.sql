-- Sells an attempt as many unsold vouchers of a product as it wants, those that expire first, or none at all. Expired
-- ones are not even read: the index vouchers_by_expiry is asked in its own words. What it came to is written once:
-- whoever asks again, at the same time or ever after, is told the same. With p_quantity null it only asks, and an
-- attempt that never arrived is withdrawn: should it still come, it gets nothing.
-- writes: voucher_claims, vouchers
-- locks: the attempt's claim, then vouchers; those that another attempt is just buying are passed by, unless the others
-- do not suffice.
-- safe to repeat: the attempt is its key.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function claim_vouchers(p_attempt text, p_product_id integer, p_quantity integer, p_day date)
returns text
language plpgsql
as $$
declare
  told text;
  -- Where they are: they are locked, so they stay there.
  found_places tid[];
begin
  insert into voucher_claims (attempt, product_id, outcome)
  values (p_attempt, p_product_id, case when p_quantity is null then 'withdrawn' else 'sold' end)
      on conflict (attempt) do nothing
  returning outcome into told;
  if told is null then
    select c.outcome into told from voucher_claims c where c.attempt = p_attempt;
    return told;
  end if;
  if p_quantity is null then
    return told;
  end if;

  begin
    select array_agg(v.ctid) into found_places
      from (
             select f.ctid
               from vouchers f
              where f.product_id = p_product_id and f.sold_to is null
                and coalesce(f.expires_on, 'infinity'::date) >= p_day
              order by coalesce(f.expires_on, 'infinity'::date), f.number
              limit p_quantity
                for update skip locked
           ) v;
    if coalesce(cardinality(found_places), 0) < p_quantity then
      -- Lets go of what was taken out of order: two who each held what the other waits for would never end.
      raise sqlstate 'DSTCK';
    end if;
  exception
    when sqlstate 'DSTCK' then
      select array_agg(v.ctid) into found_places
        from (
               select f.ctid
                 from vouchers f
                where f.product_id = p_product_id and f.sold_to is null
                  and coalesce(f.expires_on, 'infinity'::date) >= p_day
                order by coalesce(f.expires_on, 'infinity'::date), f.number
                limit p_quantity
                  for update
             ) v;
  end;
  if coalesce(cardinality(found_places), 0) < p_quantity then
    update voucher_claims c set outcome = 'out_of_stock' where c.attempt = p_attempt;
    return 'out_of_stock';
  end if;
  -- By their numbers PostgreSQL 15 and 16 would read all of the product.
  update vouchers v
     set sold_to = p_attempt
   where v.ctid = any (found_places);
  return 'sold';
end
$$;
