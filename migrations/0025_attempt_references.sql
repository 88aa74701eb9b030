-- What a supplier calls an attempt stays with the attempt: after a failure it was lost, after a reroute as well, and
-- with it the name by which some suppliers alone can be asked, and by which their statements go.

alter table vend_attempts
  -- Null where the supplier told none.
  add column provider_reference text;
