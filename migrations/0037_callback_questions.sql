-- A supplier's callback leads to a question, and the question could get lost: while too many were asked at once, when
-- the supplier did not answer, when the process died. Nothing else asks about an attempt that is over, so what its
-- supplier took back was never given back to the wallet. Now a question stays until it is answered.

create table callback_questions (
  supplier            text         not null check (length(supplier) between 1 and 40),
  supplier_reference  text         not null check (length(supplier_reference) between 1 and 100),
  -- What the supplier calls the attempt; null where no callback told it.
  provider_reference  text,
  due_at              timestamptz  not null,
  -- Proves the lease: a claim raises it, and so does a new word, which has to be asked about anew.
  epoch               integer      not null default 0,
  tries               integer      not null default 0,
  -- When the last new word came.
  heard_at            timestamptz  not null default now(),
  primary key (supplier, supplier_reference)
);
comment on table callback_questions is
  'owner: purchases. Exactly the attempts that suppliers called about and that are still to be asked about.';

create index callback_questions_due on callback_questions (due_at);
