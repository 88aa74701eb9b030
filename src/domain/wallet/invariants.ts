interface Invariant {
  readonly name: string;
  /** The promise in words. */
  readonly promise: string;
  /** A query that returns the rows that break it. */
  readonly text: string;
}

/** What must hold at every moment, each as a query that must return no row. Numbered as in `ARCHITECTURE.md`. */
export const invariants: readonly Invariant[] = [
  {
    name: "1_balances",
    promise: "1 balance and seq equal the entries",
    text: `
      select w.merchant_id, w.mode, w.balance, w.seq, coalesce(sum(e.delta), 0) as entries_sum, count(e.seq) as entries
        from wallets w
        left join ledger_entries e using (bucket, merchant_id, mode)
       group by w.bucket, w.merchant_id, w.mode
      having w.balance <> coalesce(sum(e.delta), 0) or w.seq <> count(e.seq)`,
  },
  {
    name: "1_credits",
    promise: "1 every booked credit is one entry of its wallet, with its amount",
    text: `
      select c.merchant_id, c.id as credit_id, c.amount, e.kind, e.delta
        from wallet_credits c
        left join ledger_entries e
          on e.bucket = c.bucket and e.merchant_id = c.merchant_id and e.mode = 'live' and e.seq = c.entry_seq
       where c.status = 'booked'
         and (e.kind is distinct from 'top_up' or e.delta is distinct from c.amount)`,
  },
  {
    name: "2_chain",
    promise: "2 entries form a gapless chain with a true running balance",
    text: `
      select chain.merchant_id, chain.mode, chain.seq, chain.balance_after, chain.running, chain.position
        from (
               select e.merchant_id, e.mode, e.seq, e.balance_after,
                      sum(e.delta) over entry_order as running,
                      row_number() over entry_order as position
                 from ledger_entries e
               window entry_order as (partition by e.bucket, e.merchant_id, e.mode order by e.seq)
             ) chain
       where chain.seq <> chain.position or chain.balance_after <> chain.running`,
  },
  {
    name: "3_debits",
    promise: "3 every purchase has exactly its own debit and every debit its purchase",
    text: `
      select coalesce(p.merchant_id, e.merchant_id) as merchant_id, coalesce(p.mode, e.mode) as mode,
             coalesce(p.id, e.purchase_id) as purchase_id, p.total, e.debited, e.debits
        from purchases p
        full join (
               select bucket, merchant_id, mode, purchase_id, sum(amount) as debited, count(*) as debits
                 from ledger_entries
                where kind = 'purchase'
                group by bucket, merchant_id, mode, purchase_id
             ) e
          on e.bucket = p.bucket and e.merchant_id = p.merchant_id and e.mode = p.mode and e.purchase_id = p.id
       where (p.id is null and not exists (
                select 1
                  from purged_purchases g
                 where g.bucket = e.bucket and g.merchant_id = e.merchant_id and g.mode = e.mode
                   and e.purchase_id <= g.last_id
             ))
          or (p.id is not null and (e.debits is distinct from 1 or e.debited <> p.total))`,
  },
  {
    name: "4_refunds",
    promise: "4 failed means exactly one refund of the same amount, and nothing else is refunded",
    text: `
      select p.merchant_id, p.mode, p.id as purchase_id, p.status, p.total, e.refunded, e.refunds
        from purchases p
        left join (
               select bucket, merchant_id, mode, purchase_id, sum(amount) as refunded, count(*) as refunds
                 from ledger_entries
                where kind = 'refund'
                group by bucket, merchant_id, mode, purchase_id
             ) e
          on e.bucket = p.bucket and e.merchant_id = p.merchant_id and e.mode = p.mode and e.purchase_id = p.id
       where (p.status = 'failed') <> (e.refunds is not null)
          or e.refunds > 1
          or e.refunded <> p.total`,
  },
  {
    name: "4_reversals",
    promise: "4 only a successful purchase is reversed, once and by its amount",
    text: `
      select e.merchant_id, e.mode, e.purchase_id, p.status, p.total, sum(e.amount) as reversed
        from ledger_entries e
        left join purchases p
          on p.bucket = e.bucket and p.merchant_id = e.merchant_id and p.mode = e.mode and p.id = e.purchase_id
       where e.kind = 'reversal'
       group by e.bucket, e.merchant_id, e.mode, e.purchase_id, p.status, p.total
      having p.status is distinct from 'successful' or sum(e.amount) <> p.total`,
  },
  {
    name: "5_pending",
    promise: "5 the pending purchases are exactly those in flight, with the same attempt",
    text: `
      select coalesce(p.merchant_id, f.merchant_id) as merchant_id, coalesce(p.id, f.purchase_id) as purchase_id,
             p.status, f.step, p.attempt, f.attempt as attempt_in_flight
        from (select bucket, merchant_id, mode, id, status, attempt from purchases where status = 'pending') p
        full join inflight f
          on f.bucket = p.bucket and f.merchant_id = p.merchant_id and f.mode = p.mode and f.purchase_id = p.id
       where p.id is null or f.purchase_id is null or p.attempt <> f.attempt`,
  },
  {
    name: "6_events",
    promise: "6 every end that owed an event has its event, once, and no event lacks its end",
    text: `
      select p.merchant_id, p.mode, p.id as purchase_id, p.status, null as event
        from purchases p
        left join webhook_deliveries d
          on d.bucket = p.bucket and d.merchant_id = p.merchant_id and d.mode = p.mode and d.id = p.delivery_id
         and d.subject_id = p.id and d.event = 'transaction.' || p.status and d.endpoint_number = 1
       where p.delivery_id is not null and d.id is null
       union all
      select p.merchant_id, p.mode, p.id, p.status, null
        from purchases p
        left join webhook_deliveries d
          on d.bucket = p.bucket and d.merchant_id = p.merchant_id and d.mode = p.mode and d.subject_id = p.id
         and d.event = 'transaction.' || p.status and d.endpoint_number > 1 and d.id = any (p.further_delivery_ids)
       where p.further_delivery_ids is not null
       group by p.bucket, p.merchant_id, p.mode, p.id, p.status, p.further_delivery_ids
      having count(distinct d.endpoint_number) <> cardinality(p.further_delivery_ids)
       union all
      select d.merchant_id, d.mode, d.subject_id, null, d.event
        from webhook_deliveries d
        left join purchases p
          on p.bucket = d.bucket and p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.subject_id
         and (p.delivery_id = d.id or d.id = any (p.further_delivery_ids))
        left join purged_purchases g
          on g.bucket = d.bucket and g.merchant_id = d.merchant_id and g.mode = d.mode and g.last_id >= d.subject_id
       where d.event in ('transaction.successful', 'transaction.failed')
         and not d.is_example
         and p.id is null
         and g.last_id is null`,
  },
  {
    name: "6_owed",
    promise: "6 no delivery is owed twice at once",
    text: `
      select o.merchant_id, o.mode, o.delivery_id, array_agg(o.lane) as lanes
        from webhook_outbox o
       group by o.bucket, o.merchant_id, o.mode, o.delivery_id
      having count(*) > 1`,
  },
  {
    name: "6_bulk_orders",
    promise: "6 a bulk order knows how many of its lines are open",
    text: `
      select b.merchant_id, b.mode, b.reference, b.open_lines, count(p.id) as pending
        from bulk_orders b
        left join purchases p
          on p.bucket = b.bucket and p.merchant_id = b.merchant_id and p.mode = b.mode
         and p.bulk_reference = b.reference and p.status = 'pending'
       group by b.bucket, b.merchant_id, b.mode, b.id, b.reference, b.open_lines
      having b.open_lines <> count(p.id)`,
  },
  {
    name: "7_clearing",
    promise: "7 the clearing account holds the value neither refunded nor settled to suppliers",
    text: `
      select clearing.mode, clearing.held, sold.value
        from (
               select mode, sum(case when credit_account = 'clearing' then amount else -amount end) as held
                 from ledger_entries
                where 'clearing' in (debit_account, credit_account)
                group by mode
             ) clearing
        full join (
               select s.mode, sum(s.value) as value
                 from (
                        select mode, total as value from purchases where status <> 'failed'
                         union all
                        select mode, -amount from ledger_entries where kind = 'reversal'
                         union all
                        select mode, value_kept from purged_purchases
                      ) s
                group by s.mode
             ) sold
          on sold.mode = clearing.mode
       where coalesce(clearing.held, 0) <> coalesce(sold.value, 0)`,
  },
  {
    name: "8_counts",
    promise: "8 maintained counts are exact",
    text: `
      select w.merchant_id, w.mode, w.purchase_count, count(p.id) as purchases, w.purchase_number, max(p.number) as last
        from wallets w
        left join purchases p using (bucket, merchant_id, mode)
       group by w.bucket, w.merchant_id, w.mode
      having w.purchase_count <> count(p.id)
          or w.purchase_number < coalesce(max(p.number), 0)
          or count(distinct p.number) <> count(p.id)`,
  },
  {
    name: "8_counts_by_product",
    promise: "8 counts by day, product, status and channel are exact up to where they are said to be",
    text: `
      select coalesce(c.merchant_id, p.merchant_id) as merchant_id, coalesce(c.mode, p.mode) as mode,
             coalesce(c.day, p.day) as day, coalesce(c.product_id, p.product_id) as product_id,
             coalesce(c.status, p.status) as status, coalesce(c.channel, p.channel) as channel,
             c.purchases as counted, p.purchases, c.charged as counted_charge, p.charged, c.first_id, c.last_id
        from purchase_counts c
        full join (
               select p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel,
                      count(*) as purchases, sum(p.total) as charged, min(p.id) as first_id, max(p.id) as last_id
                 from purchases p
                 join wallets w
                   on w.bucket = p.bucket and w.merchant_id = p.merchant_id and w.mode = p.mode and w.counted_id >= p.id
                cross join lateral (values (-1), (purchase_day(p.id))) as levels (day)
                where p.status <> 'pending'
                group by p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel
             ) p
          on p.bucket = c.bucket and p.merchant_id = c.merchant_id and p.mode = c.mode and p.day = c.day
         and p.product_id = c.product_id and p.status = c.status and p.channel = c.channel
       where coalesce(c.purchases, 0) <> coalesce(p.purchases, 0)
          or coalesce(c.charged, 0) <> coalesce(p.charged, 0)
          or p.first_id < c.first_id
          or p.last_id > c.last_id`,
  },
  {
    name: "9_vended_once",
    promise: "9 no purchase has two vended attempts",
    text: `
      select merchant_id, mode, purchase_id, count(*) as vended
        from vend_attempts
       where verdict = 'vended'
       group by bucket, merchant_id, mode, purchase_id
      having count(*) > 1`,
  },
  {
    name: "10_evidence",
    promise: "10 a live purchase ends only as its last attempt's evidence says",
    text: `
      select p.merchant_id, p.id as purchase_id, p.status, a.verdict
        from purchases p
        left join vend_attempts a
          on a.bucket = p.bucket and a.merchant_id = p.merchant_id and a.mode = p.mode and a.purchase_id = p.id
         and a.attempt = p.attempt
       where p.mode = 'live'
         and p.status <> 'pending'
         and a.verdict is distinct from case when p.status = 'successful' then 'vended' else 'declined' end`,
  },
  {
    name: "10_rerouted",
    promise: "10 every attempt before the last was declined, each by another supplier, and none was left out",
    text: `
      select p.merchant_id, p.id as purchase_id, p.attempt, count(a.attempt) as declined,
             count(distinct a.supplier) as suppliers
        from purchases p
        left join vend_attempts a
          on a.bucket = p.bucket and a.merchant_id = p.merchant_id and a.mode = p.mode and a.purchase_id = p.id
         and a.attempt < p.attempt and a.verdict = 'declined' and a.supplier <> p.supplier
       where p.attempt > 1
       group by p.bucket, p.merchant_id, p.mode, p.id, p.attempt
      having count(a.attempt) <> p.attempt - 1 or count(distinct a.supplier) <> p.attempt - 1`,
  },
  {
    name: "11_sandbox",
    promise: "11 sandbox never reaches a supplier",
    text: `
      select merchant_id, purchase_id, supplier
        from vend_attempts
       where mode = 'test'`,
  },
  {
    name: "12_overdue",
    promise: "12 nothing is overdue by more than five minutes outside review",
    text: `
      select merchant_id, mode, purchase_id, step, due_at
        from inflight
       where step <> 'review' and due_at < now() - interval '5 minutes'`,
  },
  {
    name: "13_net",
    promise: "13 balance after equals balance before minus what was deducted",
    text: `
      select p.merchant_id, p.mode, p.id as purchase_id, p.balance_before, p.total, e.balance_after
        from purchases p
        join ledger_entries e
          on e.bucket = p.bucket and e.merchant_id = p.merchant_id and e.mode = p.mode and e.purchase_id = p.id
         and e.kind = 'purchase'
       where e.balance_after <> p.balance_before - p.total`,
  },
];
