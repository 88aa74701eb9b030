-- Ends that people decide: of many sales in review at once, and of each difference between our books and a supplier's.

create table reconciliation_differences (
  id integer generated always as identity primary key,
  supplier text not null,
  key bytea not null check (octet_length(key) = 32),
  kind text not null check (kind in ('ours_only', 'theirs_only', 'amounts_differ')),
  reference text,
  purchase_id bigint,
  attempt smallint,
  provider_reference text,
  ours bigint,
  theirs bigint,
  note text not null,
  from_day date not null,
  to_day date not null,
  found_at timestamptz not null default now(),
  found_by text not null,
  seen_at timestamptz not null default now(),
  ended_as text check (ended_as in ('ours', 'theirs', 'written_off')),
  act text check (act in ('fulfil', 'review', 'refund', 'take_back', 'accept')),
  reason text,
  case_number text,
  ended_at timestamptz,
  ended_by text,
  approved_by text,
  constraint reconciliation_differences_once unique (supplier, key),
  constraint reconciliation_differences_end_whole check (
    (ended_as is null) = (ended_at is null) and (ended_as is null) = (ended_by is null)
    and (ended_as is null) = (reason is null)
  ),
  constraint reconciliation_differences_acts check ((ended_as is not distinct from 'ours') = (act is not null)),
  constraint reconciliation_differences_claims
    check ((ended_as is not distinct from 'theirs') = (case_number is not null))
);
comment on table reconciliation_differences is
  'owner: history. Differences between our books and a supplier''s statement that were kept, each with its end.';
comment on column reconciliation_differences.id is 'Its number.';
comment on column reconciliation_differences.supplier is 'Whose statement.';
comment on column reconciliation_differences.key is
  'SHA-256 of kind, names, amounts and which of several alike: by it the same difference is found in a later upload.';
comment on column reconciliation_differences.kind is 'ours_only, theirs_only or amounts_differ.';
comment on column reconciliation_differences.reference is
  'How the statement calls the sale, or would; null where unknown.';
comment on column reconciliation_differences.purchase_id is 'Our sale. Null where there is none.';
comment on column reconciliation_differences.attempt is
  'The attempt at the supplier. Null where there is no sale of ours.';
comment on column reconciliation_differences.provider_reference is
  'The supplier''s own name for it; null where unknown.';
comment on column reconciliation_differences.ours is
  'Kobo by our books, or hundredths of the supplier''s currency. Null: none.';
comment on column reconciliation_differences.theirs is
  'The same by the statement. Null: none, or not readable.';
comment on column reconciliation_differences.note is 'Why the two sides differ, as the comparison said it.';
comment on column reconciliation_differences.from_day is 'The first day that was compared.';
comment on column reconciliation_differences.to_day is 'The last day that was compared.';
comment on column reconciliation_differences.found_at is 'When it was kept first.';
comment on column reconciliation_differences.found_by is 'The person who kept it.';
comment on column reconciliation_differences.seen_at is 'When an upload had it last.';
comment on column reconciliation_differences.ended_as is
  'ours: we were wrong. theirs: claimed from the supplier. written_off. Null while it is open.';
comment on column reconciliation_differences.act is
  'Where we were wrong, what was done: fulfil, review, refund, take_back, or accept the supplier''s amount.';
comment on column reconciliation_differences.reason is 'Why it ended so, in a person''s words.';
comment on column reconciliation_differences.case_number is 'The supplier''s number of our claim.';
comment on column reconciliation_differences.ended_at is 'When it ended. Null while it is open.';
comment on column reconciliation_differences.ended_by is 'The person who decided the end.';
comment on column reconciliation_differences.approved_by is
  'The second person. Null where none was needed, or there was none.';
create index reconciliation_differences_open on reconciliation_differences (id) where ended_as is null;
create unique index reconciliation_differences_moved_once on reconciliation_differences (purchase_id, act)
  where act in ('refund', 'take_back');
