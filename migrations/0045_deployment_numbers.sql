-- Two databases make the same purchase ids: the number of a process begins at 0 in each. Two deployments with one
-- account at a supplier therefore sent the same references, and each took the other's sale for its own. A deployment's
-- number, drawn by chance, tells their transaction ids and references apart.

create table deployment_numbers (
  -- Purchases of before the first row carry none; those of a row, its number, up to the next row.
  from_purchase_id bigint primary key check (from_purchase_id & 4194303 = 0),
  -- Null until the next start draws it: databases that are copies of one, which nobody started, draw one each.
  number bigint check (number between 0 and 4294967295)
);
comment on table deployment_numbers is
  'owner: purchases. What tells this deployment''s transaction ids from others'', by the first purchase that has it.';

-- The next millisecond after all that was bought.
insert into deployment_numbers (from_purchase_id)
select coalesce((max(newest.id) >> 22) + 1, 0) << 22
  from (
         select p.id
           from wallets w
          cross join lateral (
                  select max(p.id) as id
                    from purchases p
                   where p.bucket = w.bucket and p.merchant_id = w.merchant_id and p.mode = w.mode and p.id > 0
                ) p
         union all
         select max(o.id) from bulk_orders o
       ) newest;
