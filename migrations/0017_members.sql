-- People of a merchant: who is on its team and may do what, who is invited, and its wish for live access; whose sales
-- by hand are whose, two-step login that a business demands of its team, and the emails that people choose. Also who of
-- the company looks at a merchant's dashboard, and who may sign up.

create table members (
  merchant_id integer not null references merchants,
  person_id integer not null,
  realm text not null default 'merchant' check (realm = 'merchant'),
  role text not null check (role in ('owner', 'developer', 'finance', 'cashier', 'viewer')),
  created_at timestamptz not null,
  primary key (merchant_id, person_id),
  foreign key (person_id, realm) references people (id, realm) on delete cascade
);
comment on table members is 'owner: members. Which people belong to which merchants, and what they may do there.';
comment on column members.merchant_id is 'The merchant.';
comment on column members.person_id is 'The person, who may belong to several merchants.';
comment on column members.realm is 'Always merchant: staff can''t be members.';
comment on column members.role is 'What the person may do: console/access.ts is the matrix.';
comment on column members.created_at is 'When the person became a member.';
create index members_by_person on members (person_id);

create table invitations (
  id integer generated always as identity primary key,
  token_hash bytea not null constraint invitations_token_once unique check (octet_length(token_hash) = 32),
  merchant_id integer not null references merchants,
  email text not null check (length(email) between 3 and 254 and email = lower(email)),
  role text not null check (role in ('owner', 'developer', 'finance', 'cashier', 'viewer')),
  invited_by text not null check (length(invited_by) between 1 and 254),
  created_at timestamptz not null,
  ends_at timestamptz not null,
  constraint invitations_once_an_address unique (merchant_id, email)
);
comment on table invitations is
  'owner: members. Invitations that wait to be accepted; accepting or withdrawing one deletes it.';
comment on column invitations.id is 'The invitation''s number.';
comment on column invitations.token_hash is 'SHA-256 of the token in the email''s link.';
comment on column invitations.merchant_id is 'The merchant that invites.';
comment on column invitations.email is 'Where the email went. Only a person with this address can accept.';
comment on column invitations.role is 'What the person will be.';
comment on column invitations.invited_by is 'The address of the member, or the name of the operator.';
comment on column invitations.created_at is 'When it was last sent.';
comment on column invitations.ends_at is 'When it is good no longer.';

create table live_access_requests (
  merchant_id integer primary key references merchants,
  business_name text not null check (length(business_name) between 1 and 200),
  registration_number text check (length(registration_number) between 1 and 60),
  address text not null check (length(address) between 1 and 300),
  phone text not null check (length(phone) between 5 and 30),
  website text check (length(website) between 1 and 200),
  sells text not null check (length(sells) between 1 and 1000),
  requested_by text not null check (length(requested_by) between 1 and 254),
  requested_at timestamptz,
  refused_because text check (length(refused_because) between 1 and 200)
);
comment on table live_access_requests is
  'owner: members. Merchants'' business details, and when they asked for live access with them.';
comment on column live_access_requests.merchant_id is 'The merchant.';
comment on column live_access_requests.business_name is 'The business as registered.';
comment on column live_access_requests.registration_number is 'Its number in the register. Null: not registered.';
comment on column live_access_requests.address is 'Where it is.';
comment on column live_access_requests.phone is 'Where it is called.';
comment on column live_access_requests.website is 'Its website. Null: none.';
comment on column live_access_requests.sells is 'What it sells and to whom, in its own words.';
comment on column live_access_requests.requested_by is 'The address of the member who last saved them.';
comment on column live_access_requests.requested_at is 'When live access was asked for. Null: not asked yet.';
comment on column live_access_requests.refused_because is
  'Why live access was refused last, in words that the merchant reads. Null: it was not, or is asked for anew.';

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
    check (
      kind in (
        'low_balance', 'money_added', 'money_taken_back', 'webhook_failing', 'key_ending', 'monthly_statement',
        'new_place'
      )
    ),
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
  'owner: members. What a team was written to about, once each: in the transaction that writes the emails.';
comment on column sent_notices.merchant_id is 'The merchant.';
comment on column sent_notices.kind is 'What the emails are about: low_balance, key_ending, ...';
comment on column sent_notices.subject is 'Which of them: a key''s number and its end, a month.';
comment on column sent_notices.written_at is 'When the emails were written.';
create index sent_notices_by_time on sent_notices (written_at);

create table merchant_views (
  session_hash bytea primary key references sessions (token_hash) on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  merchant_id integer not null references merchants (id),
  paths text[] not null default '{}' check (cardinality(paths) <= 500),
  created_at timestamptz not null,
  ends_at timestamptz not null
);
comment on table merchant_views is
  'owner: members. People of the company who see a merchant''s dashboard, read only. It ends with their own session.';
comment on column merchant_views.session_hash is 'The session at the company''s console. It has one view at a time.';
comment on column merchant_views.token_hash is 'SHA-256 of the view''s cookie: the table alone lets nobody in.';
comment on column merchant_views.merchant_id is 'The merchant.';
comment on column merchant_views.paths is 'Pages that were seen: the audit log has each once.';
comment on column merchant_views.created_at is 'When it began.';
comment on column merchant_views.ends_at is 'When it ends whatever happens.';

create table sign_up_policy (
  id smallint primary key default 1 check (id = 1),
  policy text not null check (policy in ('open', 'confirm', 'closed')),
  changed_at timestamptz not null
);
comment on table sign_up_policy is
  'owner: members. Who may sign up, as the company set it: one row, or none where SIGN_UP says it.';
comment on column sign_up_policy.id is 'Always 1.';
comment on column sign_up_policy.policy is 'open, confirm (each begins suspended) or closed (by invitation alone).';
comment on column sign_up_policy.changed_at is 'When it was set last.';
