-- A supplier that answers, or calls, about another purchase than the one that was asked about is an incident.
alter table purchase_incidents
  drop constraint purchase_incidents_kind_check,
  -- another_purchase: the answer was about another purchase; it was not believed, nothing was moved.
  add constraint purchase_incidents_kind_check
    check (kind in ('late_reversal', 'contradiction', 'review', 'another_purchase'));
