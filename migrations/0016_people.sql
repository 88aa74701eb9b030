-- People: whoever logs in to a console, and what they prove it with. A merchant's people and the operator's staff are
-- two realms that share these tables and nothing else: a person of one realm can't become a member of the other, as
-- keys hold the realm. Nothing here is read by a purchase. Secrets are hashed where they are only compared
-- (passwords, tokens, backup codes) and sealed where they are used (TOTP seeds, emails).

create table people (
  id integer generated always as identity primary key,
  realm text not null check (realm in ('merchant', 'staff')),
  email text not null check (length(email) between 3 and 254 and email = lower(email)),
  name text not null check (length(name) between 1 and 100),
  password_hash text check (length(password_hash) <= 200),
  email_verified_at timestamptz,
  totp_seed text check (length(totp_seed) <= 400),
  totp_confirmed_at timestamptz,
  totp_last_step bigint not null default 0,
  created_at timestamptz not null,
  constraint people_email_once_a_realm unique (realm, email),
  constraint people_id_with_realm unique (id, realm),
  constraint people_confirm_a_seed check (totp_confirmed_at is null or totp_seed is not null)
);
comment on table people is 'owner: identity. Whoever logs in to a console.';
comment on column people.id is 'The person''s number.';
comment on column people.realm is 'merchant: of the merchants'' console. staff: of the operator''s.';
comment on column people.email is 'The address that the person logs in with and emails go to, in lower case.';
comment on column people.name is 'The person''s name, as others read it.';
comment on column people.password_hash is 'argon2id, with its parameters and salt. Null: no password has been set yet.';
comment on column people.email_verified_at is 'When a link that was sent to the address was followed. Null: never.';
comment on column people.totp_seed is
  'The secret of the authenticator app, sealed (platform/sealing/secret-box.ts) under people/<id>. Null: none.';
comment on column people.totp_confirmed_at is
  'When the first code was right: asked for from then on. Null: not in use.';
comment on column people.totp_last_step is 'The time step of the last code taken: none is taken twice.';
comment on column people.created_at is 'When the person was entered.';

create table passkeys (
  credential_id text primary key check (length(credential_id) between 1 and 1400),
  person_id integer not null references people on delete cascade,
  public_key bytea not null check (octet_length(public_key) <= 2000),
  counter bigint not null,
  transports text[] not null default '{}' check (cardinality(transports) <= 8),
  label text not null check (length(label) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table passkeys is 'owner: identity. Passkeys that people log in with instead of password and code.';
comment on column passkeys.credential_id is 'The credential''s id in base64url, as its authenticator made it.';
comment on column passkeys.person_id is 'The person.';
comment on column passkeys.public_key is 'What signatures are checked against (COSE).';
comment on column passkeys.counter is 'The authenticator''s count of signatures; one that falls behind is refused.';
comment on column passkeys.transports is 'How browsers reach the authenticator: internal, hybrid, usb.';
comment on column passkeys.label is 'What the person calls it.';
comment on column passkeys.created_at is 'When it was added.';
comment on column passkeys.last_used_at is 'When it was last logged in with. Null: never.';
create index passkeys_by_person on passkeys (person_id);

create table backup_codes (
  person_id integer not null references people on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (person_id, code_hash)
);
comment on table backup_codes is 'owner: identity. Codes for whoever lost the authenticator app; each is good once.';
comment on column backup_codes.person_id is 'The person.';
comment on column backup_codes.code_hash is 'SHA-256 of the code, which is random enough to need no slower hash.';
comment on column backup_codes.used_at is 'When it was used. Null: still good.';

create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  person_id integer not null,
  realm text not null,
  level text not null check (level in ('password', 'second_factor')),
  factor_at timestamptz,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  address text not null check (length(address) <= 64),
  agent text not null check (length(agent) <= 200),
  foreign key (person_id, realm) references people (id, realm) on delete cascade
);
comment on table sessions is 'owner: identity. Browsers that are logged in. A session ends by being deleted.';
comment on column sessions.token_hash is 'SHA-256 of the cookie''s token: the table alone lets nobody in.';
comment on column sessions.person_id is 'The person.';
comment on column sessions.realm is 'The person''s realm, which is the console''s.';
comment on column sessions.level is
  'password: the second factor is still owed. second_factor: given, or none is needed.';
comment on column sessions.factor_at is
  'When the password, code or passkey was last given: what is sensitive asks for one within 15 minutes.';
comment on column sessions.created_at is 'When the person logged in.';
comment on column sessions.seen_at is 'When a request last came, to the minute: idle sessions end.';
comment on column sessions.ends_at is 'When it ends whatever happens.';
comment on column sessions.address is 'Where the log-in came from.';
comment on column sessions.agent is 'The browser, as it called itself.';
create index sessions_by_person on sessions (person_id);

create table one_time_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null
    check (
      purpose in (
        'verify_email', 'change_email', 'reset_password', 'log_in', 'passkey', 'form', 'bought', 'first_operator',
        'staff_invitation'
      )
    ),
  person_id integer references people on delete cascade,
  payload text check (length(payload) <= 1000),
  created_at timestamptz not null,
  ends_at timestamptz not null
);
comment on table one_time_tokens is
  'owner: identity. Links in emails and other tokens that are good once: using one deletes it.';
comment on column one_time_tokens.token_hash is 'SHA-256 of the token.';
comment on column one_time_tokens.purpose is
  'What it is good for, and for nothing else. form: a form that was sent, which is not carried out twice. bought: a '
  'purchase by hand, which the session that made it sees whole.';
comment on column one_time_tokens.person_id is 'The person whom it was made for.';
comment on column one_time_tokens.payload is
  'The new address, for change_email; the challenge, for passkey; the merchant that log_in makes an owner of; the '
  'session''s token_hash, for bought. Null elsewhere.';
comment on column one_time_tokens.created_at is 'When it was made.';
comment on column one_time_tokens.ends_at is 'When it is good no longer.';
create index one_time_tokens_by_person on one_time_tokens (person_id);

create table log_in_failures (
  subject bytea not null check (octet_length(subject) = 32),
  source text not null check (length(source) <= 64),
  failures integer not null check (failures > 0),
  first_at timestamptz not null,
  kept_until timestamptz not null,
  primary key (subject, source)
);
comment on table log_in_failures is
  'owner: identity. Attempts that failed, by account and source: so many of them, and that source waits for that '
  'account. A stranger locks nobody else out. Also where each account was logged in to from.';
comment on column log_in_failures.subject is
  'SHA-256 of what was tried: a realm and an e-mail address, whether or not it exists; or the name of a throttle.';
comment on column log_in_failures.source is 'The address, or the /64 of an IPv6 address.';
comment on column log_in_failures.failures is 'How many since first_at.';
comment on column log_in_failures.first_at is 'When the count began; most begin anew an hour later.';
comment on column log_in_failures.kept_until is 'When it counts no longer, and is deleted.';

create table emails (
  id bigint generated always as identity primary key,
  recipient text not null check (length(recipient) between 3 and 254),
  subject text not null check (length(subject) between 1 and 200),
  body text not null check (length(body) <= 20000),
  created_at timestamptz not null,
  sent_at timestamptz,
  attempts smallint not null default 0,
  due_at timestamptz,
  failure text check (length(failure) <= 300)
);
comment on table emails is 'owner: identity. E-mails: written in the transaction of what they tell, sent afterwards.';
comment on column emails.id is 'Counts the emails.';
comment on column emails.recipient is 'Where it goes.';
comment on column emails.subject is 'The subject; holds no secret.';
comment on column emails.body is
  'The text, sealed (platform/sealing/secret-box.ts) under emails: links in it let people in.';
comment on column emails.created_at is 'When it was written.';
comment on column emails.sent_at is 'When the mail server took it. Null: not yet, or there is no mail server.';
comment on column emails.attempts is 'How often it was tried to be sent.';
comment on column emails.due_at is 'When it is tried next. Null: never again, or sent.';
comment on column emails.failure is 'What the mail server said last. Null: nothing.';
create index emails_due on emails (due_at) where due_at is not null;

create table company (
  id smallint primary key check (id = 1),
  name text not null check (length(name) between 1 and 100),
  logo bytea check (octet_length(logo) <= 200000),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/svg+xml')),
  support_email text check (length(support_email) between 3 and 254),
  support_phone text check (length(support_phone) between 5 and 30),
  bank_details text check (length(bank_details) between 1 and 1000),
  updated_at timestamptz not null,
  constraint company_logo_has_a_type check ((logo is null) = (logo_type is null))
);
comment on table company is
  'owner: identity. The company that runs this deployment, as pages, emails and receipts show it.';
comment on column company.id is 'Always 1: the table has at most one row.';
comment on column company.name is 'The company''s name.';
comment on column company.logo is 'Its logo. Null: none.';
comment on column company.logo_type is 'The logo''s media type.';
comment on column company.support_email is 'Where merchants write to. Null: not told.';
comment on column company.support_phone is 'Where merchants call. Null: not told.';
comment on column company.bank_details is 'Where merchants pay in, as text of several lines. Null: not told.';
comment on column company.updated_at is 'When an operator last set it.';
