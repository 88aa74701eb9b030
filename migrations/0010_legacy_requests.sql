-- Clients of the legacy endpoints rarely name their requests, so nothing tells a retry from a second purchase but the
-- time between them. The guard stands here, not in a process's memory: a retry may reach another process.

create table legacy_requests (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  -- Of what was asked for: the same digest as the purchase's own.
  fingerprint uuid not null,
  -- Made for the purchase; whoever holds it may give the request free again.
  reference text collate "C" not null,
  claimed_at timestamptz not null,
  primary key (bucket, merchant_id, mode, fingerprint)
);
comment on table legacy_requests is
  'owner: purchases. Legacy requests without a reference that were let through; the same again must wait.';

create index legacy_requests_by_age on legacy_requests (claimed_at);
