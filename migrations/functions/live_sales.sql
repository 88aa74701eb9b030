-- Live sales made from the id p_first_id to before p_before_id, and in rows of their own the money that moved from
-- p_from to before p_until because of sales of any time. A sale that is refunded after it was delivered is none where
-- that happened before p_until, and else counts where it was refunded. What suppliers take in another currency is taken
-- at the rate of the sale.
-- writes: none
create or replace function live_sales(
  p_first_id bigint,
  p_before_id bigint,
  p_from timestamptz,
  p_until timestamptz
)
returns table (
  status text,
  total bigint,
  cost bigint,
  fee bigint,
  product_id integer,
  wallet_id integer,
  supplier text,
  purchased_at timestamptz,
  category text,
  reversal bigint,
  goodwill bigint,
  refunded_later bigint,
  taken_back bigint,
  cost_changes bigint
)
language sql
stable
as $$
  select p.status, p.total, p.cost, p.fee, p.product_id, p.wallet_id, p.supplier, p.purchased_at, b.category,
         r.seq as reversal, null::bigint as goodwill, null::bigint as refunded_later,
         null::bigint as taken_back, null::bigint as cost_changes
    from purchases p
    join products i on i.id = p.product_id
    join billers b on b.slug = i.biller_slug
    left join ledger_entries r
      on r.wallet_id = p.wallet_id and r.purchase_id = p.id and r.kind = 'reversal' and r.created_at < p_until
   where p.wallet_id > 0 and p.id >= p_first_id and p.id < p_before_id
   union all
  select null, null, null, null, p.product_id, p.wallet_id, p.supplier, e.created_at, b.category, null,
         case when e.kind = 'goodwill' then e.amount end,
         case when e.kind = 'reversal' then e.amount end,
         null,
         case when e.kind = 'reversal' then -p.cost end
    from ledger_entries e
    join purchases p on p.wallet_id = e.wallet_id and p.id = e.purchase_id
    join products i on i.id = p.product_id
    join billers b on b.slug = i.biller_slug
   where e.kind in ('reversal', 'goodwill')
     and e.wallet_id > 0
     and e.created_at >= p_from and e.created_at < p_until
     and (e.kind = 'goodwill' or p.id < p_first_id)
   union all
  select null, null, null, null, p.product_id, p.wallet_id, d.supplier, d.ended_at, b.category, null, null, null,
         case when d.act = 'take_back' then p.total end,
         ((coalesce(d.theirs, 0) - coalesce(d.ours, 0))
           * coalesce(split_part(p.foreign_cost, ' at ', 2)::numeric, 1))::bigint
    from reconciliation_differences d
    left join purchases p on p.id = d.purchase_id and p.wallet_id > 0
    left join products i on i.id = p.product_id
    left join billers b on b.slug = i.biller_slug
   where (d.ended_as = 'written_off' or d.act in ('accept', 'take_back'))
     and d.ended_at >= p_from and d.ended_at < p_until
$$;
