-- Staff: who may do what in the company's own console, and what one person asks for and another one approves.

create table staff (
  person_id integer primary key,
  realm text not null default 'staff' check (realm = 'staff'),
  role text not null check (role in ('admin', 'finance', 'catalogue', 'support')),
  created_at timestamptz not null,
  constraint staff_are_people foreign key (person_id, realm) references people (id, realm) on delete cascade
);
comment on table staff is
  'owner: staff. People who run the service in the company''s console. One who is removed has no row any more.';
comment on column staff.person_id is 'The person.';
comment on column staff.realm is 'Always staff: a member of a merchant can never be given a role here.';
comment on column staff.role is 'What the person may do: src/domain/staff/roles.ts.';
comment on column staff.created_at is 'Since when.';

create table changes (
  id integer generated always as identity primary key,
  kind text not null check (length(kind) between 1 and 60),
  summary text not null check (length(summary) between 1 and 400),
  fields text not null check (length(fields) <= 60000),
  lines text check (length(lines) <= 12000000),
  sealed text,
  facts text check (length(facts) <= 60000),
  subjects text[] not null,
  realm text not null default 'staff' check (realm = 'staff'),
  requested_by integer,
  requested_as text check (length(requested_as) between 1 and 100),
  requested_at timestamptz not null,
  ends_at timestamptz not null,
  due_at timestamptz,
  audit_number bigint,
  state text not null default 'waiting'
    check (state in ('waiting', 'agreed', 'done', 'refused', 'withdrawn', 'expired', 'stale')),
  is_alone boolean not null default false,
  decided_by integer,
  decided_as text check (length(decided_as) between 1 and 100),
  decided_at timestamptz,
  reason text check (length(reason) between 1 and 200),
  outcome text check (length(outcome) <= 1000),
  progress text check (length(progress) <= 1000),
  foreign key (requested_by, realm) references people (id, realm),
  foreign key (decided_by, realm) references people (id, realm),
  constraint changes_requested_by_one check (requested_by is null or requested_as is null),
  constraint changes_asked_for_or_alone check (requested_by is not null or requested_as is not null or is_alone),
  constraint changes_decided_by_one check (decided_by is null or decided_as is null),
  -- Names are compared by the code too, which knows more spellings of one.
  constraint changes_by_two_people
    check (
      state = 'withdrawn'
      or coalesce(decided_by::text, decided_as) is null
      or (decided_by, lower(decided_as)) is distinct from (requested_by, lower(requested_as))
    ),
  constraint changes_done_by_two_or_alone
    check (
      state not in ('agreed', 'done', 'refused')
      or (decided_by is not null or decided_as is not null) <> is_alone
    ),
  constraint changes_decided_once check ((state = 'waiting') = (decided_at is null))
);
comment on table changes is
  'owner: staff. Changes that one person asks for and another one agrees to. What waits has changed nothing yet.';
comment on column changes.id is 'Its number.';
comment on column changes.kind is 'What kind of change: wallet debit, stop supplier.';
comment on column changes.summary is 'The change in a sentence, for people.';
comment on column changes.fields is 'The change as JSON, as it is carried out: frozen when it was asked for.';
comment on column changes.lines is
  'The lines of a change that has many, as JSON, as they are carried out; of secrets, what the second person may see.';
comment on column changes.sealed is
  'What of it is secret, sealed under the hash of kind, fields, lines and facts. Null where nothing is, and '
  'once it is over.';
comment on column changes.facts is
  'What it rests on, as JSON, when it was asked for. Compared when it is agreed to. Null where it rests on nothing.';
comment on column changes.subjects is
  'What it is about: sale SBX…, supplier alpha. While it is open, no other change is asked for about the same.';
comment on column changes.realm is 'Always staff.';
comment on column changes.requested_by is
  'The person who asked for it. Null: see requested_as; both null where it is within what one may do alone.';
comment on column changes.requested_as is
  'The name that a command gave, of a company without staff. Null where a person asked for it.';
comment on column changes.requested_at is 'When it was asked for.';
comment on column changes.ends_at is 'Until when it may be agreed to.';
comment on column changes.due_at is
  'From when on it is carried out once it is agreed to. Null: at once.';
comment on column changes.audit_number is
  'The entry of the audit log that holds the hash of kind, fields, lines and facts. Null where it was done alone.';
comment on column changes.state is
  'waiting, agreed (being carried out), done, refused, withdrawn, expired, or stale: what it rests on has changed.';
comment on column changes.is_alone is
  'One person did it: nobody else could have agreed to it then, or nobody had to be asked.';
comment on column changes.decided_by is
  'The person who agreed, refused or withdrew it. Null while it waits, where it was done alone, and where '
  'time or facts ended it.';
comment on column changes.decided_as is 'The same, by the name that a command gave, of a company without staff.';
comment on column changes.decided_at is 'When it left the state waiting.';
comment on column changes.reason is 'Why it was refused.';
comment on column changes.outcome is 'What it came to, in a sentence, for people.';
comment on column changes.progress is
  'How far one with many lines is carried out, as JSON. Null before it begins, and for one without.';
create index changes_open on changes (ends_at) where state in ('waiting', 'agreed');
create index changes_of_person on changes (requested_by, id);
create index changes_agreed on changes (due_at) where state = 'agreed';
create index changes_of_kind on changes (kind, id);

create table change_subjects (
  subject text primary key check (length(subject) between 1 and 120),
  change_id integer not null references changes on delete cascade
);
comment on table change_subjects is
  'owner: staff. What open changes are about: one change at a time for a subject. Gone once a change is decided.';
comment on column change_subjects.subject is 'sale SBX…, merchant mer_17 live access.';
comment on column change_subjects.change_id is 'The change.';
create index change_subjects_of_change on change_subjects (change_id);
