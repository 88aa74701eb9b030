-- What is left of our money at each supplier, asked every few minutes by one process, and below what an operator wants
-- to be told.
create table supplier_balances (
  supplier text primary key references suppliers,
  -- Kobo, as the supplier told it last, and when. Null until it has.
  balance bigint,
  told_at timestamptz,
  -- When it was asked last, answered or not: that is also the turn of the process that asks. Null: never.
  asked_at timestamptz,
  -- Kobo: below this, operators are told. Null: never.
  alarm_below bigint check (alarm_below > 0),
  constraint supplier_balances_have_their_time check (num_nonnulls(balance, told_at) in (0, 2))
);
comment on table supplier_balances is
  'owner: routing. The last balance that each supplier told of our money there, and below what it is too little.';
