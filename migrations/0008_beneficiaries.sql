-- Customer numbers that a merchant keeps, so that a purchase can name one by its id.

create table beneficiaries (
  bucket smallint not null,
  merchant_id integer not null,
  -- `ben_` and a ULID: newest last, and nobody can tell another's.
  id text collate "C" not null check (id ~ '^ben_[0-9A-HJKMNP-TV-Z]{26}$'),
  label text not null check (length(label) between 1 and 100),
  category text not null check (
    category in (
      'data', 'airtime', 'electricity', 'cable', 'education', 'giftcard', 'esim', 'betting', 'internet', 'voice',
      'sms', 'recharge_pin'
    )
  ),
  -- As its category's purchases take it, in one spelling.
  customer_ref text collate "C" not null check (length(customer_ref) between 1 and 64),
  biller_slug text collate "C",
  network text check (network in ('MTN', 'GLO', '9MOBILE', 'AIRTEL')),
  meter_type text check (meter_type in ('prepaid', 'postpaid')),
  customer_name text check (length(customer_name) between 1 and 200),
  phone text check (phone ~ '^0[0-9]{10}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (bucket, merchant_id, id),
  -- A number without a biller is one of its own beside the same with one.
  constraint beneficiaries_once unique nulls not distinct (bucket, merchant_id, category, biller_slug, customer_ref)
);
comment on table beneficiaries is
  'owner: beneficiaries. A merchant''s saved customer numbers, at most 10,000; both modes share them.';
