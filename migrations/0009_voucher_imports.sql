-- Imports of vouchers through the console: a file is read, sealed and looked through before any of it is for sale.

create table voucher_imports (
  id integer generated always as identity primary key,
  product_id integer not null references products,
  batch text not null check (length(batch) between 1 and 200),
  made_by text not null check (length(made_by) between 1 and 200),
  state text not null default 'reading' check (state in ('reading', 'ready', 'unreadable', 'on_sale', 'cancelled')),
  lines_total integer not null check (lines_total >= 0),
  lines_read integer not null default 0,
  vouchers integer not null default 0,
  digest bytea check (octet_length(digest) = 32),
  fault text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  constraint voucher_imports_known_once_read check (digest is not null or state not in ('ready', 'on_sale'))
);
comment on table voucher_imports is
  'owner: suppliers. Files of vouchers that somebody uploaded, and what became of them. Kept for 30 days.';
comment on column voucher_imports.id is 'Its number.';
comment on column voucher_imports.product_id is 'The product that the vouchers are of.';
comment on column voucher_imports.batch is 'The file''s name.';
comment on column voucher_imports.made_by is 'Who uploaded it.';
comment on column voucher_imports.state is
  'reading: its process reads it, or has died. ready: all of it can be put on sale. unreadable: it can''t be.';
comment on column voucher_imports.lines_total is 'About how many lines the file has.';
comment on column voucher_imports.lines_read is 'How many of them were read so far.';
comment on column voucher_imports.vouchers is 'How many of its lines are new vouchers.';
comment on column voucher_imports.digest is
  'SHA-256 of its vouchers'' fingerprints in the order of their lines: what a second person approves.';
comment on column voucher_imports.fault is 'Why it could not be read, in a sentence. Null where it could.';
comment on column voucher_imports.started_at is 'When it was uploaded.';
comment on column voucher_imports.seen_at is 'When its process was last at it.';
comment on column voucher_imports.ended_at is 'When it was put on sale or cancelled. Null before.';

create table voucher_import_rows (
  import_id integer not null references voucher_imports on delete cascade,
  line integer not null check (line > 0),
  product_id integer not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  sealed text not null,
  expires_on date,
  primary key (import_id, line),
  constraint voucher_import_rows_once unique (import_id, fingerprint)
);
comment on table voucher_import_rows is
  'owner: suppliers. Vouchers that nobody can buy yet. They go to the table vouchers in one commit, all of an import.';
comment on column voucher_import_rows.import_id is 'The import.';
comment on column voucher_import_rows.line is 'The line of the file, as an editor counts.';
comment on column voucher_import_rows.product_id is 'The product, which the voucher is sealed for.';
comment on column voucher_import_rows.fingerprint is 'HMAC-SHA-256 of biller and code.';
comment on column voucher_import_rows.sealed is 'As in vouchers.sealed.';
comment on column voucher_import_rows.expires_on is 'The last day on which it may be sold. Null: it does not expire.';

create table voucher_import_faults (
  import_id integer not null references voucher_imports on delete cascade,
  line integer not null check (line > 0),
  because text not null check (length(because) between 1 and 200),
  primary key (import_id, line)
);
comment on table voucher_import_faults is 'owner: suppliers. Lines of an import that are no new vouchers.';
comment on column voucher_import_faults.import_id is 'The import.';
comment on column voucher_import_faults.line is 'The line of the file, as an editor counts.';
comment on column voucher_import_faults.because is 'Why it is none. Nothing of the line itself.';
