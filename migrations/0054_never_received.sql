-- That the supplier never received an attempt is believed the second time, a quiet period after the first. Kept with
-- the row, the first time is known to whichever process hears the second.
alter table inflight
  -- Since when the supplier has said so, and nothing else in between. By the database's clock, as several machines ask.
  add column not_received_since timestamptz;

drop function if exists claim_due_purchases(smallint[], integer, integer, integer);
