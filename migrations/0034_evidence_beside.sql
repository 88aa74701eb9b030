-- Evidence is JSON for the most part, like the bodies of events: it goes beside the rows, where no quote is escaped.

drop function if exists settle_purchases(settlement[], text, date, timestamptz);

alter type settlement
  drop attribute evidence,
  drop attribute event_body;
