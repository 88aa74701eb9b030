-- How a live purchase comes to its end: what is pending, each attempt at a supplier, what suppliers called to say, and
-- what a person has to know. Amounts in kobo.

create table inflight (
  wallet_id integer not null,
  purchase_id bigint not null,
  -- A result about an earlier attempt does not pass the gate.
  attempt smallint not null default 1,
  -- queued: no supplier was asked yet; the first claim sends it, any later one asks what became of it. dispatch,
  -- reroute: a process sends it right now, to its first or to another supplier; who claims it later only asks. requery:
  -- the supplier is asked what became of it. review: a person decides, and no worker claims it.
  step text not null check (step in ('queued', 'dispatch', 'requery', 'reroute', 'review')),
  due_at timestamptz not null,
  epoch integer not null default 0,
  tries integer not null default 0,
  last_answer text,
  -- It is believed the second time, a quiet period after the first, whichever process hears the second. By the
  -- database's clock, as several machines ask.
  not_received_since timestamptz,
  primary key (wallet_id, purchase_id)
)
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
comment on table inflight is
  'owner: resolution. Exactly the pending purchases. Deleting its row is the gate to a final status: one winner.';
comment on column inflight.wallet_id is 'The wallet.';
comment on column inflight.purchase_id is 'The purchase.';
comment on column inflight.attempt is 'The purchase''s present attempt.';
comment on column inflight.step is
  'Where the purchase is on its way to an end: queued, dispatch, requery, reroute or review.';
comment on column inflight.due_at is 'When a worker takes the row up. While one holds it: when its lease ends.';
comment on column inflight.epoch is 'Raised by every claim: what an earlier holder still wants to write is refused.';
comment on column inflight.tries is 'How often the supplier was asked what became of it.';
comment on column inflight.last_answer is
  'The last answer of the present attempt''s supplier, redacted. Null before the first one.';
comment on column inflight.not_received_since is
  'Since when the supplier has said that it never received the attempt, and nothing else in between.';

-- By one of 64 groups of wallets: what is due is claimed from each in turn, so that no wallet's backlog takes all
-- places.
create index inflight_due on inflight ((wallet_id & 63), due_at) where step <> 'review';

create table vend_attempts (
  wallet_id integer not null,
  purchase_id bigint not null,
  attempt smallint not null check (attempt > 0),
  supplier text not null,
  supplier_reference text not null,
  supplier_code text,
  cost bigint,
  foreign_cost text,
  route_reason text,
  -- Some suppliers can be asked by it alone, and their statements name it.
  provider_reference text,
  verdict text not null check (verdict in ('vended', 'declined')),
  evidence text not null,
  ended_at timestamptz not null default now(),
  -- Attempts are looked up by their purchase alone. Ids grow with time, so the newest lie on one page of the index
  -- instead of on one for each merchant.
  constraint vend_attempts_pkey primary key (purchase_id, attempt, wallet_id)
);
comment on table vend_attempts is
  'owner: resolution. One row an attempt at a supplier, written when it ends. Deleted only by take_back_purchase.';
comment on column vend_attempts.wallet_id is 'The wallet.';
comment on column vend_attempts.purchase_id is 'The purchase.';
comment on column vend_attempts.attempt is 'The number of the attempt, from 1.';
comment on column vend_attempts.supplier is 'The supplier that was asked.';
comment on column vend_attempts.supplier_reference is 'Our name for the attempt, under which it was sent.';
comment on column vend_attempts.supplier_code is 'What the supplier calls the product, as the route said then.';
comment on column vend_attempts.cost is 'What the supplier takes from us for it.';
comment on column vend_attempts.foreign_cost is
  'That cost in the supplier''s own currency, as purchases.foreign_cost.';
comment on column vend_attempts.route_reason is 'Why that route was chosen.';
comment on column vend_attempts.provider_reference is
  'The supplier''s reference of the attempt. Null where it told none.';
comment on column vend_attempts.verdict is 'How the attempt ended.';
comment on column vend_attempts.evidence is 'What the supplier said, redacted: for the operator''s eyes.';
comment on column vend_attempts.ended_at is 'When that was recorded.';

create table unread_answers (
  wallet_id integer not null,
  purchase_id bigint not null,
  attempt smallint not null check (attempt > 0),
  epoch integer not null,
  supplier text not null,
  sealed text not null,
  at timestamptz not null default now(),
  constraint unread_answers_pkey primary key (purchase_id, wallet_id, attempt, epoch)
);
comment on table unread_answers is
  'owner: resolution. Answers that may hold goods which nobody could make out, to the letter: for a person.';
comment on column unread_answers.wallet_id is 'The wallet.';
comment on column unread_answers.purchase_id is 'The purchase.';
comment on column unread_answers.attempt is 'The attempt that was asked about.';
comment on column unread_answers.epoch is 'The lease under which the supplier was asked: inflight.epoch.';
comment on column unread_answers.supplier is 'The supplier that answered.';
comment on column unread_answers.sealed is 'What it answered, sealed: it may hold tokens and PINs.';
comment on column unread_answers.at is 'When that was recorded.';

-- Rows are written by position (settlementRow in domain/purchases/settle-queries.ts): the order of the columns is part
-- of the type.
create type settlement as (
  wallet_id integer,
  id bigint,
  epoch integer,
  attempt smallint,
  status text,
  error_code text,
  provider_reference text,
  fulfilment text,
  supplier_reference text,
  evidence text,
  completed_at timestamptz,
  delivery_id uuid,
  further_delivery_ids uuid[]
);
comment on type settlement is 'The end of a pending purchase as settle_purchases takes it.';
comment on column settlement.wallet_id is 'The wallet.';
comment on column settlement.id is 'The purchase.';
comment on column settlement.epoch is
  'The lease under which the caller acts. Null for one that holds none: a supplier''s callback.';
comment on column settlement.attempt is 'The attempt that ended. A result about an earlier one does not pass the gate.';
comment on column settlement.status is 'successful or failed.';
comment on column settlement.error_code is 'Why it failed.';
comment on column settlement.provider_reference is 'What the supplier calls the attempt.';
comment on column settlement.fulfilment is 'What was delivered, as JSON text.';
comment on column settlement.supplier_reference is 'Our name for the attempt.';
comment on column settlement.evidence is 'What the supplier said, redacted.';
comment on column settlement.completed_at is 'When the end was learned.';
comment on column settlement.delivery_id is
  'The webhook delivery about the end. Null where the merchant''s first endpoint wants none.';
comment on column settlement.further_delivery_ids is 'The same for other endpoints.';

create type settlement_webhook as (
  ordinal integer,
  wallet_id integer,
  endpoint_number integer,
  id uuid,
  event text,
  reference text,
  purchase_id bigint,
  body text
);
comment on type settlement_webhook is 'A webhook about an end, as settle_purchases takes it.';
comment on column settlement_webhook.ordinal is 'The item of the batch that the delivery is about, from 1.';
comment on column settlement_webhook.wallet_id is 'The wallet.';
comment on column settlement_webhook.endpoint_number is 'The endpoint.';
comment on column settlement_webhook.id is 'The delivery''s id.';
comment on column settlement_webhook.event is 'webhook_deliveries.event.';
comment on column settlement_webhook.reference is 'The merchant''s name for the purchase.';
comment on column settlement_webhook.purchase_id is 'The purchase.';
comment on column settlement_webhook.body is 'webhook_deliveries.body.';

-- Rows are written by position (codeRows in domain/purchases/settle-queries.ts).
create type settlement_code as (
  ordinal integer,
  wallet_id integer,
  purchase_id bigint,
  code bigint
);
comment on type settlement_code is 'A piece of what an end hands over, as settle_purchases takes it.';
comment on column settlement_code.ordinal is 'The item of the batch that hands it over, from 1.';
comment on column settlement_code.wallet_id is 'The wallet.';
comment on column settlement_code.purchase_id is 'The purchase.';
comment on column settlement_code.code is 'delivered_codes.code.';

create type rerouting as (
  wallet_id integer,
  id bigint,
  epoch integer,
  attempt smallint,
  supplier_reference text,
  evidence text,
  provider_reference text,
  supplier text,
  supplier_code text,
  cost bigint,
  foreign_cost text,
  route_reason text,
  step text,
  due_seconds integer
);
comment on type rerouting is 'From a declined attempt to the next, as reroute_purchases takes it.';
comment on column rerouting.wallet_id is 'The wallet.';
comment on column rerouting.id is 'The purchase.';
comment on column rerouting.epoch is 'The lease under which the caller acts.';
comment on column rerouting.attempt is 'The attempt that was declined.';
comment on column rerouting.supplier_reference is 'Our name for that attempt.';
comment on column rerouting.evidence is 'What its supplier said, redacted.';
comment on column rerouting.provider_reference is 'What its supplier called it. Null where it told nothing.';
comment on column rerouting.supplier is 'The next supplier.';
comment on column rerouting.supplier_code is 'What that supplier calls the product.';
comment on column rerouting.cost is 'What that supplier takes from us.';
comment on column rerouting.foreign_cost is 'That cost in its own currency, as purchases.foreign_cost.';
comment on column rerouting.route_reason is 'Why that route was chosen.';
comment on column rerouting.step is 'inflight.step of the next attempt.';
comment on column rerouting.due_seconds is 'When the due-work loop takes it up, from now.';

create table purchase_incidents (
  wallet_id integer not null,
  purchase_id bigint not null,
  number smallint not null check (number > 0),
  -- late_reversal: the supplier took back what it had vended; the wallet was credited.
  -- contradiction: a supplier's result that comes after the end, or after a reroute, and says something else.
  -- review: a person said how the purchase ended.
  -- another_purchase: the supplier's answer was about another purchase; it was not believed, and nothing was moved.
  kind text not null,
  attempt smallint not null,
  supplier text,
  source text not null check (length(source) between 1 and 100),
  evidence text not null check (length(evidence) <= 4000),
  at timestamptz not null default now(),
  primary key (wallet_id, purchase_id, number),
  constraint purchase_incidents_kind_check
    check (kind in ('late_reversal', 'contradiction', 'review', 'another_purchase'))
);
comment on table purchase_incidents is
  'owner: resolution. What an operator has to know about a purchase beyond its attempts. Insert-only.';
comment on column purchase_incidents.wallet_id is 'The wallet.';
comment on column purchase_incidents.purchase_id is 'The purchase.';
comment on column purchase_incidents.number is 'Counts a purchase''s incidents from 1.';
comment on column purchase_incidents.kind is 'late_reversal, contradiction, review or another_purchase.';
comment on column purchase_incidents.attempt is 'The attempt that it is about.';
comment on column purchase_incidents.supplier is 'The supplier of that attempt.';
comment on column purchase_incidents.source is 'The source: the supplier''s callback or requery, or a person.';
comment on column purchase_incidents.evidence is 'What was said, redacted: for the operator''s eyes.';
comment on column purchase_incidents.at is 'When it was recorded.';

create index purchase_incidents_by_time on purchase_incidents (at);

create table supplier_callbacks (
  supplier text not null check (length(supplier) between 1 and 40),
  supplier_reference text not null check (length(supplier_reference) between 1 and 100),
  status text not null check (length(status) <= 40),
  evidence text not null check (length(evidence) <= 2000),
  received_at timestamptz not null default now(),
  primary key (supplier, supplier_reference, status)
);
comment on table supplier_callbacks is
  'owner: resolution. Suppliers'' callbacks about an attempt: each status once. Insert-only.';
comment on column supplier_callbacks.supplier is 'The supplier that called.';
comment on column supplier_callbacks.supplier_reference is 'Our name for the attempt.';
comment on column supplier_callbacks.status is 'The status in the supplier''s own words.';
comment on column supplier_callbacks.evidence is 'What the supplier said, redacted: for the operator''s eyes.';
comment on column supplier_callbacks.received_at is 'When it was said last.';

-- A supplier's callback is not believed: it leads to a question. While the question stood in memory alone it was lost
-- when too many were asked at once, when the supplier did not answer, or when the process died; and nothing else asks
-- about an attempt that is over, so what its supplier took back never came back to the wallet. A row stays until it is
-- answered.
create table callback_questions (
  supplier text not null check (length(supplier) between 1 and 40),
  supplier_reference text not null check (length(supplier_reference) between 1 and 100),
  provider_reference text,
  due_at timestamptz not null,
  epoch integer not null default 0,
  tries integer not null default 0,
  received_at timestamptz not null default now(),
  primary key (supplier, supplier_reference)
);
comment on table callback_questions is
  'owner: resolution. Exactly the attempts that suppliers called about and that are still to be asked about.';
comment on column callback_questions.supplier is 'The supplier that called.';
comment on column callback_questions.supplier_reference is 'Our name for the attempt.';
comment on column callback_questions.provider_reference is
  'The supplier''s reference of the attempt. Null where no callback told it.';
comment on column callback_questions.due_at is 'When the supplier is asked. While a worker asks, when its lease ends.';
comment on column callback_questions.epoch is
  'Raised by every claim, and by every new callback, which has to be asked about anew.';
comment on column callback_questions.tries is 'How often the supplier was asked.';
comment on column callback_questions.received_at is 'When the last new callback came.';

create index callback_questions_due on callback_questions (due_at);
