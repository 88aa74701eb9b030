-- What was charged for the purchases that are counted, beside how many they are: money a day is read from the counts.

-- Nobody counts while what was counted is added up.
lock table purchase_counts in share row exclusive mode;

alter table purchase_counts add column charged bigint not null default 0 check (charged >= 0);
comment on column purchase_counts.charged is
  'What wallets were charged for these purchases, in kobo. What failed was refunded as much.';

update purchase_counts c
   set charged = p.charged
  from (
         select p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel, sum(p.total) as charged
           from purchases p
           join wallets w
             on w.bucket = p.bucket and w.merchant_id = p.merchant_id and w.mode = p.mode and w.counted_id >= p.id
          -- As purchase_day, which a new database gets after this.
          cross join lateral (values (-1), ((((p.id >> 22) + 3600000) / 86400000)::integer)) as levels (day)
          where p.status <> 'pending'
          group by p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel
       ) p
 where c.bucket = p.bucket
   and c.merchant_id = p.merchant_id
   and c.mode = p.mode
   and c.day = p.day
   and c.product_id = p.product_id
   and c.status = p.status
   and c.channel = p.channel;
