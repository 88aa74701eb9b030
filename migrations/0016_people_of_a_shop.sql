-- People of a shop: cashiers and whose sales are whose, two-step login that a business demands of its team, and the
-- emails that people choose.

alter table members
  drop constraint members_role_check,
  add constraint members_role_check check (role in ('owner', 'developer', 'finance', 'cashier', 'viewer'));

alter table invitations
  drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('owner', 'developer', 'finance', 'cashier', 'viewer'));

-- Written before the purchase is, by its reference: no sale by hand is without its person, whatever crashes. A purchase
-- by the API writes no row and reads none.
create table console_sales (
  wallet_id integer not null,
  reference text collate "C" not null check (reference <> ''),
  person_id integer not null references people,
  sold_at timestamptz not null,
  primary key (wallet_id, reference)
);
comment on table console_sales is
  'owner: members. Who sold what one by one in the console. A row without its purchase is a sale that was refused.';
comment on column console_sales.wallet_id is 'The wallet.';
comment on column console_sales.reference is 'The purchase''s reference.';
comment on column console_sales.person_id is 'The person who sold it.';
comment on column console_sales.sold_at is 'When the button was pressed, the last time before it was bought.';
create index console_sales_by_time on console_sales (wallet_id, sold_at, person_id);

create table two_step_rules (
  merchant_id integer primary key references merchants,
  required_at timestamptz not null
);
comment on table two_step_rules is 'owner: members. Businesses that demand two-step login of everybody on their team.';
comment on column two_step_rules.merchant_id is 'The merchant.';
comment on column two_step_rules.required_at is 'Since when.';

create table email_choices (
  person_id integer not null references people on delete cascade,
  merchant_id integer not null,
  kind text not null
    check (kind in ('low_balance', 'webhook_failing', 'key_ending', 'monthly_statement', 'new_place')),
  is_on boolean not null,
  changed_at timestamptz not null,
  primary key (person_id, merchant_id, kind)
);
comment on table email_choices is 'owner: members. Emails that people turned on or off; what has no row is as usual.';
comment on column email_choices.person_id is 'The person.';
comment on column email_choices.merchant_id is 'The merchant that the emails are about; 0: the person''s own account.';
comment on column email_choices.kind is 'What they are about.';
comment on column email_choices.is_on is 'Whether they are sent.';
comment on column email_choices.changed_at is 'When the person chose.';
create index email_choices_of_statements
  on email_choices (merchant_id)
  where kind = 'monthly_statement' and is_on;

create table sent_notices (
  merchant_id integer not null references merchants,
  kind text not null check (length(kind) between 1 and 40),
  subject text not null check (length(subject) between 1 and 100),
  written_at timestamptz not null,
  primary key (merchant_id, kind, subject)
);
comment on table sent_notices is
  'owner: members. What a team was written to about, once each: in the transaction that writes the letters.';
comment on column sent_notices.merchant_id is 'The merchant.';
comment on column sent_notices.kind is 'What the letters are about: low_balance, key_ending, ...';
comment on column sent_notices.subject is 'Which of them: a key''s number and its end, a month.';
comment on column sent_notices.written_at is 'When the letters were written.';
create index sent_notices_by_time on sent_notices (written_at);

-- An owner reads what the team did, newest first, also of one person.
create index audit_log_by_merchant
  on audit_log ((substring(details from '"merchant":"(mer_[0-9]+)"')), number)
  where who like 'member:%';
create index audit_log_by_person
  on audit_log ((substring(details from '"merchant":"(mer_[0-9]+)"')), who, number)
  where who like 'member:%';
