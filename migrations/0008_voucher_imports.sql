-- Imports of vouchers through the console: a file is read and looked through before any of it is for sale.

create table voucher_imports (
  id integer generated always as identity primary key,
  product_id integer not null references products,
  batch text not null check (length(batch) between 1 and 200),
  made_by text not null check (length(made_by) between 1 and 200),
  state text not null default 'reading' check (state in ('reading', 'ready', 'unreadable', 'on_sale', 'cancelled')),
  sealed text,
  is_not_rounded boolean not null default false,
  lines_total integer not null check (lines_total >= 0),
  lines_read integer not null default 0,
  vouchers integer not null default 0,
  faults jsonb not null default '{"counts": [], "lines": []}' check (jsonb_typeof(faults) = 'object'),
  fault text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz
);
comment on table voucher_imports is
  'owner: suppliers. Files of vouchers that somebody uploaded, and what became of them. Kept for 30 days.';
comment on column voucher_imports.id is 'Its number.';
comment on column voucher_imports.product_id is 'The product that the vouchers are of.';
comment on column voucher_imports.batch is 'The file''s name.';
comment on column voucher_imports.made_by is 'Who uploaded it.';
comment on column voucher_imports.state is
  'reading: its process reads it, or has died. ready: all of it can be put on sale. unreadable: it can''t be.';
comment on column voucher_imports.sealed is
  'The file, sealed for this row. Null once it is on sale, cancelled or can''t be read: nobody needs it any more.';
comment on column voucher_imports.is_not_rounded is
  'Somebody said that codes which end in zeros are right as they are.';
comment on column voucher_imports.lines_total is 'About how many lines the file has.';
comment on column voucher_imports.lines_read is 'How many of them were read so far.';
comment on column voucher_imports.vouchers is 'How many of its lines are new vouchers.';
comment on column voucher_imports.faults is
  'Lines that are no new vouchers: how many by the reason, and the first hundred. Nothing of the lines themselves.';
comment on column voucher_imports.fault is 'Why it could not be read, in a sentence. Null where it could.';
comment on column voucher_imports.started_at is 'When it was uploaded.';
comment on column voucher_imports.seen_at is 'When its process was last at it.';
comment on column voucher_imports.ended_at is 'When it was put on sale or cancelled. Null before.';
