-- Of which sale a token, PIN, code or eSIM is: what a supplier hands to one sale and then to another goes to a person.

create table delivered_codes (
  code bigint primary key,
  wallet_id integer not null,
  purchase_id bigint not null
);
comment on table delivered_codes is
  'owner: purchases. What live sales handed over, each piece once: the sale that a supplier named it for first. '
  'For good.';
comment on column delivered_codes.code is
  'Keyed hash of the token, PIN, code or eSIM, however it is grouped: without the encryption key it says nothing.';
comment on column delivered_codes.wallet_id is 'The wallet of its sale.';
comment on column delivered_codes.purchase_id is 'Its sale.';

-- Rows are written by position (codeRows in domain/purchases/settle-queries.ts).
create type settlement_code as (
  ordinal integer,
  wallet_id integer,
  purchase_id bigint,
  code bigint
);
comment on type settlement_code is 'A piece of what an end hands over, as settle_purchases takes it.';
comment on column settlement_code.ordinal is 'The item of the batch that hands it over, from 1.';
comment on column settlement_code.wallet_id is 'The wallet.';
comment on column settlement_code.purchase_id is 'The purchase.';
comment on column settlement_code.code is 'delivered_codes.code.';
