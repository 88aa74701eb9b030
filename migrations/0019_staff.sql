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

create table approvals (
  id integer generated always as identity primary key,
  kind text not null check (length(kind) between 1 and 60),
  summary text not null check (length(summary) between 1 and 400),
  payload text not null check (length(payload) <= 60000),
  payload_hash bytea not null check (octet_length(payload_hash) = 32),
  realm text not null default 'staff' check (realm = 'staff'),
  maker_id integer not null,
  checker_id integer,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'refused', 'withdrawn')),
  is_alone boolean not null default false,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  decided_at timestamptz,
  foreign key (maker_id, realm) references people (id, realm),
  foreign key (checker_id, realm) references people (id, realm),
  constraint approvals_by_two_people check (checker_id <> maker_id),
  constraint approvals_done_by_two_or_alone
    check (status not in ('done', 'refused') or (checker_id is not null) <> is_alone),
  constraint approvals_decided_once check ((status = 'waiting') = (decided_at is null))
);
comment on table approvals is
  'owner: staff. Changes that one person asked for, and what became of them. What waits has changed nothing yet.';
comment on column approvals.id is 'Its number.';
comment on column approvals.kind is 'What kind of change: wallet credit, supplier stop.';
comment on column approvals.summary is 'The change in a sentence, for people.';
comment on column approvals.payload is 'The change as JSON, as it is carried out: frozen when it was asked for.';
comment on column approvals.payload_hash is 'SHA-256 of kind, a line break and payload: what the audit log has of it.';
comment on column approvals.realm is 'Always staff.';
comment on column approvals.maker_id is 'The person who asked for it.';
comment on column approvals.checker_id is
  'The person who approved or refused it. Null while it waits, or where it was done alone.';
comment on column approvals.status is 'waiting, done, refused or withdrawn. One that waits beyond ends_at has expired.';
comment on column approvals.is_alone is 'It was done by one person, because nobody else could have approved it then.';
comment on column approvals.created_at is 'When it was asked for.';
comment on column approvals.ends_at is 'Until when it may be approved.';
comment on column approvals.decided_at is 'When it was done, refused or withdrawn.';
create index approvals_waiting on approvals (ends_at) where status = 'waiting';

alter table one_time_tokens
  drop constraint one_time_tokens_purpose_check,
  add constraint one_time_tokens_purpose_check check (
    purpose in (
      'verify_email', 'change_email', 'reset_password', 'log_in', 'passkey', 'form', 'bought', 'first_operator',
      'staff_invitation'
    )
  );
