-- What lists can be filtered by, without reading all that there is.
-- Channels are counted in advance, as products and statuses are. Customers and phones have indexes.

-- What counts takes a channel now, and pages are found by list_purchases_by_facts.
drop function if exists count_purchases_by_facts(
  smallint, integer, text, text, integer[], bigint, bigint, integer, integer, bigint[], bigint[]
);
drop function if exists find_page_start(smallint, integer, text, text, integer[], integer, bigint);

-- The counts are made anew: none of them knows its channel, or where its purchases lie.
delete from purchase_counts;
alter table purchase_counts
  drop constraint purchase_counts_pkey,
  add column channel text not null check (channel in ('api', 'dashboard', 'bulk', 'legacy')),
  -- Every purchase that is counted here lies between them; where few are, little is read to find them.
  add column first_id bigint not null,
  add column last_id bigint not null,
  add primary key (bucket, merchant_id, mode, day, product_id, status, channel);
comment on table purchase_counts is
  'owner: purchases. Final purchases up to the wallet''s counted_id, by day, product, status and channel.';

insert into purchase_counts (
  bucket, merchant_id, mode, day, product_id, status, channel, purchases, first_id, last_id
)
select p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel, count(*), min(p.id), max(p.id)
  from purchases p
  join wallets w
    on w.bucket = p.bucket and w.merchant_id = p.merchant_id and w.mode = p.mode and w.counted_id >= p.id
 -- As `purchase_day`, which is made after the migrations.
 cross join lateral (values (-1), ((((p.id >> 22) + 3600000) / 86400000)::integer)) as levels (day)
 where p.status <> 'pending'
 group by p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel;

-- Every purchase enters one of them, so they are as small as can be: two numbers before the id instead of the wallet
-- and the text, which rows are compared with afterwards. The first number is a span of fifty days (an id carries its
-- time): customers lie scattered, and new purchases shall meet the pages of the youngest span, not those of all years.
create index purchases_by_customer
  on purchases (((id >> 54)::integer), (hashtext(customer_ref) # merchant_id), id)
  where customer_ref is not null;

-- Mostly the customer is the phone; only where it is not, the phone has an entry of its own.
create index purchases_by_phone
  on purchases (((id >> 54)::integer), (hashtext(phone) # merchant_id), id)
  where phone is distinct from customer_ref and phone is not null;
