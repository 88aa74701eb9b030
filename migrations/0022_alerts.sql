-- Alerts for people on call: whom to tell, what is on, and what is on its way to the webhook.

create table alert_settings (
  id smallint primary key default 1 check (id = 1),
  emails text[] not null check (cardinality(emails) <= 10),
  webhook text,
  changed_at timestamptz not null
);
comment on table alert_settings is 'owner: alerts. Whom alerts go to: one row, or none before anybody said.';
comment on column alert_settings.id is 'Always 1.';
comment on column alert_settings.emails is 'Email addresses of people on call.';
comment on column alert_settings.webhook is
  'A Slack-compatible webhook''s URL, sealed: whoever knows it can post there. Null for none.';
comment on column alert_settings.changed_at is 'When they were changed last.';

create table alerts (
  name text primary key check (length(name) between 1 and 200),
  sentence text not null,
  path text,
  count bigint,
  amount bigint,
  notified_count bigint,
  notified_amount bigint,
  began_at timestamptz not null,
  notified_at timestamptz not null,
  seen_at timestamptz not null
);
comment on table alerts is 'owner: alerts. What is wrong now, each once. One that is over has no row any more.';
comment on column alerts.name is 'Which: breaker gladtidings data, review.';
comment on column alerts.sentence is 'What is wrong, for people, as it was seen last.';
comment on column alerts.path is 'The page of the company''s console where it is dealt with. Null: none.';
comment on column alerts.count is 'How many it is about, as it was seen last. Null where nothing is counted.';
comment on column alerts.amount is 'Their sum in kobo, as it was seen last. Null where no money is counted.';
comment on column alerts.notified_count is
  'How many there were when people were notified last: they are notified again at twice as many.';
comment on column alerts.notified_amount is 'The same of their sum.';
comment on column alerts.began_at is 'Since when.';
comment on column alerts.notified_at is 'When people were notified last.';
comment on column alerts.seen_at is 'When it was last seen. It is over when it was not seen for a while.';

create table process_alerts (
  name text primary key check (length(name) between 1 and 200),
  sentence text not null,
  seen_at timestamptz not null
);
comment on table process_alerts is 'owner: alerts. What one process alone can see: its clock, its late refunds.';
comment on column process_alerts.name is 'Which alert.';
comment on column process_alerts.sentence is 'What is wrong, for people.';
comment on column process_alerts.seen_at is 'When a process saw it last, by the database''s clock.';

create table alert_posts (
  id bigint generated always as identity primary key,
  text text not null,
  attempts smallint not null default 0,
  due_at timestamptz,
  failure text,
  created_at timestamptz not null,
  sent_at timestamptz
);
comment on table alert_posts is 'owner: alerts. Messages to the webhook. Kept for 30 days.';
comment on column alert_posts.id is 'Its number.';
comment on column alert_posts.text is 'What it says.';
comment on column alert_posts.attempts is 'How often it was tried.';
comment on column alert_posts.due_at is 'When it is tried next. Null where it was sent, or given up.';
comment on column alert_posts.failure is 'Why the last attempt failed.';
comment on column alert_posts.created_at is 'When it was written.';
comment on column alert_posts.sent_at is 'When the receiver took it.';
create index alert_posts_due on alert_posts (due_at) where due_at is not null;
