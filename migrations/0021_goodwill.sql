-- Goodwill: the price of a delivered sale that the company gives back by its own choice, once a sale.

alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  drop constraint ledger_entries_name_their_purchase,
  add constraint ledger_entries_kind_check check (
    kind in ('top_up', 'purchase', 'refund', 'reversal', 'goodwill', 'adjustment', 'sandbox_reset')
  ),
  add constraint ledger_entries_name_their_purchase check (
    (kind in ('purchase', 'refund', 'reversal', 'goodwill')) = (purchase_id is not null)
  );

create unique index ledger_entries_one_goodwill
  on ledger_entries (wallet_id, purchase_id)
  where kind = 'goodwill';
