interface Invariant {
  readonly name: string;
  /** The promise in words. */
  readonly promise: string;
  /** A query that returns the rows that break it. */
  readonly text: string;
}

/** Deliveries are dropped with their month (`keep_log_months.sql`): the end of an older purchase has none any more. */
const oldestKeptWebhook = "(select first_delivery_id(min(m.since)) from list_log_months('webhook_deliveries') m)";

/** What must hold at every moment, each as a query that must return no row. Numbered as in `ARCHITECTURE.md`. */
export const invariants: readonly Invariant[] = [
  {
    name: "1_balances",
    promise: "1 balance and seq equal the entries",
    text: `
      select w.wallet_id, w.balance, w.seq, coalesce(sum(e.delta), 0) as entries_sum, count(e.seq) as entries
        from wallets w
        left join ledger_entries e using (wallet_id)
       group by w.wallet_id
      having w.balance <> coalesce(sum(e.delta), 0) or w.seq <> count(e.seq)`,
  },
  {
    name: "1_credits",
    promise: "1 every booked credit is one entry of its wallet, with its amount",
    text: `
      select c.merchant_id, c.id as credit_id, c.amount, e.kind, e.delta
        from wallet_credits c
        left join ledger_entries e
          on e.wallet_id = c.merchant_id and e.seq = c.entry_seq
       where e.kind is distinct from 'top_up'
          or e.delta is distinct from c.amount`,
  },
  {
    name: "1_payments",
    promise: "1 every credited payment is one entry of its wallet, with its amount",
    text: `
      select p.provider, p.payment_id, p.wallet_id, p.credited, e.kind, e.delta
        from payments p
        left join ledger_entries e
          on e.wallet_id = p.wallet_id and e.seq = p.entry_seq
       where p.state = 'credited'
         and (e.kind is distinct from 'top_up' or e.delta is distinct from p.credited)`,
  },
  {
    name: "2_chain",
    promise: "2 entries form a gapless chain with a true running balance",
    text: `
      select chain.wallet_id, chain.seq, chain.balance_after, chain.running, chain.position
        from (
               select e.wallet_id, e.seq, e.balance_after,
                      sum(e.delta) over entry_order as running,
                      row_number() over entry_order as position
                 from ledger_entries e
               window entry_order as (partition by e.wallet_id order by e.seq)
             ) chain
       where chain.seq <> chain.position or chain.balance_after <> chain.running`,
  },
  {
    name: "3_debits",
    promise: "3 every purchase has exactly its own debit and every debit its purchase",
    text: `
      select coalesce(p.wallet_id, e.wallet_id) as wallet_id,
             coalesce(p.id, e.purchase_id) as purchase_id, p.total, e.debited, e.debits
        from purchases p
        full join (
               select wallet_id, purchase_id, sum(amount) as debited, count(*) as debits
                 from ledger_entries
                where kind = 'purchase'
                group by wallet_id, purchase_id
             ) e
          on e.wallet_id = p.wallet_id and e.purchase_id = p.id
       where (p.id is null and not exists (
                select 1
                  from purged_purchases g
                 where g.wallet_id = e.wallet_id
                   and e.purchase_id <= g.last_id
             ))
          or (p.id is not null and (e.debits is distinct from 1 or e.debited <> p.total))`,
  },
  {
    name: "4_refunds",
    promise: "4 failed means exactly one refund of the same amount, and nothing else is refunded",
    text: `
      select p.wallet_id, p.id as purchase_id, p.status, p.total, e.refunded, e.refunds
        from purchases p
        left join (
               select wallet_id, purchase_id, sum(amount) as refunded, count(*) as refunds
                 from ledger_entries
                where kind = 'refund'
                group by wallet_id, purchase_id
             ) e
          on e.wallet_id = p.wallet_id and e.purchase_id = p.id
       where (p.status = 'failed') <> (e.refunds is not null)
          or e.refunds > 1
          or e.refunded <> p.total`,
  },
  {
    name: "4_reversals",
    promise: "4 only a successful purchase is reversed or given back as goodwill, once and by its amount",
    text: `
      select e.wallet_id, e.purchase_id, p.status, p.total, sum(e.amount) as reversed
        from ledger_entries e
        left join purchases p
          on p.wallet_id = e.wallet_id and p.id = e.purchase_id
       where e.kind in ('reversal', 'goodwill')
       group by e.wallet_id, e.purchase_id, p.status, p.total
      having p.status is distinct from 'successful' or sum(e.amount) <> p.total`,
  },
  {
    name: "5_pending",
    promise: "5 the pending purchases are exactly those in flight, with the same attempt",
    text: `
      select coalesce(p.wallet_id, f.wallet_id) as wallet_id, coalesce(p.id, f.purchase_id) as purchase_id,
             p.status, f.step, p.attempt, f.attempt as attempt_in_flight
        from (select wallet_id, id, status, attempt from purchases where status = 'pending') p
        full join inflight f
          on f.wallet_id = p.wallet_id and f.purchase_id = p.id
       where p.id is null or f.purchase_id is null or p.attempt <> f.attempt`,
  },
  {
    name: "6_events",
    promise: "6 every end that owed an event has its event, once, and no event lacks its end",
    text: `
      select p.wallet_id, p.id as purchase_id, p.status, null as event
        from purchases p
        left join webhook_deliveries d
          on d.wallet_id = p.wallet_id and d.id = p.delivery_id
         and d.subject_id = p.id and d.event = 'transaction.' || p.status and d.endpoint_number = 1
       where p.delivery_id >= ${oldestKeptWebhook} and d.id is null
       union all
      select p.wallet_id, p.id, p.status, null
        from purchases p
        left join webhook_deliveries d
          on d.wallet_id = p.wallet_id and d.subject_id = p.id
         and d.event = 'transaction.' || p.status and d.endpoint_number > 1 and d.id = any (p.further_delivery_ids)
       where p.further_delivery_ids[1] >= ${oldestKeptWebhook}
       group by p.wallet_id, p.id, p.status, p.further_delivery_ids
      having count(distinct d.endpoint_number) <> cardinality(p.further_delivery_ids)
       union all
      select d.wallet_id, d.subject_id, null, d.event
        from webhook_deliveries d
        left join purchases p
          on p.wallet_id = d.wallet_id and p.id = d.subject_id
         and (p.delivery_id = d.id or d.id = any (p.further_delivery_ids))
        left join purged_purchases g
          on g.wallet_id = d.wallet_id and g.last_id >= d.subject_id
       where d.event in ('transaction.successful', 'transaction.failed')
         and not d.is_example
         and p.id is null
         and g.last_id is null`,
  },
  {
    name: "6_owed",
    promise: "6 no delivery is owed twice at once",
    text: `
      select o.wallet_id, o.delivery_id, array_agg(o.lane) as lanes
        from webhook_outbox o
       group by o.wallet_id, o.delivery_id
      having count(*) > 1`,
  },
  {
    name: "6_bulk_orders",
    promise: "6 a bulk order knows how many of its lines are open",
    text: `
      select b.wallet_id, b.reference, b.open_lines, count(p.id) as pending
        from bulk_orders b
        left join purchases p
          on p.wallet_id = b.wallet_id
         and p.bulk_reference = b.reference and p.status = 'pending'
       group by b.wallet_id, b.id, b.reference, b.open_lines
      having b.open_lines <> count(p.id)`,
  },
  {
    name: "7_clearing",
    promise: "7 the clearing account holds the value neither refunded nor settled to suppliers",
    text: `
      select is_live, clearing.held, sold.value
        from (
               select wallet_id > 0 as is_live,
                      sum(case when credit_account = 'clearing' then amount else -amount end) as held
                 from ledger_entries
                where 'clearing' in (debit_account, credit_account)
                group by 1
             ) clearing
        full join (
               select s.wallet_id > 0 as is_live, sum(s.value) as value
                 from (
                        select wallet_id, total as value from purchases where status <> 'failed'
                         union all
                        select wallet_id, -amount from ledger_entries where kind = 'reversal'
                         union all
                        select wallet_id, value_kept from purged_purchases
                      ) s
                group by 1
             ) sold using (is_live)
       where coalesce(clearing.held, 0) <> coalesce(sold.value, 0)`,
  },
  {
    name: "8_counts",
    promise: "8 maintained counts are exact",
    text: `
      select w.wallet_id, w.purchase_count, count(p.id) as purchases, w.purchase_number, max(p.number) as last
        from wallets w
        left join purchases p using (wallet_id)
       group by w.wallet_id
      having w.purchase_count <> count(p.id)
          or w.purchase_number < coalesce(max(p.number), 0)
          or count(distinct p.number) <> count(p.id)`,
  },
  {
    name: "8_counts_by_product",
    promise: "8 counts by day, product, status and channel are exact up to where they are said to be",
    text: `
      select coalesce(c.wallet_id, p.wallet_id) as wallet_id,
             coalesce(c.day, p.day) as day, coalesce(c.product_id, p.product_id) as product_id,
             coalesce(c.status, p.status) as status, coalesce(c.channel, p.channel) as channel,
             c.purchases as counted, p.purchases, c.charged as counted_charge, p.charged, c.first_id, c.last_id
        from purchase_counts c
        full join (
               select p.wallet_id, levels.day, p.product_id, p.status, p.channel,
                      count(*) as purchases, sum(p.total) as charged, min(p.id) as first_id, max(p.id) as last_id
                 from purchases p
                 join wallets w
                   on w.wallet_id = p.wallet_id and w.counted_id >= p.id
                cross join lateral (values (-1), (purchase_day(p.id))) as levels (day)
                where p.status <> 'pending'
                group by p.wallet_id, levels.day, p.product_id, p.status, p.channel
             ) p
          on p.wallet_id = c.wallet_id and p.day = c.day
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
      select wallet_id, purchase_id, count(*) as vended
        from vend_attempts
       where verdict = 'vended'
       group by wallet_id, purchase_id
      having count(*) > 1`,
  },
  {
    name: "10_evidence",
    promise: "10 a live purchase ends only as its last attempt's evidence says",
    text: `
      select p.wallet_id, p.id as purchase_id, p.status, a.verdict
        from purchases p
        left join vend_attempts a
          on a.wallet_id = p.wallet_id and a.purchase_id = p.id
         and a.attempt = p.attempt
       where p.wallet_id > 0
         and p.status <> 'pending'
         and a.verdict is distinct from case when p.status = 'successful' then 'vended' else 'declined' end`,
  },
  {
    name: "10_rerouted",
    promise: "10 every attempt before the last was declined, each by another supplier, and none was left out",
    text: `
      select p.wallet_id, p.id as purchase_id, p.attempt, count(a.attempt) as declined,
             count(distinct a.supplier) as suppliers
        from purchases p
        left join vend_attempts a
          on a.wallet_id = p.wallet_id and a.purchase_id = p.id
         and a.attempt < p.attempt and a.verdict = 'declined' and a.supplier <> p.supplier
       where p.attempt > 1
       group by p.wallet_id, p.id, p.attempt
      having count(a.attempt) <> p.attempt - 1 or count(distinct a.supplier) <> p.attempt - 1`,
  },
  {
    name: "11_sandbox",
    promise: "11 sandbox never reaches a supplier",
    text: `
      select wallet_id, purchase_id, supplier
        from vend_attempts
       where wallet_id < 0`,
  },
  {
    name: "12_overdue",
    promise: "12 nothing is overdue by more than five minutes outside review",
    text: `
      select wallet_id, purchase_id, step, due_at
        from inflight
       where step <> 'review' and due_at < now() - interval '5 minutes'`,
  },
  {
    name: "13_net",
    promise: "13 balance after equals balance before minus what was deducted",
    text: `
      select p.wallet_id, p.id as purchase_id, p.balance_before, p.total, e.balance_after
        from purchases p
        join ledger_entries e
          on e.wallet_id = p.wallet_id and e.purchase_id = p.id
         and e.kind = 'purchase'
       where e.balance_after <> p.balance_before - p.total`,
  },
  {
    name: "14_closed_days",
    promise: "14 a closed day's movements and goodwill are what the ledger has of it",
    text: `
      select day, kind, entries, entries_booked, credited, credited_booked, debited, debited_booked
        from list_closed_day_faults()`,
  },
  {
    name: "15_provider",
    promise:
      "15 of each payment its provider holds what it did not keep or give back, and nothing of it was lost on the way",
    text: `
      select p.provider, p.payment_id, p.state, p.amount, p.fee, p.credited, p.taken_back, moved.*
        from payments p
       cross join lateral (
               select coalesce(sum(case 'provider' when e.debit_account then e.amount
                                                   when e.credit_account then -e.amount end), 0) as held,
                      coalesce(sum(case 'suspense' when e.credit_account then e.amount
                                                   when e.debit_account then -e.amount end), 0) as suspended,
                      coalesce(sum(case when e.credit_account in ('funding', 'suspense')
                                             and e.debit_account in ('provider', 'fees') then e.amount end), 0) as told
                 from funding_entries e
                where e.provider = p.provider and e.payment_id = p.payment_id
             ) moved
       where moved.held <> coalesce(p.amount - p.fee - p.taken_back, 0)
          or moved.told <> coalesce(p.credited, 0)
          or moved.suspended <> case when p.state = 'unmatched' then greatest(p.credited - p.taken_back, 0) else 0 end`,
  },
  {
    name: "15_funding",
    promise: "15 what payments and debts moved of a wallet is what its entry says",
    text: `
      select f.wallet_id, f.entry_seq, f.moved, e.kind, e.delta
        from (
               select wallet_id, entry_seq,
                      sum(case 'funding' when credit_account then amount when debit_account then -amount end) as moved
                 from funding_entries
                where 'funding' in (debit_account, credit_account)
                group by wallet_id, entry_seq
             ) f
        left join ledger_entries e
          on e.wallet_id = f.wallet_id and e.seq = f.entry_seq
       where f.moved <> coalesce(e.delta, 0)
          or (f.entry_seq is not null and e.kind is distinct from 'top_up')`,
  },
  {
    name: "15_debts",
    promise: "15 a wallet owes what was taken back, it could not bear, and has not paid since",
    text: `
      select w.wallet_id, w.debt, owed.amount
        from wallets w
        full join (
               select wallet_id,
                      sum(case 'debts' when debit_account then amount when credit_account then -amount end) as amount
                 from funding_entries
                where 'debts' in (debit_account, credit_account)
                group by wallet_id
             ) owed using (wallet_id)
       where coalesce(w.debt, 0) <> coalesce(owed.amount, 0)`,
  },
  {
    name: "15_settlements",
    promise: "15 each settlement moved its line's amount from its provider to the bank once, and no other line did",
    text: `
      select coalesce(l.number, m.line_number) as line, coalesce(l.settlement_of, m.provider) as provider, l.amount, m.moved
        from (select number, settlement_of, amount from statement_lines where settlement_of is not null) l
        full join (
               select line_number, provider,
                      sum(case 'bank' when debit_account then amount when credit_account then -amount end) as moved
                 from funding_entries
                where line_number is not null
                group by line_number, provider
             ) m
          on m.line_number = l.number and m.provider = l.settlement_of
       where coalesce(m.moved, 0) <> coalesce(l.amount, 0)`,
  },
];
