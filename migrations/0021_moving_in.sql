-- Moving in from an older script, in two commits: first merchants and prices, at the switch their balances and tokens.
-- What was read is kept, so that a second person can approve it and one command can take it back. Amounts in kobo.

create table move_ins (
  id integer generated always as identity primary key,
  digest bytea not null check (length(digest) = 32),
  state text not null default 'prepared' check (state in ('prepared', 'moved', 'undone')),
  switch_digest bytea check (length(switch_digest) = 32),
  switched_by text check (length(switched_by) between 1 and 100),
  made_by text not null check (length(made_by) between 1 and 100),
  approved_by text check (length(approved_by) between 1 and 100),
  networks text,
  price_change_id integer references changes on delete set null,
  made_at timestamptz not null,
  moved_at timestamptz,
  undone_at timestamptz,
  undone_by text check (length(undone_by) between 1 and 100),
  constraint move_ins_moved_at_a_time check (state <> 'moved' or moved_at is not null),
  constraint move_ins_switched_by_somebody check (
    num_nonnulls(switched_by, switch_digest) in (0, 2) and (state <> 'moved' or switched_by is not null)
  ),
  constraint move_ins_undone_by_somebody check ((state = 'undone') = (undone_at is not null and undone_by is not null))
);
comment on table move_ins is
  'owner: moving-in. Moves of the merchants of an older script: merchants first, their balances at the switch.';
comment on column move_ins.id is 'Its number.';
comment on column move_ins.digest is 'SHA-256 of the plan by which the merchants came.';
comment on column move_ins.state is
  'prepared: merchants and prices are here. moved: their balances and tokens too. undone: all is taken back.';
comment on column move_ins.switch_digest is
  'SHA-256 of the plan by which balances and tokens come, once somebody asked for the switch. Null before.';
comment on column move_ins.switched_by is 'Who switches, as the audit log names people. Null before.';
comment on column move_ins.made_by is 'Who brought the merchants, as the audit log names people.';
comment on column move_ins.approved_by is 'The second person of the switch. Null where one person switched alone.';
comment on column move_ins.networks is
  'How the older script numbers networks, as in merchants.legacy_data_networks. Null: in the usual way.';
comment on column move_ins.price_change_id is 'The change of prices that came with the merchants. Null where none did.';
comment on column move_ins.made_at is 'When the merchants came.';
comment on column move_ins.moved_at is 'When balances and tokens came. Null before.';
comment on column move_ins.undone_at is 'When it was taken back.';
comment on column move_ins.undone_by is 'Who took it back.';

-- The same plan is moved once, until it is taken back.
create unique index move_ins_once
  on move_ins (digest)
  where state <> 'undone';

create table move_in_merchants (
  move_id integer not null references move_ins,
  line integer not null check (line > 0),
  older_id text not null check (length(older_id) between 1 and 255),
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 254 and email = lower(email)),
  balance bigint not null check (balance between 0 and 1000000000000),
  token_hash bytea check (length(token_hash) = 32),
  token_first text check (length(token_first) = 4),
  token_last text check (length(token_last) = 4),
  price_tier smallint not null check (price_tier between 1 and 9),
  new_tier smallint check (new_tier between 1 and 9),
  blocked_by text check (length(blocked_by) between 1 and 200),
  is_left_out boolean not null default false,
  merchant_id integer references merchants,
  seq_after bigint,
  primary key (move_id, line),
  constraint move_in_merchants_email_once unique (move_id, email),
  constraint move_in_merchants_whole_token check (num_nonnulls(token_hash, token_first, token_last) in (0, 3)),
  constraint move_in_merchants_moved_whole check (num_nonnulls(merchant_id, seq_after) in (0, 2))
);
comment on table move_in_merchants is 'owner: moving-in. The merchants of a move. Amounts in kobo.';
comment on column move_in_merchants.move_id is 'The move.';
comment on column move_in_merchants.line is 'Their order, from 1.';
comment on column move_in_merchants.older_id is
  'The user''s number in the older script, or its email where it has none.';
comment on column move_in_merchants.name is 'As in merchants.';
comment on column move_in_merchants.email is 'The same, in lower case.';
comment on column move_in_merchants.balance is
  'The opening balance of the live wallet, by the export that was made for the switch. 0 before.';
comment on column move_in_merchants.token_hash is
  'SHA-256 of the older script''s token: the shadow knows its merchant by it, and it is a key from the switch on.';
comment on column move_in_merchants.token_first is 'Its first four characters, by which a person recognises it.';
comment on column move_in_merchants.token_last is 'Its last four.';
comment on column move_in_merchants.price_tier is 'The tier that the user''s type was mapped to.';
comment on column move_in_merchants.new_tier is
  'The tier of its type in the export for the switch. Null: the type has not changed since the merchant came.';
comment on column move_in_merchants.blocked_by is
  'What in the export says that the user may not buy, such as is_active f. Null: it may.';
comment on column move_in_merchants.is_left_out is
  'The export for the switch has not the user, or something of it does not fit: it gets neither balance nor token.';
comment on column move_in_merchants.merchant_id is 'The merchant here. Null until it is moved.';
comment on column move_in_merchants.seq_after is
  'The number that the live wallet''s last entry has if only the move booked: any other is a movement besides.';
create index move_in_merchants_by_merchant on move_in_merchants (merchant_id);
create index move_in_merchants_by_token on move_in_merchants (token_hash) where token_hash is not null;

create table move_in_prices (
  move_id integer not null references move_ins,
  product_id integer not null references products,
  tier smallint not null check (tier between 1 and 9),
  price bigint not null check (price > 0),
  primary key (move_id, product_id, tier)
);
comment on table move_in_prices is 'owner: moving-in. The prices of a move. Amounts in kobo.';
comment on column move_in_prices.move_id is 'The move.';
comment on column move_in_prices.product_id is 'The product that the older script''s plan is here.';
comment on column move_in_prices.tier is 'The tier that pays it.';
comment on column move_in_prices.price is 'What one costs.';
