-- A purchase is found by its number through the ledger now, whichever door it came by: nothing reads this any more, and
-- every legacy purchase wrote it.

drop index purchases_by_legacy_id;
